import Type, { type Static } from 'typebox';
import type { Instant, Sale, SaleTerms } from '#domain';
import { faultyFieldsError } from '../../kit/contract/answer-error.ts';
import { errorCodeSchema } from '../../kit/contract/answer-shapes.ts';
import { faultAt } from '../../kit/contract/field-faults.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { channelTextsShape } from '../sales/channel-texts.ts';
import {
  moneyShape,
  nextShape,
  presentMoneyAfter,
  presentNext,
} from '../sales/money-after-sale.ts';
import {
  explainRefused,
  figuresShape,
  namedShape,
  paymentUrlOf,
  periodShape,
  policyNumberOf,
  presentPeriod,
  presentProtocol,
  presentSaleNames,
  presentTerms,
  protocolShape,
  saleNamesShape,
  saleStatusShape,
} from '../sales/sale-answer-parts.ts';

const saleData = namedObject('SoldSale', {
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
});

export const soldAnswer = namedObject('CreatedSale', {
  success: Type.Literal(true),
  message: Type.String(),
  data: saleData,
});

/** A sale as its registration is answered. */
const presentData = (sale: Sale): Static<typeof saleData> => {
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
    const names = { transaction_id: sale.id, ticket: sale.ticket };
    throw faultyFieldsError(422, code, error, faultAt('payment', 'refused', error), names);
  }
  return {
    success: true,
    message: MESSAGES[sale.status] ?? 'Venda registrada com sucesso.',
    data: presentData(sale),
  };
};

/** What a sale says of its way, beside what was sold. */
const progressShape = {
  updated_at: Type.String({
    description: 'A última mudança, ou o registro, se não houve nenhuma; em UTC',
  }),
  expires_at: nullableText('Até quando se pode pagar; nulo se não se espera pagamento'),
  refusal_reason: nullable(
    namedObject('RefusalReason', { code: errorCodeSchema, text: Type.String() }),
    'Por que a venda foi recusada; nulo se não foi',
  ),
  next: nullable(nextShape, 'O que falta acontecer, e quem o faz; nulo se nada falta'),
  ...moneyShape,
};

const foundShape = { ...saleNamesShape, ...progressShape, ...protocolShape };

/** The fields of a sale as it is now. */
export const foundSaleFields = { ...saleData.properties, ...foundShape };

/** A sale as it is now. */
export const foundSaleData = Type.Intersect([saleData, Type.Object(foundShape)], {
  title: 'FoundSale',
});

export const documentUrlShape = nullableText(
  'O bilhete ou a apólice em PDF, por um tempo; nulo enquanto não há contrato em vigor',
);

/** `document_url` is not part of `data`, which stays the same while the sale's status does. */
export const saleAnswer = namedObject('FoundSaleAnswer', {
  success: Type.Literal(true),
  data: foundSaleData,
  document_url: documentUrlShape,
});

/** What the channel has to do about a mail that was given up. */
const CORRECT_EMAIL = { actor: 'channel', action: 'correct_email' } as const;

/**
 * @param now decides whether the time to pay is over
 * @param isMailLost whether the certificate could not be mailed
 */
export const presentFoundSale = (
  sale: Sale,
  now: Instant,
  isMailLost = false,
): Static<typeof foundSaleData> => ({
  ...presentData(sale),
  ...presentSaleNames(sale),
  updated_at: sale.updatedAt ?? sale.registeredAt,
  expires_at: expiryOf(sale),
  refusal_reason: sale.status === 'refused' ? explainRefused(sale) : null,
  next: presentNext(sale, now) ?? (isMailLost ? CORRECT_EMAIL : null),
  ...presentMoneyAfter(sale),
  ...presentProtocol(sale),
});

const expiryOf = (sale: Sale): Instant | null =>
  sale.status === 'awaiting_payment' && paymentUrlOf(sale) !== null
    ? (sale.payment.until ?? null)
    : null;

/** The figures of a sale that is not registered. */
export const validSale = namedObject('ValidSale', {
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    ...saleData.properties,
    ...Type.Partial(Type.Object(foundShape)).properties,
    transaction_id: nullable(Type.Integer(), 'Nulo, se a venda ainda não foi registrada'),
    ticket: nullableText(),
    status: nullableText(),
    registered_at: nullableText(),
  }),
});

export const presentValid = (terms: SaleTerms): Static<typeof validSale> => ({
  success: true,
  message: 'Venda válida; nada foi gravado.',
  data: {
    transaction_id: null,
    ticket: null,
    status: null,
    ...presentTerms(terms),
    idempotency_key: null,
    payment_url: null,
    policy_no: null,
    registered_at: null,
  },
});
