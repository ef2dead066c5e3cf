import Type from 'typebox';
import { percent, reais, type Sale } from '#domain';

const figures = Type.Object({
  valor_premio: Type.Number(),
  percentual_iof: Type.Number({ description: 'Em por cento' }),
  valor_iof: Type.Number(),
  valor_total: Type.Number({ description: 'Prêmio mais IOF' }),
});

export const createdSale = Type.Object({
  message: Type.String(),
  data: Type.Object({
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    status: Type.Literal('paid'),
    pagamento_externo: Type.Boolean(),
    vigencia: Type.Object({
      inicio: Type.String({ format: 'date' }),
      fim: Type.String({ format: 'date' }),
    }),
    calculo_iof: figures,
  }),
});

/** A ticket sale is registered after it was paid to the channel. */
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
        valor_premio: reais(premium.net),
        percentual_iof: percent(premium.iofRate),
        valor_iof: reais(premium.iof),
        valor_total: reais(premium.total),
      },
    },
  };
};

const STATUSES = [
  'pending',
  'awaiting_payment',
  'paid',
  'refused',
  'expired',
  'cancelled',
] as const;

/** A partner does not tell an issued ticket sale from a paid one, nor a refunded one from a cancelled one. */
const STATUS: Readonly<Record<Sale['status'], (typeof STATUSES)[number]>> = {
  pending: 'pending',
  awaiting_payment: 'awaiting_payment',
  paid: 'paid',
  issued: 'paid',
  refused: 'refused',
  expired: 'expired',
  cancelled: 'cancelled',
  refunded: 'cancelled',
};

export const saleStatus = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({ transaction_id: Type.Integer(), status: Type.Enum(STATUSES) }),
});

export const presentStatus = ({ id, status }: Sale): Type.Static<typeof saleStatus> => ({
  success: true,
  data: { transaction_id: id, status: STATUS[status] },
});
