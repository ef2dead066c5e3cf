import Type, { type Static } from 'typebox';
import type { Sale } from '#domain';
import { faultyFieldsError } from '../../contract/answer-error.ts';
import { faultAt } from '../../contract/field-faults.ts';
import { nullableText } from '../../contract/formats.ts';
import { channelTextsShape } from '../../sales/channel-texts.ts';
import {
  explainRefused,
  figuresShape,
  namedShape,
  paymentUrlOf,
  periodShape,
  policyNumberOf,
  presentPeriod,
  presentTerms,
  saleStatusShape,
} from '../../sales/sale-answer-parts.ts';

export const saleData = Type.Object(
  {
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    external_sale_id: nullableText('O nome da venda no canal; nulo se não foi enviado'),
    ...channelTextsShape,
    status: saleStatusShape,
    product: namedShape,
    plan: namedShape,
    amounts: figuresShape,
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
