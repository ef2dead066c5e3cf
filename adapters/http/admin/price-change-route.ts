import Type from 'typebox';
import {
  addMonths,
  type CalendarDate,
  type Cents,
  cents,
  centsFromText,
  type Quote,
} from '#domain';
import { PRICE_CHANGE_CAUSES } from '../../../application/catalogue/compare-prices.ts';
import {
  type ListPriceChanges,
  type PriceChange,
  placeOfPriceChange,
} from '../../../application/catalogue/list-price-changes.ts';
import type { Clock } from '../../../application/clock.ts';
import { listAnswerSchema } from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { date, isText, moneyText, text } from '../../kit/contract/formats.ts';
import { answerList, listQuerySchema } from '../../kit/web/pipeline/list-answers.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';
import { figures } from '../sales/sale-answer-parts.ts';

export interface PriceChangeRouteParts {
  readonly listPriceChanges: ListPriceChanges;
  readonly clock: Clock;
}

const SAMPLE_PRICE = cents(100_00);

const SAMPLE_INSURED_AMOUNT = cents(1_000_00);

const changesQuery = listQuerySchema({
  from: Type.Optional(date({ description: 'Primeiro dia. Ausente: hoje' })),
  to: Type.Optional(date({ description: 'Último dia. Ausente: doze meses depois de from' })),
  price: Type.Optional(
    moneyText({ description: 'Preço dos planos que o canal declara. Padrão: 100.00' }),
  ),
  insuredAmount: Type.Optional(
    moneyText({ description: 'Valor segurado dos planos por taxa. Padrão: 1000.00' }),
  ),
  channelLink: Type.Optional(text(100, { description: 'Só este canal' })),
  product: Type.Optional(text(100, { description: 'Só o produto com este código' })),
});

/** A growth in percent, to two decimals; null without both amounts. */
const growthOf = (
  { before, after }: PriceChange,
  amountOf: (quote: Quote) => Cents,
): number | null => {
  if (before === undefined || after === undefined) return null;
  const base = amountOf(before);
  return base === 0 ? null : Math.round(((amountOf(after) - base) / base) * 10_000) / 100;
};

const growth = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}, em por cento` });

const quoted = (description: string) => Type.Union([figures.schema, Type.Null()], { description });

const change = described<PriceChange>('PriceChange')({
  day: [Type.String({ format: 'date' }), ({ day }) => day],
  channelLink: [Type.String(), ({ channelLink }) => channelLink],
  product: [Type.String(), ({ product }) => product],
  plan: [Type.String(), ({ plan }) => plan],
  causes: [
    Type.Array(Type.Enum(PRICE_CHANGE_CAUSES), {
      description:
        'O que começa no dia: outra alíquota de IOF, outra versão do produto ou do canal',
    }),
    ({ causes }) => causes,
  ],
  before: [
    quoted('Na véspera; nulo se o canal ainda não vende o plano'),
    ({ before }) => (before ? figures.present(before) : null),
  ],
  after: [
    quoted('No dia; nulo se o canal deixa de vender o plano'),
    ({ after }) => (after ? figures.present(after) : null),
  ],
  net_premium_change: [
    growth('Aumento do prêmio líquido'),
    (row) => growthOf(row, ({ premium }) => premium.net),
  ],
  commission_change: [
    growth('Aumento da comissão'),
    (row) => growthOf(row, ({ commission }) => commission.amount),
  ],
});

export const createPriceChangeRoute = ({
  listPriceChanges,
  clock,
}: PriceChangeRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/catalogue/changes',
    operationId: 'listPriceChanges',
    summary: 'Lista o que muda no preço e na comissão, por dia, canal e plano',
    description:
      'Compara cada plano, sem coberturas adicionais, na véspera e no dia em que começa outra alíquota de IOF ou outra versão do produto ou do canal. O preço que o canal declara fica o mesmo: em um produto gross, o fim do IOF em 2027-01-01 aumenta o prêmio líquido e a comissão; em um net, diminui o total. Siga next_cursor até que seja nulo.',
    query: changesQuery,
    answers: { 200: { description: 'Uma página', schema: listAnswerSchema(change.schema) } },
    handle: answerList(changesQuery, {
      read: ({ query, ...page }) => {
        const { price, insuredAmount, channelLink, product } = query;
        const from = (query.from as CalendarDate | undefined) ?? clock.today();
        const to = (query.to as CalendarDate | undefined) ?? addMonths(from, 12);
        const sample = {
          price: amountIn(price) ?? SAMPLE_PRICE,
          insuredAmount: amountIn(insuredAmount) ?? SAMPLE_INSURED_AMOUNT,
        };
        return listPriceChanges({ from, to, ...sample, channelLink, product }, page);
      },
      placeOfItem: placeOfPriceChange,
      isPlace: isText,
      present: change.present,
    }),
  },
];

const amountIn = (given: string | undefined): Cents | undefined =>
  given === undefined ? undefined : centsFromText(given);
