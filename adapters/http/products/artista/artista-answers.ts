import Type, { type Static } from 'typebox';
import { installmentsOf, type Sale } from '#domain';
import {
  type AnswerError,
  answerError,
  faultyFieldsError,
  standardError,
} from '../../../kit/contract/answer-error.ts';
import type { ErrorCode } from '../../../kit/contract/error-codes.ts';
import { type FieldFaults, messagesOf } from '../../../kit/contract/field-faults.ts';
import { nullableText } from '../../../kit/contract/formats.ts';
import { namedObject } from '../../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../../kit/contract/units.ts';
import {
  explainRefused,
  paymentUrlOf,
  policyNumberOf,
  presentProtocol,
  presentSaleNames,
  protocolShape,
  saleNamesShape,
  statusIdOf,
} from '../../sales/sale-answer-parts.ts';

const insuranceData = namedObject('ArtistaInsurance', {
  quotation_no: nullableText(),
  proposal_no: nullableText(),
  policy_no: nullableText('Nulo até a emissão'),
  premium_net: reaisShape(),
  premium_taxes: reaisShape(),
  premium_total: reaisShape(),
  installments: Type.Array(
    Type.Object({ number: Type.Integer(), due_date: Type.String(), amount: reaisShape() }),
  ),
  coverage: Type.Object({ start: Type.String(), end: Type.String() }),
});

export const createdArtistaSale = namedObject('CreatedArtistaSale', {
  success: Type.Literal(true),
  response: Type.Object({
    message: Type.String(),
    data: Type.Object({
      transaction_id: Type.Integer(),
      ticket: Type.String(),
      status: Type.String(),
      payment_url: nullableText('Endereço do boleto; nulo para cartão'),
      insurance_data: insuranceData,
    }),
  }),
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

const numberOf = (document: object | undefined): string | null =>
  (document as { number?: string } | undefined)?.number ?? null;

const MESSAGES: Partial<Record<Sale['status'], string>> = {
  pending: 'Transação criada; o pagamento está em processamento.',
  awaiting_payment: 'Transação criada; a apólice será emitida após o pagamento.',
  paid: 'Transação criada e paga; a apólice está em emissão.',
  issued: 'Transação criada e apólice emitida.',
};

/** @throws AnswerError if the card or proposal was refused. The sale stays stored as refused. */
export const presentArtistaSale = (sale: Sale): Static<typeof createdArtistaSale> => {
  const { id, ticket, status, terms, issuance } = sale;
  if (sale.status === 'refused') {
    const { code, text } = explainRefused(sale);
    throw standardError(400, code, `${NOT_CREATED}: ${text}.`, { transaction_id: id, ticket });
  }
  const { net, iof, total } = terms.quote.premium;
  return {
    success: true,
    response: {
      message: MESSAGES[status] ?? 'Transação criada.',
      data: {
        transaction_id: id,
        ticket,
        status,
        payment_url: paymentUrlOf(sale),
        insurance_data: {
          quotation_no: numberOf(issuance?.quotation),
          proposal_no: numberOf(issuance?.proposal),
          policy_no: policyNumberOf(sale),
          premium_net: inReais(net),
          premium_taxes: inReais(iof),
          premium_total: inReais(total),
          installments: installmentsOf(terms).map((part) => ({
            number: part.number,
            due_date: part.dueOn,
            amount: inReais(part.total),
          })),
          coverage: { start: terms.period.start, end: terms.period.end },
        },
      },
    },
  };
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

export const artistaStatus = namedObject('ArtistaStatus', {
  success: Type.Literal(true),
  response: Type.Object({
    success: Type.Literal(true),
    data: Type.Object({
      transaction_id: Type.Integer(),
      ticket: Type.String(),
      status_id: Type.Integer({ minimum: 1, maximum: 8 }),
      status: Type.String(),
      proposal_status: nullableText(`${Object.values(PROPOSAL_STATUS).join(', ')} ou ${UNKNOWN}`),
      quotation_status: Type.String({
        description: `${Object.values(QUOTATION_STATUS).join(', ')} ou ${UNKNOWN}`,
      }),
      policy_no: nullableText(),
      payment_url: nullableText(),
      document_url: nullableText(
        'A apólice em PDF, por um tempo; nulo enquanto não há apólice em vigor',
      ),
      ...saleNamesShape,
      ...protocolShape,
    }),
  }),
});

export const presentArtistaStatus = (
  sale: Sale,
  documentUrl: string | null,
): Static<typeof artistaStatus> => {
  const { id, ticket, status, issuance } = sale;
  const { quotation = { status: 'draft' as const }, proposal, unknownWords } = issuance ?? {};
  const proposalStatus = proposal ? PROPOSAL_STATUS[proposal.status] : null;
  return {
    success: true,
    response: {
      success: true,
      data: {
        transaction_id: id,
        ticket,
        status_id: statusIdOf(sale),
        status,
        proposal_status: unknownWords?.proposal === undefined ? proposalStatus : UNKNOWN,
        quotation_status:
          unknownWords?.quotation === undefined ? QUOTATION_STATUS[quotation.status] : UNKNOWN,
        policy_no: policyNumberOf(sale),
        payment_url: paymentUrlOf(sale),
        document_url: documentUrl,
        ...presentSaleNames(sale),
        ...presentProtocol(sale),
      },
    },
  };
};
