import Type from 'typebox';
import {
  type BookDifference,
  type ComparisonSums,
  type CountedTotal,
  DIFFERENCE_KINDS,
  formatDecimal,
  formatReais,
  type KnownSale,
  type ListedSale,
  type MissingReason,
} from '#domain';
import type { Reconciliation } from '../../../application/statements/reconcile-books.ts';
import { described } from '../../kit/contract/described.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { channelTexts } from '../sales/channel-texts.ts';
import { saleStatusShape } from '../sales/sale-answer-parts.ts';

const MISSING_REASONS = [
  'unknown',
  'not_paid',
  'other_period',
  'repeated',
] as const satisfies readonly MissingReason[];

/** What is different, and what to do about it. */
const explain = (each: BookDifference): string => {
  switch (each.kind) {
    case 'missing_there':
      // The list may have broken off: then it lacks sales that must not be cancelled.
      return 'A venda está no extrato e não na sua lista. Procure o pedido dela antes de mudar qualquer coisa.';
    case 'amount_differs':
      return `O total é ${formatReais(each.known.total)} no extrato e ${formatReais(each.listed.total)} na sua lista.`;
    case 'status_differs':
      return `O status é ${each.known.status} aqui e ${each.listed.status} na sua lista.`;
    case 'missing_here':
      return explainMissing(each);
  }
};

const explainMissing = ({
  reason,
  known,
  firstLine,
}: Extract<BookDifference, { readonly kind: 'missing_here' }>): string => {
  switch (reason) {
    case 'unknown':
      return (
        'Nenhuma venda tem este externalSaleId ou ticket. Procure o pedido por idempotency_key na ' +
        'lista de vendas: se estiver lá, indique o ticket; senão, registre-o com o mesmo nome, no ' +
        'mesmo campo.'
      );
    case 'not_paid':
      return `A venda não foi paga e não está no extrato: o status é ${known?.status}.`;
    case 'other_period':
      return `A venda está no extrato de ${known?.bookedOn}, fora deste período.`;
    case 'repeated':
      return `A mesma venda já está na linha ${firstLine} da sua lista.`;
  }
};

const here = described<KnownSale>(
  'OwnSale',
  'A venda como nós a temos',
)({
  transaction_id: [Type.Integer(), ({ id }) => id],
  ticket: [Type.String(), ({ ticket }) => ticket],
  external_sale_id: [
    nullableText('Nulo em vendas feitas por outros endereços'),
    ({ externalSaleId }) => externalSaleId ?? null,
  ],
  ...channelTexts.fields,
  total: [reaisShape({ description: 'Como vendida, com IOF' }), ({ total }) => inReais(total)],
  status: [saleStatusShape, ({ status }) => status],
  booked_on: [
    nullableText('O dia da venda no extrato; nulo se nunca foi paga'),
    ({ bookedOn }) => bookedOn ?? null,
  ],
});

const there = described<ListedSale>(
  'ListedSaleFound',
  'A venda na lista do canal',
)({
  line: [Type.Integer({ description: 'A linha na lista, a partir de 1' }), ({ line }) => line],
  total: [reaisShape(), ({ total }) => inReais(total)],
  status: [nullable(saleStatusShape), ({ status }) => status ?? null],
});

const listedOf = (each: BookDifference) => ('listed' in each ? each.listed : undefined);

const difference = described<BookDifference>('BookDifference')({
  kind: [Type.Enum(DIFFERENCE_KINDS), ({ kind }) => kind],
  name: [
    Type.String({ description: 'O nome na lista ou, em missing_there, o nosso' }),
    (each) => listedOf(each)?.name ?? each.known?.externalSaleId ?? (each.known?.ticket as string),
  ],
  reason: [
    Type.Union([Type.Enum(MISSING_REASONS), Type.Null()], {
      description:
        'Em missing_here: unknown nenhuma venda tem este externalSaleId ou ticket; not_paid ela não ' +
        'foi paga; other_period está no extrato de outro dia; repeated outra linha da lista já é a ' +
        'venda',
    }),
    (each) => (each.kind === 'missing_here' ? each.reason : null),
  ],
  here: [nullable(here.schema), ({ known }) => (known ? here.present(known) : null)],
  there: [
    nullable(there.schema),
    (each) => {
      const listed = listedOf(each);
      return listed ? there.present(listed) : null;
    },
  ],
  message: [Type.String({ description: 'O que há de diferente e o que fazer' }), explain],
});

