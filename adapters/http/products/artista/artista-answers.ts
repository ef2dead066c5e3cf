import Type, { type Static } from 'typebox';
import { installmentsOf, type Sale } from '#domain';
import {
  type AnswerError,
  answerError,
  faultyFieldsError,
  standardError,
} from '../../../kit/contract/answer-error.ts';
import { described } from '../../../kit/contract/described.ts';
import type { ErrorCode } from '../../../kit/contract/error-codes.ts';
import { type FieldFaults, messagesOf } from '../../../kit/contract/field-faults.ts';
import { nullableText } from '../../../kit/contract/formats.ts';
import { namedObject } from '../../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../../kit/contract/units.ts';
import {
  explainRefused,
  givenNames,
  paymentUrlOf,
  policyNumberOf,
  protocol,
  statusIdOf,
} from '../../sales/sale-answer-parts.ts';
import type { StatusSource } from '../../sales/status-by-ticket.ts';

const installment = described<ReturnType<typeof installmentsOf>[number]>()({
  number: [Type.Integer(), ({ number }) => number],
  due_date: [Type.String(), ({ dueOn }) => dueOn],
  amount: [reaisShape(), ({ total }) => inReais(total)],
});

const numberOf = (document: object | undefined): string | null =>
  (document as { number?: string } | undefined)?.number ?? null;

const insurance = described<Sale>('ArtistaInsurance')({
  quotation_no: [nullableText(), ({ issuance }) => numberOf(issuance?.quotation)],
  proposal_no: [nullableText(), ({ issuance }) => numberOf(issuance?.proposal)],
  policy_no: [nullableText('Nulo até a emissão'), policyNumberOf],
  premium_net: [reaisShape(), ({ terms }) => inReais(terms.quote.premium.net)],
  premium_taxes: [reaisShape(), ({ terms }) => inReais(terms.quote.premium.iof)],
  premium_total: [reaisShape(), ({ terms }) => inReais(terms.quote.premium.total)],
  installments: [
    Type.Array(installment.schema),
    ({ terms }) => installmentsOf(terms).map(installment.present),
  ],
  coverage: [
    Type.Object({ start: Type.String(), end: Type.String() }),
    ({ terms: { period } }) => ({ start: period.start, end: period.end }),
  ],
});

const created = described<Sale>()({
  transaction_id: [Type.Integer(), ({ id }) => id],
  ticket: [Type.String(), ({ ticket }) => ticket],
  status: [Type.String(), ({ status }) => status],
  payment_url: [nullableText('Endereço do boleto; nulo para cartão'), paymentUrlOf],
  insurance_data: [insurance.schema, insurance.present],
});

export const createdArtistaSale = namedObject('CreatedArtistaSale', {
  success: Type.Literal(true),
  response: Type.Object({ message: Type.String(), data: created.schema }),
});

const NOT_CREATED = 'Não foi possível criar a transação';

export const answerArtistaFaults = (faults: FieldFaults, code: ErrorCode): AnswerError => {
  const [first = 'requisição inválida.', ...others] = Object.values(messagesOf(faults)).flat();
  const more = others.length === 0 ? '' : ` (e mais ${others.length} em errors)`;
  const response = `${NOT_CREATED}: ${first}${more}`;
  return faultyFieldsError(400, code, response, faults);
};

/** Errors that say that no transaction was made; after the others, it may have been. */
const NOT_MADE: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_encoding',
  'invalid_idempotency_key',
  'body_too_large',
  'unsupported_media_type',
  'channel_mismatch',
  'channel_inactive',
  'product_not_granted',
];

/** A failure to create a transaction, in the shape of the specification; another's channel is 403. */
export const shapeArtistaError = (found: AnswerError): AnswerError => {
  const { status: given, code, body, headers } = found;
  const { response = '' } = body as { readonly response?: string };
  if (!NOT_MADE.includes(code) || response.startsWith(NOT_CREATED)) return found;
  const isOwnFault = code === 'product_not_granted' || code === 'channel_inactive';
  const status = isOwnFault ? 400 : given;
  const told = { ...body, status_code: String(status), response: `${NOT_CREATED}: ${response}` };
  return answerError(status, code, told, headers);
};

const MESSAGES: Partial<Record<Sale['status'], string>> = {
  pending: 'Transação criada; o pagamento está em processamento.',
  awaiting_payment: 'Transação criada; a apólice será emitida após o pagamento.',
  paid: 'Transação criada e paga; a apólice está em emissão.',
  issued: 'Transação criada e apólice emitida.',
};

/** @throws AnswerError if the card or proposal was refused. The sale stays stored as refused. */
export const presentArtistaSale = (sale: Sale): Static<typeof createdArtistaSale> => {
  if (sale.status === 'refused') {
    const { code, text } = explainRefused(sale);
    const names = { transaction_id: sale.id, ticket: sale.ticket };
    throw standardError(400, code, `${NOT_CREATED}: ${text}.`, names);
  }
  const message = MESSAGES[sale.status] ?? 'Transação criada.';
  return { success: true, response: { message, data: created.present(sale) } };
};

const QUOTATION_STATUS = {
  draft: 'Draft',
  quoted: 'Quoted',
  issued: 'Issued',
  rejected: 'Rejected',
  expired: 'Expired',
  cancelled: 'Cancelled',
} as const;

const PROPOSAL_STATUS = {
  submitted: 'Submitted',
  under_analysis: 'UnderAnalysis',
  accepted: 'Accepted',
  policy: 'Policy',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
} as const;

/** Shown for any other status of the insurer. */
const UNKNOWN = 'Unknown';

const status = described<StatusSource>()({
  transaction_id: [Type.Integer(), ({ sale }) => sale.id],
  ticket: [Type.String(), ({ sale }) => sale.ticket],
  status_id: [Type.Integer({ minimum: 1, maximum: 8 }), ({ sale }) => statusIdOf(sale)],
  status: [Type.String(), ({ sale }) => sale.status],
  proposal_status: [
    nullableText(`${Object.values(PROPOSAL_STATUS).join(', ')} ou ${UNKNOWN}`),
    ({ sale: { issuance } }) => {
      if (issuance?.unknownWords?.proposal !== undefined) return UNKNOWN;
      return issuance?.proposal ? PROPOSAL_STATUS[issuance.proposal.status] : null;
    },
  ],
  quotation_status: [
    Type.String({
      description: `${Object.values(QUOTATION_STATUS).join(', ')} ou ${UNKNOWN}`,
    }),
    ({ sale: { issuance } }) =>
      issuance?.unknownWords?.quotation === undefined
        ? QUOTATION_STATUS[issuance?.quotation.status ?? 'draft']
        : UNKNOWN,
  ],
  policy_no: [nullableText(), ({ sale }) => policyNumberOf(sale)],
  payment_url: [nullableText(), ({ sale }) => paymentUrlOf(sale)],
  document_url: [
    nullableText('A apólice em PDF, por um tempo; nulo enquanto não há apólice em vigor'),
    ({ documentUrl }) => documentUrl,
  ],
  ...givenNames,
  ...protocol,
});

export const artistaStatus = namedObject('ArtistaStatus', {
  success: Type.Literal(true),
  response: Type.Object({ success: Type.Literal(true), data: status.schema }),
});

export const presentArtistaStatus = (source: StatusSource): Static<typeof artistaStatus> => ({
  success: true,
  response: { success: true, data: status.present(source) },
});
