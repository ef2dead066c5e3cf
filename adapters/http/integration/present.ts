import Type, { type Static } from 'typebox';
import {
  percent,
  reais,
  SALE_STATUSES,
  type Sale,
  type SaleTerms,
  sumCommissionRates,
} from '#domain';
import { refused } from '../answers.ts';
import { houseErrorSchema } from '../error-schemas.ts';
import { nullable } from '../formats.ts';
import { paymentUrl, policyNumber, reasonOf, vigencia } from '../sales/words.ts';

const named = Type.Object({ id: Type.Integer(), code: Type.String() });

const amounts = Type.Object(
  {
    net_premium: Type.Number(),
    iof_rate: Type.Number({ description: 'Em por cento' }),
    iof: Type.Number(),
    total: Type.Number({ description: 'O que o segurado paga' }),
    commission_rate: Type.Number({ description: 'Em por cento do prêmio líquido' }),
    commission: Type.Number(),
    net_amount: Type.Number({ description: 'total − commission: o que o canal deve ao serviço' }),
  },
  { description: 'Em reais, congelados na venda' },
);

export const saleData = Type.Object({
  transaction_id: Type.Integer(),
  ticket: Type.String(),
  external_sale_id: nullable('Nulo em vendas feitas por outros endereços'),
  status: Type.Enum(SALE_STATUSES),
  product: named,
  plan: named,
  amounts,
  vigencia: Type.Object({ inicio: Type.String(), fim: Type.String() }),
  payment_url: nullable('Onde o segurado paga, enquanto couber'),
  policy_no: nullable('Nulo até a emissão'),
  registered_at: Type.String(),
});

export const soldAnswer = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: saleData,
});

/** The link is not of the data: these are the same as when the sale was registered, as long as it stands as it did. */
export const saleAnswer = Type.Object({
  success: Type.Literal(true),
  data: saleData,
  document_url: nullable(
    'O bilhete ou a apólice em PDF, por um tempo; nulo enquanto não há contrato em vigor',
  ),
});

/** A refused sale has a number and a ticket, and its externalSaleId is used up. */
export const refusedSale = Type.Object({
  ...houseErrorSchema.properties,
  transaction_id: Type.Optional(Type.Integer()),
  ticket: Type.Optional(Type.String()),
});

const termsOf = ({ externalSaleId, product, plan, quote, period }: SaleTerms) => {
  const { premium, commission } = quote;
  return {
    external_sale_id: externalSaleId ?? null,
    product: { id: product.id, code: product.code },
    plan: { id: plan.id, code: plan.code },
    amounts: {
      net_premium: reais(premium.net),
      iof_rate: percent(premium.iofRate),
      iof: reais(premium.iof),
      total: reais(premium.total),
      commission_rate: percent(sumCommissionRates(commission)),
      commission: reais(commission.amount),
      net_amount: reais(commission.netAmount),
    },
    vigencia: { inicio: period.start, fim: period.end },
  };
};

export const presentData = (sale: Sale): Static<typeof saleData> => {
  const { external_sale_id, ...terms } = termsOf(sale.terms);
  return {
    ...{
      transaction_id: sale.id,
      ticket: sale.ticket,
      external_sale_id,
      status: sale.status,
      ...terms,
    },
    ...{ vigencia: vigencia(sale), payment_url: paymentUrl(sale), policy_no: policyNumber(sale) },
    registered_at: sale.registeredAt,
  };
};

const MESSAGES: Partial<Record<Sale['status'], string>> = {
  pending: 'Venda registrada; o pagamento está em processamento.',
  awaiting_payment: 'Venda registrada; aguardando o pagamento em payment_url.',
};

/** @throws Refused where the gateway would take no payment: the transaction stays, as refused. */
export const presentSold = (sale: Sale): Static<typeof soldAnswer> => {
  if (sale.status === 'refused') {
    const error = `Pagamento não realizado: ${reasonOf(sale)}.`;
    throw refused(422, error, {
      errors: { payment: [error] },
      transaction_id: sale.id,
      ticket: sale.ticket,
    });
  }
  return {
    success: true,
    message: MESSAGES[sale.status] ?? 'Venda registrada com sucesso.',
    data: presentData(sale),
  };
};

/** What registering would give: the figures, and nothing that only a sale has. */
export const validSale = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    ...saleData.properties,
    transaction_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Nulo, se a venda ainda não foi registrada',
    }),
    ...{ ticket: nullable(), status: nullable(), registered_at: nullable() },
  }),
});

export const presentValid = (terms: SaleTerms): Static<typeof validSale> => ({
  success: true,
  message: 'Venda válida; nada foi gravado.',
  data: {
    ...{ transaction_id: null, ticket: null, status: null, ...termsOf(terms) },
    ...{ payment_url: null, policy_no: null, registered_at: null },
  },
});