const lineSums = (description: string) =>
  Type.Object({ lines: Type.Integer(), total: Type.Number() }, { title: 'LineSums', description });

const differenceSums = namedObject('DifferenceSums', {
  count: Type.Integer(),
  total: Type.Number(),
});

export const reconciliationShape = namedObject('Reconciliation', {
  channelLink: Type.String(),
  from: Type.String(),
  to: Type.String(),
  final: Type.Boolean({ description: 'false: o extrato do período ainda pode receber vendas' }),
  differences: Type.Array(difference.schema),
  summary: Type.Object({
    statement: Type.Object({
      sales: lineSums('As vendas do extrato do período'),
      refunds: lineSums('As devoluções do extrato do período'),
    }),
    list: lineSums('As linhas da lista, sem as de unpaid'),
    unpaid: lineSums('As linhas que dizem que a venda não foi paga'),
    differences: Type.Object(
      {
        missing_here: differenceSums,
        missing_there: differenceSums,
        amount_differs: differenceSums,
        status_differs: differenceSums,
      },
      { description: 'Em amount_differs, total é o que a lista tem a mais' },
    ),
    difference: Type.Number({
      description:
        'list.total − statement.sales.total = missing_here − missing_there + amount_differs',
    }),
  }),
});

/** Sums are bigint, which JSON.stringify does not write. */
const writeSums = (name: 'lines' | 'count', { count, total }: CountedTotal): string =>
  `{"${name}":${count},"total":${formatDecimal(total)}}`;

const writeSummary = ({ here, refunds, there, unpaid, differences }: ComparisonSums): string => {
  const kinds = DIFFERENCE_KINDS.map(
    (kind) => `"${kind}":${writeSums('count', differences[kind])}`,
  );
  return (
    `{"statement":{"sales":${writeSums('lines', here)},"refunds":${writeSums('lines', refunds)}},` +
    `"list":${writeSums('lines', there)},"unpaid":${writeSums('lines', unpaid)},` +
    `"differences":{${kinds.join()}},"difference":${formatDecimal(there.total - here.total)}}`
  );
};

interface ReconciliationHead {
  readonly channelLink: string;
  readonly from: string;
  readonly to: string;
}

/** Writes a reconciliation as lines of JSON: each difference, at last the summary. */
export async function* writeReconciliationLines(
  head: ReconciliationHead,
  { differences, sums, isFinal }: Reconciliation,
): AsyncIterable<string> {
  for await (const each of differences) yield `${JSON.stringify(difference.present(each))}\n`;
  const closing = JSON.stringify({ ...head, final: isFinal }).slice(0, -1);
  yield `${closing},"summary":${writeSummary(sums())}}\n`;
}

/**
 * Writes a reconciliation as JSON, difference by difference. An answer that does not reach the
 * summary is incomplete.
 */
export async function* writeReconciliation(
  head: ReconciliationHead,
  { differences, sums, isFinal }: Reconciliation,
): AsyncIterable<string> {
  const opening = JSON.stringify({ ...head, final: isFinal }).slice(0, -1);
  yield `{"success":true,"data":${opening},"differences":[`;
  let separator = '';
  for await (const each of differences) {
    yield `${separator}${JSON.stringify(difference.present(each))}`;
    separator = ',';
  }
  yield `],"summary":${writeSummary(sums())}}}`;
}
