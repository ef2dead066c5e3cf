import type { TSchema } from 'typebox';
import { formatDate } from '#domain';
import type { AttributeFault } from '../../../application/catalogue/attribute-schemas.ts';
import type {
  KeyReused,
  NotSellable,
  StillRunning,
} from '../../../application/sales/sale-refusals.ts';
import type { SaleRefusal, SaleRefusalKind } from '../../../application/sales/sale-request.ts';
import type { FindFaults } from '../../../application/selling/find-terms.ts';
import type { AnswerError } from '../../kit/contract/answer-error.ts';
import { describeViolation, MAX_LISTED_FAULTS } from '../../kit/contract/complaints.ts';
import type { ErrorCode, FieldCode } from '../../kit/contract/error-codes.ts';
import {
  type Complaint,
  complain,
  type FieldFaults,
  groupFaults,
} from '../../kit/contract/field-faults.ts';
import {
  type ForbiddenKind,
  refusalError,
  sentenceOf,
} from '../../kit/contract/refusal-answers.ts';
import { conflictError, stillRunningError } from './idempotency.ts';
import {
  COMMON_FIELDS,
  type FaultySale,
  type SaleDialect,
  type SaleEndpoint,
  type SaleFields,
  type SalePart,
} from './sale-dialect.ts';

/** How a refusal is shown at a field of the body. */
interface ShownRefusal {
  readonly fieldCode: FieldCode;
  /** The code of the answer; absent: `validation_failed`. */
  readonly code?: ErrorCode;
  /**
   * The parts at which it is shown: at the first that the body has a field for, else at the product.
   * `at`: the part that the refusal names.
   */
  readonly parts: readonly [SalePart | 'at', ...SalePart[]];
}

const fault = (fieldCode: FieldCode, ...parts: ShownRefusal['parts']): ShownRefusal => ({
  fieldCode,
  parts,
});

/** The compiler checks that none is missing. */
const SHOWN: Readonly<Record<Exclude<SaleRefusalKind, ForbiddenKind>, ShownRefusal>> = {
  return_url_not_registered: fault('not_offered', 'returnUrl'),
  product_unknown: fault('not_offered', 'product'),
  product_ambiguous: fault('required', 'product'),
  plan_unknown: fault('not_offered', 'plan'),
  coverage_unknown: fault('not_offered', 'coverages'),
  coverage_repeated: fault('repeated', 'coverages'),
  payment_not_with_channel: fault('contradicts', 'collector'),
  payment_not_with_service: fault('contradicts', 'collector'),
  iof_rate_missing: fault('no_tax_rate', 'at', 'soldOn'),
  premium_not_declared: fault('required', 'at'),
  premium_not_positive: fault('out_of_range', 'at'),
  amount_too_large: fault('out_of_range', 'at'),
  insured_amount_missing: fault('required', 'insuredAmount'),
  net_premium_differs: fault('amount_differs', 'net', 'declaredPrice'),
  iof_differs: fault('amount_differs', 'iof'),
  total_differs: fault('amount_differs', 'total', 'iof'),
  sold_in_future: fault('in_the_future', 'soldOn', 'paidOn'),
  sold_long_ago: fault('in_the_past', 'soldOn', 'paidOn'),
  paid_in_future: fault('in_the_future', 'paidOn'),
  event_before_payment: fault('wrong_order', 'eventOn'),
  born_in_future: fault('in_the_future', 'birthDate'),
  period_not_declared: fault('required', 'period', 'eventOn'),
  period_differs: fault('period_differs', 'at', 'period'),
  period_over: fault('in_the_past', 'at', 'soldOn'),
  period_reversed: fault('wrong_order', 'at'),
  installments_not_offered: fault('not_offered', 'installments'),
  installment_below_one_cent: fault('out_of_range', 'installments'),
  iof_rate_ends: fault('not_offered', 'installments'),
  quote_unknown: fault('not_offered', 'quote'),
  quote_expired: { ...fault('in_the_past', 'quote'), code: 'quote_expired' },
  quote_differs: { ...fault('contradicts', 'at', 'quote'), code: 'quote_mismatch' },
};

/** How a refusal is shown; undefined for a refusal of the caller. */
const shownOf = ({ kind }: SaleRefusal): ShownRefusal | undefined =>
  (SHOWN as Partial<Record<SaleRefusalKind, ShownRefusal>>)[kind];

/** Whether the refusal is of the caller: it is not a fault of a field. */
export const isForbidden = (
  refusal: SaleRefusal,
): refusal is SaleRefusal & { readonly kind: ForbiddenKind } => shownOf(refusal) === undefined;

/** The code of an answer that shows refusals at fields: a quote must be corrected first. */
const codeOfRefusals = (refusals: readonly SaleRefusal[]): ErrorCode =>
  refusals.map((each) => shownOf(each)?.code).find(Boolean) ?? 'validation_failed';

/** How the body of a dialect shows refusals. */
interface Shows {
  readonly fields: SaleFields;
  /** Complaints that replace the common ones. */
  readonly complaintOf?: Partial<Record<SaleRefusalKind, Complaint>>;
}

