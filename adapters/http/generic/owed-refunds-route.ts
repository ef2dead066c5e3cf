import Type from 'typebox';
import {
  addDays,
  type EndedByCancellation,
  findLegalPeriod,
  parseInstant,
  protocolOf,
  refundPending,
  type Sale,
} from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import { described } from '../../kit/contract/described.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { callerOf } from '../../kit/web/pipeline/context.ts';
import {
  answerList,
  isSerialNumber,
  listQuerySchema,
} from '../../kit/web/pipeline/list-answers.ts';
import { BY_PARTNER } from '../oauth/partner-access.ts';
import type { Route } from '../routes/route.ts';
import { nameEndReason } from '../sales/sale-answer-parts.ts';

interface Parts {
  readonly sales: Sales;
  readonly clock: Clock;
}

interface OwedSource {
  readonly sale: EndedByCancellation;
  readonly clock: Clock;
}

const owed = described<OwedSource>('OwedRefund')({
  transaction_id: [Type.Integer(), ({ sale }) => sale.id],
  ticket: [Type.String(), ({ sale }) => sale.ticket],
  external_sale_id: [nullableText(), ({ sale }) => sale.terms.externalSaleId ?? null],
  insured_name: [
    Type.String({ description: 'A quem se deve' }),
    ({ sale }) => sale.terms.insured.socialName ?? sale.terms.insured.name,
  ],
  amount: [
    reaisShape({ description: 'O que o canal ainda deve devolver' }),
    ({ sale }) => inReais(refundPending(sale)),
  ],
  protocol: [Type.String(), ({ sale }) => protocolOf(sale) as string],
  reason: [
    Type.String({ description: 'O mesmo de cancellation.reason' }),
    ({ sale: { cancellation } }) =>
      cancellation.stated?.reason ?? nameEndReason(cancellation.reason),
  ],
  by: [Type.Enum(['insured', 'insurer']), ({ sale }) => sale.cancellation.by],
  cancelled_at: [Type.String(), ({ sale }) => sale.cancelledAt],
  confirm_by: [
    Type.String({ format: 'date', description: 'Depois deste dia o operador recebe um alerta' }),
    ({ sale, clock }) => {
      const { days } = findLegalPeriod('refund', sale.terms.soldOn);
      return addDays(clock.dayOf(sale.cancelledAt), days);
    },
  ],
});

const owedQuery = listQuerySchema({});

/** A cursor: the moment of a cancellation, and the number of its sale. */
const placeOf = ({ id, cancelledAt }: EndedByCancellation): string => `${cancelledAt} ${id}`;

const partsOf = (place: string) => {
  const [at = '', id = ''] = place.split(' ');
  const cancelledAt = parseInstant(at);
  return cancelledAt && isSerialNumber(id) ? { cancelledAt, id: Number(id) } : undefined;
};

export const createOwedRefundsRoute = ({ sales, clock }: Parts): Route => ({
  ...BY_PARTNER,
  method: 'get',
  path: '/private/integration/refunds-owed',
  operationId: 'listOwedRefunds',
  summary: 'Lista o que o canal deve devolver hoje, e a quem, a partir do cancelamento mais antigo',
  description:
    'As vendas canceladas cujo dinheiro o canal recebeu, por quem quer que tenham sido canceladas. Devolva, e confirme com …/refund-confirmed: a venda sai da lista. Siga next_cursor até que seja nulo.',
  query: owedQuery,
  answers: {
    200: {
      description: 'Uma página',
      schema: namedObject('OwedRefundList', {
        success: Type.Literal(true),
        data: Type.Array(owed.schema),
        next_cursor: nullableText('Nulo na última página'),
      }),
    },
  },
  handle: answerList(owedQuery, {
    read: async ({ limit, after }, ctx) => {
      const { channelLink } = callerOf(ctx);
      if (channelLink === null) return [];
      return sales.owedBy({ channelLink, limit, after: partsOf(after ?? '') });
    },
    placeOfItem: (sale: Sale) => placeOf(sale as EndedByCancellation),
    isPlace: (text) => partsOf(text) !== undefined,
    present: (sale: Sale) => owed.present({ sale: sale as EndedByCancellation, clock }),
    wrap: (page) => ({ success: true, ...page }),
  }),
});
