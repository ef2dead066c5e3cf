import Type from 'typebox';
import type { Premium, Sale } from '#domain';
import type { SaleStatus } from '../../../../application/sales/sales.ts';
import { described } from '../../../kit/contract/described.ts';
import { namedObject } from '../../../kit/contract/named-object.ts';
import { inPercent, inReais, percentShape, reaisShape } from '../../../kit/contract/units.ts';
import { givenNames, period, protocol } from '../../sales/sale-answer-parts.ts';

const tax = described<Premium>()({
  valor_premio: [reaisShape(), ({ net }) => inReais(net)],
  percentual_iof: [
    percentShape({ description: 'Em por cento' }),
    ({ iofRate }) => inPercent(iofRate),
  ],
  valor_iof: [reaisShape(), ({ iof }) => inReais(iof)],
  valor_total: [reaisShape({ description: 'Prêmio mais IOF' }), ({ total }) => inReais(total)],
});

const created = described<Sale>()({
  transaction_id: [Type.Integer(), ({ id }) => id],
  ticket: [Type.String(), ({ ticket }) => ticket],
  // The insured pays the channel before the sale is registered.
  status: [Type.Literal('paid'), () => 'paid' as const],
  pagamento_externo: [Type.Boolean(), () => true],
  vigencia: [period.schema, ({ terms }) => period.present(terms.period)],
  calculo_iof: [tax.schema, ({ terms }) => tax.present(terms.quote.premium)],
});

export const createdSale = namedObject('CreatedIngressoSale', {
  message: Type.String(),
  data: created.schema,
});

export const presentCreated = (sale: Sale): Type.Static<typeof createdSale> => ({
  message: 'Venda registrada com sucesso.',
  data: created.present(sale),
});

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

const status = described<SaleStatus>()({
  transaction_id: [Type.Integer(), ({ id }) => id],
  status: [Type.Enum([...new Set(Object.values(STATUS))]), (sale) => STATUS[sale.status]],
  // The specification names two fields: others are there only if they say something.
  external_sale_id: [
    Type.Optional(givenNames.external_sale_id[0]),
    ({ externalSaleId }) => externalSaleId,
  ],
  idempotency_key: [
    Type.Optional(givenNames.idempotency_key[0]),
    ({ idempotencyKey }) => idempotencyKey,
  ],
  protocol: [protocol.protocol[0], (sale) => sale.protocol],
});

export const saleStatus = namedObject('IngressoStatus', {
  success: Type.Boolean(),
  data: status.schema,
});

export const presentStatus = (sale: SaleStatus): Type.Static<typeof saleStatus> => ({
  success: true,
  data: status.present(sale),
});
