import Type, { type Static } from 'typebox';
import { type Quote, type Sale, type SaleTerms, sumCommissionRates } from '#domain';
import { faultyFieldsError } from '../../contract/answer-error.ts';
import { faultAt } from '../../contract/field-faults.ts';
import { nullableText } from '../../contract/formats.ts';
import { inPercent, inReais, percentShape, reaisShape } from '../../contract/units.ts';
import { channelTextsShape, presentChannelTexts } from '../../sales/channel-texts.ts';
import {
  explainRefused,
  namedShape,
  paymentUrlOf,
  periodShape,
  policyNumberOf,
  presentPeriod,
  saleStatusShape,
} from '../../sales/sale-answer-parts.ts';

export const amounts = Type.Object(
  {
    net_premium: reaisShape(),
    iof_rate: percentShape({ description: 'Em por cento' }),
    iof: reaisShape(),
    total: reaisShape({ description: 'O que o segurado paga' }),
    commission_rate: percentShape({ description: 'Em por cento do prêmio líquido' }),
    commission: reaisShape(),
    net_amount: reaisShape({ description: 'total − commission: o que o canal deve ao serviço' }),
  },
  { title: 'SaleAmounts', description: 'Em reais, congelados na venda' },
);

export const saleData = Type.Object(
  {
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    external_sale_id: nullableText('O nome da venda no canal; nulo se não foi enviado'),
    ...channelTextsShape,
    status: saleStatusShape,
    product: namedShape,
    plan: namedShape,
    amounts,
    vigencia: periodShape,
    payment_url: nullableText('Onde o segurado paga, enquanto couber'),
    policy_no: nullableText('Nulo até a emissão'),
    registered_at: Type.String(),
  },
  { title: 'SoldSale' },
);

export const soldAnswer = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    data: saleData,
  },
  { title: 'CreatedSale' },
);

export const presentFigures = ({ premium, commission }: Quote): Static<typeof amounts> => ({
  net_premium: inReais(premium.net),
  iof_rate: inPercent(premium.iofRate),
  iof: inReais(premium.iof),
  total: inReais(premium.total),
  commission_rate: inPercent(sumCommissionRates(commission)),
  commission: inReais(commission.amount),
  net_amount: inReais(commission.netAmount),
});

export const presentTerms = (terms: SaleTerms) => {
  const { externalSaleId, product, plan, quote, period } = terms;
  return {
    external_sale_id: externalSaleId ?? null,
    ...presentChannelTexts(terms),
    product: { id: product.id, code: product.code },
    plan: { id: plan.id, code: plan.code },
    amounts: presentFigures(quote),
    vigencia: { inicio: period.start, fim: period.end },
  };
};

/** A sale as its registration is answered. */
export const presentData = (sale: Sale): Static<typeof saleData> => {
  const { external_sale_id, ...terms } = presentTerms(sale.terms);
  return {
    transaction_id: sale.id,
    ticket: sale.ticket,
    external_sale_id,
    status: sale.status,
    ...terms,
    vigencia: presentPeriod(sale),
    payment_url: paymentUrlOf(sale),
    policy_no: policyNumberOf(sale),
    registered_at: sale.registeredAt,
  };
};

const MESSAGES: Partial<Record<Sale['status'], string>> = {
  pending: 'Venda registrada; o pagamento está em processamento.',
  awaiting_payment: 'Venda registrada; aguardando o pagamento em payment_url.',
};

/** @throws AnswerError if the gateway refused the charge. The sale stays stored as refused. */
export const presentSold = (sale: Sale): Static<typeof soldAnswer> => {
  if (sale.status === 'refused') {
    const { code, text } = explainRefused(sale);
    const error = `Pagamento não realizado: ${text}.`;
    const faults = faultAt('payment', 'refused', error);
    throw faultyFieldsError(422, code, error, faults, {
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
