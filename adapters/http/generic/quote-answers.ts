import Type, { type Static } from 'typebox';
import { formatPercent, formatReais, type Price, type Quote } from '#domain';
import type { PlanNotOffered, PricedOffer } from '../../../application/selling/price-plans.ts';
import type { QuotedOffer, QuotePrices } from '../../../application/selling/quote-prices.ts';
import { fieldCodeSchema } from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import type { FieldFaults } from '../../kit/contract/field-faults.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { disclosureFields } from '../sales/disclosure-answer.ts';
import { figures, period } from '../sales/sale-answer-parts.ts';

interface Named {
  readonly id: number;
  readonly code: string;
  readonly name: string;
}

const named = described<Named>()({
  id: [Type.Integer(), ({ id }) => id],
  code: [Type.String(), ({ code }) => code],
  name: [Type.String(), ({ name }) => name],
});

const line = namedObject('PriceLine', { text: Type.String(), amount: reaisShape() });

const HOW_PRICED = {
  declared: () => 'valor informado',
  fixed: () => 'preço fixo',
  rate: ({ tariff, base, amount }: Price) => {
    if (tariff.kind !== 'rate' || base === undefined) return '';
    const share = `${formatPercent(tariff.rate)} de ${formatReais(base)}`;
    return amount === tariff.minimum ? `${share}, no mínimo ${formatReais(amount)}` : share;
  },
} as const satisfies Record<Price['tariff']['kind'], (price: Price) => string>;

/** The lines of a price, as a customer can be shown them. The last one is the total. */
const explain = ({ prices, premium }: Quote): Static<typeof line>[] => {
  const { pricingBasis, iofRate, legalBasis, iof, net, total } = premium;
  const isGross = pricingBasis === 'gross';
  const ofPrices = prices.map((price) => ({
    text: `${price.of === 'plan' ? 'Plano' : 'Cobertura'} ${price.name}: ${HOW_PRICED[price.tariff.kind](price)}${isGross ? ', com IOF' : ''}`,
    amount: inReais(price.amount),
  }));
  const tax = `IOF de ${formatPercent(iofRate)} sobre ${formatReais(net)}`;
  return [
    ...ofPrices,
    { text: `${isGross ? 'Incluído: ' : ''}${tax} (${legalBasis})`, amount: inReais(iof) },
    { text: 'Total a pagar', amount: inReais(total) },
  ];
};

const coverage = described<Named & Pick<Price, 'amount'>>()({
  ...named.fields,
  amount: [reaisShape(), ({ amount }) => inReais(amount)],
});

const installments = described<PricedOffer['installments'][number]>()({
  count: [Type.Integer(), ({ count }) => count],
  first: [reaisShape(), ({ first }) => inReais(first)],
  other: [reaisShape(), ({ other }) => inReais(other)],
});

const offer = described<QuotedOffer>('QuoteOffer')({
  plan: [named.schema, (priced) => named.present(priced.offer.plan)],
  amounts: [figures.schema, ({ quote }) => figures.present(quote)],
  coverages: [
    Type.Array(coverage.schema, {
      description: 'As adicionais pedidas, cada uma com o seu preço',
    }),
    (priced) =>
      priced.offer.coverages.map((each, index) => {
        const { amount } = priced.quote.prices[index + 1] as Price;
        return coverage.present({ ...each, amount });
      }),
  ],
  vigencia: [
    Type.Union([period.schema, Type.Null({ description: 'Falta um dado, como a data do evento' })]),
    (priced) => (priced.period === undefined ? null : period.present(priced.period)),
  ],
  installments: [
    Type.Array(installments.schema, { description: 'As formas de parcelar, se o serviço cobrar' }),
    (priced) => priced.installments.map(installments.present),
  ],
  explanation: [
    Type.Array(line, { description: 'Como o preço foi calculado, para mostrar' }),
    ({ quote }) => explain(quote),
  ],
  ...disclosureFields,
});

type Quoted = Extract<Awaited<ReturnType<QuotePrices>>, { readonly kind: 'quoted' }>;

interface QuoteSource extends Quoted {
  /** Describes the reasons as complaints about fields. */
  readonly describe: (reasons: PlanNotOffered['reasons']) => FieldFaults;
}

const notOffered = described<PlanNotOffered & Pick<QuoteSource, 'describe'>>('PlanNotOffered')({
  plan: [named.schema, ({ plan }) => named.present(plan)],
  reasons: [
    Type.Array(
      Type.Object({ field: Type.String(), code: fieldCodeSchema, message: Type.String() }),
    ),
    ({ reasons, describe }) =>
      Object.entries(describe(reasons)).flatMap(([field, complaints]) =>
        complaints.map(({ code, message }) => ({ field, code, message })),
      ),
  ],
});

export const quoted = described<QuoteSource>()({
  quote_id: [
    Type.String({ description: 'Para o campo quoteId da venda' }),
    ({ quoteId }) => quoteId,
  ],
  valid_until: [
    Type.String({ description: '24 horas, mas não além do último dia da alíquota de IOF' }),
    ({ until }) => until,
  ],
  offers: [
    Type.Array(offer.schema, { description: 'Uma por plano que se pode vender' }),
    ({ offers }) => offers.map(offer.present),
  ],
  not_offered: [
    Type.Array(notOffered.schema, { description: 'Os demais planos, e por quê' }),
    ({ notOffered: plans, describe }) =>
      plans.map((each) => notOffered.present({ ...each, describe })),
  ],
});

export const quoteAnswer = namedObject('Quote', {
  success: Type.Literal(true),
  data: quoted.schema,
});
