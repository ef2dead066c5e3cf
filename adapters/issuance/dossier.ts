import { Ajv, type ValidateFunction } from 'ajv';
import Type, { type Static } from 'typebox';
import {
  type CalendarDate,
  type Cents,
  centsFromNumber,
  type Instant,
  type InsurerReport,
  type Policy,
  type Proposal,
  parseDate,
  parseInstant,
  type Quotation,
} from '#domain';
import { POLICY_WORDS, PROPOSAL_WORDS, QUOTATION_WORDS, translateWord } from './status-words.ts';

const number = Type.String({ minLength: 1, maxLength: 100 });
const word = Type.String({ maxLength: 100 });
const amount = Type.Number({ minimum: 0 });
const reason = Type.Optional(Type.String({ maxLength: 500 }));

/** The documents of one reference, as the insurer sends them. Other fields are ignored. */
const dossier = Type.Object({
  reference: Type.String(),
  quotation: Type.Optional(
    Type.Object({
      number,
      status: word,
      netPremium: amount,
      iof: amount,
      total: amount,
      validUntil: Type.String(),
      reason,
    }),
  ),
  proposal: Type.Optional(Type.Object({ number, status: word, reason })),
  policy: Type.Optional(
    Type.Object({
      number,
      status: word,
      issuedAt: Type.String(),
      startDate: Type.String(),
      endDate: Type.String(),
      cancelledOn: Type.Optional(Type.String()),
    }),
  ),
});

type Dossier = Static<typeof dossier>;

let validate: ValidateFunction<Dossier> | undefined;

/** The schema is compiled at the first answer, because that slows down a start. */
const isDossier = (value: unknown): value is Dossier => {
  validate ??= new Ajv().compile<Dossier>(dossier);
  return validate(value);
};

class UnreadableError extends Error {}

const readDay = (text: string): CalendarDate => {
  const day = parseDate(text.slice(0, 10));
  if (day === undefined) throw new UnreadableError();
  return day;
};

const readCents = (value: number): Cents => {
  const amount = centsFromNumber(value);
  if (amount === undefined) throw new UnreadableError();
  return amount;
};

const readInstant = (text: string): Instant => {
  const at = parseInstant(text);
  if (at === undefined) throw new UnreadableError();
  return at;
};

/** Reads an answer of the insurer. Undefined if it cannot be read or is about another sale. */
export const readDossier = (body: unknown, reference: string): InsurerReport | undefined => {
  const given = removeNulls(body);
  if (!isDossier(given) || given.reference !== reference) return undefined;
  return translateDossier(given);
};

/** Removes fields that are null: they mean the same as absent fields. */
const removeNulls = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, each]) =>
          each === null ? [] : [[name, removeNulls(each)]],
        ),
      )
    : value;

const translateDossier = (body: Dossier): InsurerReport | undefined => {
  try {
    const quotation = readQuotation(body);
    const proposal = readProposal(body);
    const policy = readPolicy(body);
    const unknownWords = {
      ...findUnknownWord('quotation', QUOTATION_WORDS, body.quotation),
      ...findUnknownWord('proposal', PROPOSAL_WORDS, body.proposal),
      ...findUnknownWord('policy', POLICY_WORDS, body.policy),
    };
    return {
      ...(quotation && { quotation }),
      ...(proposal && { proposal }),
      ...(policy && { policy }),
      ...(Object.keys(unknownWords).length > 0 && { unknownWords }),
    };
  } catch (error) {
    if (error instanceof UnreadableError || error instanceof RangeError) return undefined;
    throw error;
  }
};

const findUnknownWord = (
  document: string,
  table: Readonly<Record<string, unknown>>,
  shown: { readonly status: string } | undefined,
) =>
  shown === undefined || translateWord(table, shown.status) !== undefined
    ? {}
    : { [document]: shown.status };

/** An unknown status word counts as the first status: `quoted`. */
const readQuotation = ({
  quotation,
  policy,
}: Dossier): Exclude<Quotation, { status: 'draft' }> | undefined => {
  if (quotation === undefined) return undefined;
  const status = translateWord(QUOTATION_WORDS, quotation.status) ?? 'quoted';
  const document = {
    number: quotation.number,
    amounts: {
      net: readCents(quotation.netPremium),
      iof: readCents(quotation.iof),
      total: readCents(quotation.total),
    },
    validUntil: readDay(quotation.validUntil),
  };
  if (status === 'issued') return { ...document, status, policyNumber: policy?.number ?? '' };
  if (status === 'rejected') return { ...document, status, reason: quotation.reason ?? '' };
  return { ...document, status };
};

/** An unknown status word counts as the first status: `submitted`. */
const readProposal = ({ proposal, quotation, policy }: Dossier): Proposal | undefined => {
  if (proposal === undefined) return undefined;
  const status = translateWord(PROPOSAL_WORDS, proposal.status) ?? 'submitted';
  const document = { number: proposal.number, quotationNumber: quotation?.number ?? '' };
  if (status === 'policy') return { ...document, status, policyNumber: policy?.number ?? '' };
  return status === 'rejected'
    ? { ...document, status, reason: proposal.reason ?? '' }
    : { ...document, status };
};

/** A policy with an unknown status word is not reported. */
const readPolicy = ({ policy }: Dossier): Policy | undefined => {
  if (policy === undefined) return undefined;
  const status = translateWord(POLICY_WORDS, policy.status);
  if (status === undefined) return undefined;
  const period = { start: readDay(policy.startDate), end: readDay(policy.endDate) };
  if (period.end < period.start) throw new UnreadableError();
  const document = { number: policy.number, issuedAt: readInstant(policy.issuedAt), period };
  if (status === 'active') return { ...document, status };
  return { ...document, status, cancelledOn: readDay(policy.cancelledOn ?? policy.endDate) };
};
