import Type, { type Static } from 'typebox';
import {
  type Installment,
  isRefusal,
  reais,
  type Sale,
  type ServicePayment,
  splitIntoInstallments,
} from '#domain';
import { type Faults, type Refused, refused } from '../answers.ts';
import { houseErrorSchema } from '../error-schemas.ts';
import { nullable } from '../formats.ts';
import { paymentUrl, policyNumber, reasonOf, statusId } from '../sales/words.ts';

const insuranceData = Type.Object({
  quotation_no: nullable(),
  proposal_no: nullable(),
  policy_no: nullable('Nulo até a emissão'),
  premium_net: Type.Number(),
  premium_taxes: Type.Number(),
  premium_total: Type.Number(),
  installments: Type.Array(
    Type.Object({ number: Type.Integer(), due_date: Type.String(), amount: Type.Number() }),
  ),
  coverage: Type.Object({ start: Type.String(), end: Type.String() }),
});

export const createdArtistSale = Type.Object({
  success: Type.Literal(true),
  response: Type.Object({
    message: Type.String(),
    data: Type.Object({
      transaction_id: Type.Integer(),
      ticket: Type.String(),
      status: Type.String(),
      payment_url: nullable('Endereço do boleto; nulo para cartão'),
      insurance_data: insuranceData,
    }),
  }),
});

const CANNOT = 'Não foi possível criar a transação';

export const artistFaults = (errors: Faults): Refused => {
  const [first = 'requisição inválida.', ...others] = Object.values(errors).flat();
  const more = others.length === 0 ? '' : ` (e mais ${others.length} em errors)`;
  return refused(400, `${CANNOT}: ${first}${more}`, { errors });
};

/** A refused sale has a number and a ticket. */
export const artistErrorSchema = Type.Object({
  ...houseErrorSchema.properties,
  transaction_id: Type.Optional(Type.Integer()),
  ticket: Type.Optional(Type.String()),
});

const partsOf = ({ terms }: Sale): readonly Installment[] => {
  const { installments: count, firstDueOn = terms.soldOn } = terms.payment as ServicePayment;
  const parts = splitIntoInstallments(terms.quote.premium, { count, firstDueOn, offered: count });
  return isRefusal(parts) ? [] : parts;
};

const numberOf = (paper: object | undefined): string | null =>
  (paper as { number?: string } | undefined)?.number ?? null;

const MESSAGES: Partial<Record<Sale['status'], string>> = {
  pending: 'Transação criada; o pagamento está em processamento.',
  awaiting_payment: 'Transação criada; a apólice será emitida após o pagamento.',
  paid: 'Transação criada e paga; a apólice está em emissão.',
  issued: 'Transação criada e apólice emitida.',
};

/** @throws Refused where the card or the insurer said no: the transaction stays, as refused. */
export const presentArtistSale = (sale: Sale): Static<typeof createdArtistSale> => {
  const { id, ticket, status, terms, issuance } = sale;
  if (sale.status === 'refused')
    throw refused(400, `${CANNOT}: ${reasonOf(sale)}.`, { transaction_id: id, ticket });
  const { net, iof, total } = terms.quote.premium;
  return {
    success: true,
    response: {
      message: MESSAGES[status] ?? 'Transação criada.',
      data: {
        ...{ transaction_id: id, ticket, status, payment_url: paymentUrl(sale) },
        insurance_data: {
          quotation_no: numberOf(issuance?.quotation),
          proposal_no: numberOf(issuance?.proposal),
          policy_no: policyNumber(sale),
          ...{ premium_net: reais(net), premium_taxes: reais(iof), premium_total: reais(total) },
          installments: partsOf(sale).map((part) => ({
            number: part.number,
            due_date: part.dueOn,
            amount: reais(part.total),
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

/** What is shown for a status word of the insurer's that nobody knows. */
const UNKNOWN = 'Unknown';

export const artistStatus = Type.Object({
  success: Type.Literal(true),
  response: Type.Object({
    success: Type.Literal(true),
    data: Type.Object({
      transaction_id: Type.Integer(),
      ticket: Type.String(),
      status_id: Type.Integer({ minimum: 1, maximum: 8 }),
      status: Type.String(),
      proposal_status: nullable(`${Object.values(PROPOSAL_STATUS).join(', ')} ou ${UNKNOWN}`),
      quotation_status: Type.String({
        description: `${Object.values(QUOTATION_STATUS).join(', ')} ou ${UNKNOWN}`,
      }),
      policy_no: nullable(),
      payment_url: nullable(),
      document_url: nullable(
        'A apólice em PDF, por um tempo; nulo enquanto não há apólice em vigor',
      ),
    }),
  }),
});

export const presentArtistStatus = (
  sale: Sale,
  documentUrl: string | null,
): Static<typeof artistStatus> => {
  const { id, ticket, status, issuance } = sale;
  const { quotation = { status: 'draft' as const }, proposal, unknownWords } = issuance ?? {};
  return {
    success: true,
    response: {
      success: true,
      data: {
        ...{ transaction_id: id, ticket, status_id: statusId(sale), status },
        proposal_status:
          unknownWords?.proposal === undefined
            ? proposal
              ? PROPOSAL_STATUS[proposal.status]
              : null
            : UNKNOWN,
        quotation_status:
          unknownWords?.quotation === undefined ? QUOTATION_STATUS[quotation.status] : UNKNOWN,
        policy_no: policyNumber(sale),
        payment_url: paymentUrl(sale),
        document_url: documentUrl,
      },
    },
  };
};
