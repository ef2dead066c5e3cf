import Type, { type Static } from 'typebox';
import { coverOf, type Instant, type Sale, type SaleTerms } from '#domain';
import { faultyFieldsError } from '../../kit/contract/answer-error.ts';
import { errorCodeSchema } from '../../kit/contract/answer-shapes.ts';
import { described, fieldsOf } from '../../kit/contract/described.ts';
import { faultAt } from '../../kit/contract/field-faults.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { channelTexts } from '../sales/channel-texts.ts';
import { moneyAfterSale, nextShape, presentNext } from '../sales/money-after-sale.ts';
import {
  catalogueName,
  explainRefused,
  figures,
  givenNames,
  paymentUrlOf,
  period,
  policyNumberOf,
  protocol,
  type SaleSource,
  saleStatusShape,
} from '../sales/sale-answer-parts.ts';

interface TermsSource {
  readonly terms: SaleTerms;
}

const soldTerms = described<TermsSource>()({
  ...fieldsOf(channelTexts.fields, ({ terms }: TermsSource) => terms),
  product: [catalogueName.schema, ({ terms }) => catalogueName.present(terms.product)],
  plan: [catalogueName.schema, ({ terms }) => catalogueName.present(terms.plan)],
  amounts: [figures.schema, ({ terms }) => figures.present(terms.quote)],
  vigencia: [period.schema, ({ terms }) => period.present(terms.period)],
});

/** A sale as its registration is answered. */
const soldSale = described<SaleSource>('SoldSale')({
  transaction_id: [Type.Integer(), ({ sale }) => sale.id],
  ticket: [Type.String(), ({ sale }) => sale.ticket],
  external_sale_id: givenNames.external_sale_id,
  status: [saleStatusShape, ({ sale }) => sale.status],
  ...fieldsOf(soldTerms.fields, ({ sale }: SaleSource) => sale),
  vigencia: [period.schema, ({ sale }) => period.present(coverOf(sale))],
  payment_url: [
    nullableText('Onde o segurado paga, enquanto couber'),
    ({ sale }) => paymentUrlOf(sale),
  ],
  policy_no: [nullableText('Nulo até a emissão'), ({ sale }) => policyNumberOf(sale)],
  registered_at: [Type.String(), ({ sale }) => sale.registeredAt],
});

export const soldAnswer = namedObject('CreatedSale', {
  success: Type.Literal(true),
  message: Type.String(),
  data: soldSale.schema,
});

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
    data: soldSale.present({ sale }),
  };
};

/** A sale at a moment. */
export interface SeenSale extends SaleSource {
  /** Decides whether the time to pay is over. */
  readonly now: Instant;
  /** Whether the certificate could not be mailed. */
  readonly isMailLost?: boolean;
}

/** What the channel has to do about a mail that was given up. */
const CORRECT_EMAIL = { actor: 'channel', action: 'correct_email' } as const;

/** What an answer says of a sale after its registration. */
const progress = described<SeenSale>()({
  ...givenNames,
  updated_at: [
    Type.String({
      description: 'A última mudança, ou o registro, se não houve nenhuma; em UTC',
    }),
    ({ sale }) => sale.updatedAt ?? sale.registeredAt,
  ],
  expires_at: [
    nullableText('Até quando se pode pagar; nulo se não se espera pagamento'),
    ({ sale }) => expiryOf(sale),
  ],
  refusal_reason: [
    nullable(
      namedObject('RefusalReason', { code: errorCodeSchema, text: Type.String() }),
      'Por que a venda foi recusada; nulo se não foi',
    ),
    ({ sale }) => (sale.status === 'refused' ? explainRefused(sale) : null),
  ],
  next: [
    nullable(nextShape, 'O que falta acontecer, e quem o faz; nulo se nada falta'),
    ({ sale, now, isMailLost = false }) =>
      presentNext(sale, now) ?? (isMailLost ? CORRECT_EMAIL : null),
  ],
  ...moneyAfterSale,
  ...protocol,
});

const expiryOf = (sale: Sale): Instant | null =>
  sale.status === 'awaiting_payment' && paymentUrlOf(sale) !== null
    ? (sale.payment.until ?? null)
    : null;

/** A sale as it is now. */
export const foundSale = described<SeenSale>()({ ...soldSale.fields, ...progress.fields });

export const foundSaleShape = Type.Intersect([soldSale.schema, progress.schema], {
  title: 'FoundSale',
});

export const documentUrlShape = nullableText(
  'O bilhete ou a apólice em PDF, por um tempo; nulo enquanto não há contrato em vigor',
);

/** `document_url` is not part of `data`, which stays the same while the sale's status does. */
export const saleAnswer = namedObject('FoundSaleAnswer', {
  success: Type.Literal(true),
  data: foundSaleShape,
  document_url: documentUrlShape,
});

/** The figures of a sale that is not registered. */
export const validSale = namedObject('ValidSale', {
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    ...soldSale.schema.properties,
    ...Type.Partial(progress.schema).properties,
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
    external_sale_id: terms.externalSaleId ?? null,
    ...soldTerms.present({ terms }),
    idempotency_key: null,
    payment_url: null,
    policy_no: null,
    registered_at: null,
  },
});
