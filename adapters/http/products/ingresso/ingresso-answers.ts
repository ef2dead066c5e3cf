import Type from 'typebox';
import type { Sale } from '#domain';
import { given } from '../../../../application/sales/sale-request.ts';
import type { SaleStatus } from '../../../../application/sales/sales.ts';
import { namedObject } from '../../../kit/contract/named-object.ts';
import { inPercent, inReais, percentShape, reaisShape } from '../../../kit/contract/units.ts';
import { namesShape, periodShape, protocolShape } from '../../sales/sale-answer-parts.ts';

const taxShape = Type.Object({
  valor_premio: reaisShape(),
  percentual_iof: percentShape({ description: 'Em por cento' }),
  valor_iof: reaisShape(),
  valor_total: reaisShape({ description: 'Prêmio mais IOF' }),
});

export const createdSale = namedObject('CreatedIngressoSale', {
  message: Type.String(),
  data: Type.Object({
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    status: Type.Literal('paid'),
    pagamento_externo: Type.Boolean(),
    vigencia: periodShape,
    calculo_iof: taxShape,
  }),
});

/** The status is always `paid`: the insured pays the channel before the sale is registered. */
export const presentCreated = ({ id, ticket, terms }: Sale): Type.Static<typeof createdSale> => {
  const { premium } = terms.quote;
  return {
    message: 'Venda registrada com sucesso.',
    data: {
      transaction_id: id,
      ticket,
      status: 'paid',
      pagamento_externo: true,
      vigencia: { inicio: terms.period.start, fim: terms.period.end },
      calculo_iof: {
        valor_premio: inReais(premium.net),
        percentual_iof: inPercent(premium.iofRate),
        valor_iof: inReais(premium.iof),
        valor_total: inReais(premium.total),
      },
    },
  };
};

/** Partners see `issued` as `paid`, and `refunded` as `cancelled`. */
const STATUS = {
  pending: 'pending',
  awaiting_payment: 'awaiting_payment',
  paid: 'paid',
  issued: 'paid',
  refused: 'refused',
  expired: 'expired',
  cancelled: 'cancelled',
  refunded: 'cancelled',
} as const satisfies Record<Sale['status'], Sale['status']>;

export const saleStatus = namedObject('IngressoStatus', {
  success: Type.Boolean(),
  data: Type.Object({
    transaction_id: Type.Integer(),
    status: Type.Enum([...new Set(Object.values(STATUS))]),
    ...Type.Partial(Type.Object(namesShape)).properties,
    ...protocolShape,
  }),
});

export const presentStatus = (sale: SaleStatus): Type.Static<typeof saleStatus> => ({
  success: true,
  data: {
    transaction_id: sale.id,
    status: STATUS[sale.status],
    // The specification names two fields: others are there only if they say something.
    ...given({
      external_sale_id: sale.externalSaleId,
      idempotency_key: sale.idempotencyKey,
      protocol: sale.protocol,
    }),
  },
});
