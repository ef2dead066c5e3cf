import Type, { type Static } from 'typebox';
import type { Sale } from '#domain';
import { isByCard } from '../../../../application/payments/payments.ts';
import { type Faults, Refused } from '../../contract/answer-error.ts';
import { fieldFaultsSchema } from '../../contract/answer-shapes.ts';
import { nullable } from '../../contract/formats.ts';
import { REFUSAL_ANSWERS } from '../../sales/sale-refusals.ts';
import {
  amountsOf,
  amountsShape,
  PAYMENT_STATUSES,
  paymentStatus,
  paymentUrl,
  policyNumber,
  reasonOf,
  statusId,
  vigencia,
} from '../../sales/sale-answer-parts.ts';

const figures = {
  policy_no: nullable('Nulo até a emissão'),
  amounts: amountsShape,
};

const figuresOf = (sale: Sale) => ({
  policy_no: policyNumber(sale),
  amounts: amountsOf(sale.terms.quote.premium),
});

export const createdPhoneSale = Type.Object({
  message: Type.String(),
  link: nullable('Página de pagamento; nulo quando um cartão foi enviado'),
  data: Type.Object({
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    status: Type.String(),
    ...figures,
  }),
});

export const phoneErrorSchema = Type.Object({
  error: Type.String(),
  errors: Type.Optional(fieldFaultsSchema),
  transaction_id: Type.Optional(Type.Integer()),
  ticket: Type.Optional(Type.String()),
});

/** A sale date in the future, and nothing else, has a shape of its own. */
export const phoneFaults = (errors: Faults): Refused => {
  const [[field, messages = []] = ['', []], ...others] = Object.entries(errors);
  const error = messages[0] ?? 'Requisição inválida.';
  const isDateOnly =
    field === 'saleDate' && others.length === 0 && error === REFUSAL_ANSWERS.sold_in_future.message;
  return new Refused(422, isDateOnly ? { error } : { error, errors });
};

const MESSAGES: Partial<Record<Sale['status'], string>> = {
  pending: 'Venda registrada; o pagamento está em processamento.',
  awaiting_payment: 'Venda registrada; aguardando o pagamento no link.',
  paid: 'Venda registrada e paga; a apólice está em emissão.',
  issued: 'Venda registrada, paga e apólice emitida.',
};

/** @throws Refused where the card was declined: the transaction stays, as refused. */
export const presentPhoneSale = (sale: Sale): Static<typeof createdPhoneSale> => {
  const { id, ticket, status } = sale;
  if (sale.status === 'refused') {
    const error = `Pagamento não realizado: ${reasonOf(sale)}.`;
    const field = isByCard(sale) ? 'creditCard' : 'payment';
    throw new Refused(422, { error, errors: { [field]: [error] }, transaction_id: id, ticket });
  }
  return {
    message: MESSAGES[status] ?? 'Venda registrada.',
    link: paymentUrl(sale),
    data: { transaction_id: id, ticket, status, ...figuresOf(sale) },
  };
};

export const phoneStatus = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    status_id: Type.Integer({ minimum: 1, maximum: 8 }),
    status: Type.String(),
    payment_status: Type.Enum(PAYMENT_STATUSES),
    payment_url: nullable(),
    document_url: nullable('A apólice em PDF, por um tempo; nulo enquanto não há apólice em vigor'),
    vigencia: Type.Object({ inicio: Type.String(), fim: Type.String() }),
    ...figures,
  }),
});

export const presentPhoneStatus = (
  sale: Sale,
  documentUrl: string | null,
): Static<typeof phoneStatus> => ({
  success: true,
  data: {
    ...{
      transaction_id: sale.id,
      ticket: sale.ticket,
      status_id: statusId(sale),
      status: sale.status,
    },
    payment_status: paymentStatus(sale),
    payment_url: paymentUrl(sale),
    document_url: documentUrl,
    vigencia: vigencia(sale),
    ...figuresOf(sale),
  },
});
