import Type, { type Static } from 'typebox';
import { formatPercent, formatReais, type Price, type Quote } from '#domain';
import type { PlanNotOffered, PricedOffer } from '../../../application/selling/price-plans.ts';
import type { QuotePrices } from '../../../application/selling/quote-prices.ts';
import { fieldCodeSchema } from '../../kit/contract/answer-shapes.ts';
import type { FieldFaults } from '../../kit/contract/field-faults.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { figuresShape, periodShape, presentFigures } from '../sales/sale-answer-parts.ts';

const named = Type.Object({ id: Type.Integer(), code: Type.String(), name: Type.String() });

const line = namedObject('PriceLine', { text: Type.String(), amount: reaisShape() });

const offerShape = namedObject('QuoteOffer', {
  plan: named,
  amounts: figuresShape,
  coverages: Type.Array(Type.Object({ ...named.properties, amount: reaisShape() }), {
    description: 'As adicionais pedidas, cada uma com o seu preço',
  }),
  vigencia: Type.Union([
    periodShape,
    Type.Null({ description: 'Falta um dado, como a data do evento' }),
  ]),
  installments: Type.Array(
    Type.Object({ count: Type.Integer(), first: reaisShape(), other: reaisShape() }),
    { description: 'As formas de parcelar, se o serviço cobrar' },
  ),
  explanation: Type.Array(line, { description: 'Como o preço foi calculado, para mostrar' }),
});

const notOfferedShape = namedObject('PlanNotOffered', {
  plan: named,
  reasons: Type.Array(
    Type.Object({ field: Type.String(), code: fieldCodeSchema, message: Type.String() }),
  ),
});

export const quoteAnswer = namedObject('Quote', {
  success: Type.Literal(true),
  data: Type.Object({
    quote_id: Type.String({ description: 'Para o campo quoteId da venda' }),
    valid_until: Type.String({
      description: '24 horas, mas não além do último dia da alíquota de IOF',
    }),
    offers: Type.Array(offerShape, { description: 'Uma por plano que se pode vender' }),
    not_offered: Type.Array(notOfferedShape, { description: 'Os demais planos, e por quê' }),
  }),
});

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

const nameOf = ({ id, code, name }: Static<typeof named>) => ({ id, code, name });

const presentOffer = (priced: PricedOffer): Static<typeof offerShape> => {
  const { offer, quote, period, installments } = priced;
  return {
    plan: nameOf(offer.plan),
    amounts: presentFigures(quote),
    coverages: offer.coverages.map((each, index) => ({
      ...nameOf(each),
      amount: inReais((quote.prices[index + 1] as Price).amount),
    })),
    vigencia: period === undefined ? null : { inicio: period.start, fim: period.end },
    installments: installments.map(({ count, first, other }) => ({
      count,
      first: inReais(first),
      other: inReais(other),
    })),
    explanation: explain(quote),
  };
};

type Quoted = Extract<Awaited<ReturnType<QuotePrices>>, { readonly kind: 'quoted' }>;

/** @param describe the reasons as complaints about fields */
export const presentQuote = (
  { quoteId, until, offers, notOffered }: Quoted,
  describe: (reasons: PlanNotOffered['reasons']) => FieldFaults,
): Static<typeof quoteAnswer> => ({
  success: true,
  data: {
    quote_id: quoteId,
    valid_until: until,
    offers: offers.map(presentOffer),
    not_offered: notOffered.map(({ plan, reasons }) => ({
      plan: nameOf(plan),
      reasons: Object.entries(describe(reasons)).flatMap(([field, complaints]) =>
        complaints.map(({ code, message }) => ({ field, code, message })),
      ),
    })),
  },
});