/** The complaints about the fields of a request, by refusals and faults of its attributes. */
export const describeRefusals = (
  { reasons, attributeFaults }: Pick<NotSellable, 'reasons' | 'attributeFaults'>,
  { fields, complaintOf = {} }: Shows,
): FieldFaults => {
  const ofReasons = reasons.flatMap((reason) => {
    const shown = shownOf(reason);
    if (shown === undefined) return [];
    const common = complaintOf[reason.kind] ?? complain(shown.fieldCode, sentenceOf(reason));
    const complaint = addCorrectValue(common, reason);
    return fieldsOfRefusal(reason, shown.parts, fields).map((field) => [field, complaint] as const);
  });
  return groupFaults([...ofReasons, ...complainOfAttributes(attributeFaults)]);
};

/** Entries of the catalogue in a message, at most. */
const MAX_LISTED = 20;

/** Adds the correct period, the channel's origins, or what the catalogue offers, to a complaint. */
const addCorrectValue = (
  { code, message }: Complaint,
  { period, origins, offered = [] }: SaleRefusal,
): Complaint => {
  if (period !== undefined) {
    const days = `de ${formatDate(period.start)} a ${formatDate(period.end)}`;
    return complain(code, `${message} A correta é ${days}.`);
  }
  if (origins !== undefined)
    return complain(code, `${message} Cadastradas: ${origins.join(', ') || 'nenhuma'}.`);
  if (offered.length === 0) return complain(code, message);
  const names = offered.slice(0, MAX_LISTED).map(({ id, code: name }) => `${name} (id ${id})`);
  const more = offered.length > MAX_LISTED ? '…' : '';
  return complain(code, `${message} Oferecido: ${names.join(', ')}${more}.`);
};

/** The fields at which a refusal is shown: one for each part that it names. */
const fieldsOfRefusal = (
  { at = [''] }: SaleRefusal,
  [first, ...next]: ShownRefusal['parts'],
  fields: SaleFields,
): readonly string[] => {
  const known: SaleFields = { ...COMMON_FIELDS, ...fields };
  return at.map((named) => {
    const parts = (first === 'at' ? [named, ...next] : [first, ...next]) as readonly SalePart[];
    const part = parts.find((each) => known[each] !== undefined) ?? 'product';
    const [field] = known[part] ?? [''];
    if (!field.endsWith('.')) return field;
    // What is wrong inside a reference: the refusal says so, or the whole differs from the quote.
    const inside = first !== 'at' ? named : part === named && part !== 'coverages' ? 'id' : '';
    return inside === '' ? field.slice(0, -1) : `${field}${inside}`;
  });
};

/**
 * The answer to a body with faults: those of the body, and those that the catalogue tells of the
 * sound fields.
 */
export const explainFaults = async (
  { findFaults }: { readonly findFaults: FindFaults },
  endpoint: SaleEndpoint,
  { dialect, draft, faults }: FaultySale,
): Promise<AnswerError> =>
  draft === undefined
    ? endpoint.faulty(faults, 'validation_failed')
    : notSellableError(await findFaults(draft), endpoint, dialect, faults);

/** The answer to a request that sold nothing. */
export const notSoldError = (
  refusal: NotSellable | KeyReused | StillRunning,
  endpoint: SaleEndpoint,
  dialect: SaleDialect<TSchema>,
): AnswerError => {
  if (refusal.kind === 'not_sellable') return notSellableError(refusal, endpoint, dialect);
  if (refusal.kind === 'still_running') return stillRunningError(refusal);
  const schemas = endpoint.dialects.map(({ schema }) => schema);
  return conflictError(refusal, schemas);
};

/**
 * The answer to a refused sale. A refusal of the caller (403) takes precedence over faults.
 *
 * @param faults of the body
 */
const notSellableError = (
  refused: Pick<NotSellable, 'reasons' | 'attributeFaults'>,
  endpoint: SaleEndpoint,
  dialect: SaleDialect<TSchema>,
  faults: FieldFaults = {},
): AnswerError => {
  const forbidden = refused.reasons.find(isForbidden);
  if (forbidden) return refusalError(forbidden);

  const told = Object.entries(describeRefusals(refused, dialect));
  const paths = Object.keys(faults);
  // A field cannot be judged while a field inside it, or around it, is faulty.
  const isApart = (field: string) =>
    !paths.some((path) => field.startsWith(`${path}.`) || path.startsWith(`${field}.`));
  return endpoint.faulty(
    { ...Object.fromEntries(told.filter(([field]) => isApart(field))), ...faults },
    codeOfRefusals(refused.reasons),
  );
};

/** The faults by the product's schema, each with its field. */
const complainOfAttributes = (
  found: readonly AttributeFault[],
): readonly (readonly [field: string, complaint: Complaint])[] =>
  found.slice(0, MAX_LISTED_FAULTS).map(({ path, keyword, params }) => {
    const field = path === '' ? 'attributes' : `attributes.${path}`;
    return [field, describeViolation(field, keyword, params)];
  });
