import { Ajv } from 'ajv';
import Type, { type Static } from 'typebox';
import {
  type CalendarDate,
  type Cents,
  calendarDate,
  centsFromNumber,
  type Instant,
  type InsurerReport,
  instantOf,
  type Policy,
  type Proposal,
  type Quotation,
} from '#domain';
import { POLICY_WORDS, PROPOSAL_WORDS, QUOTATION_WORDS, translated } from './status-words.ts';

const number = Type.String({ minLength: 1, maxLength: 100 });
const word = Type.String({ maxLength: 100 });
const amount = Type.Number({ minimum: 0 });
const reason = Type.Optional(Type.String({ maxLength: 500 }));

/** What an insurer shows of one reference. More may be in it. */
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

const isDossier = new Ajv().compile<Dossier>(dossier);

class Nonsense extends Error {}

const day = (text: string): CalendarDate => {
  const found = calendarDate(text.slice(0, 10));
  if (found === undefined) throw new Nonsense();
  return found;
};

const cents = (value: number): Cents => {
  const found = centsFromNumber(value);
  if (found === undefined) throw new Nonsense();
  return found;
};

const moment = (text: string): Instant => {
  const read = new Date(
    /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? text : Number.NaN,
  );
  if (Number.isNaN(read.getTime())) throw new Nonsense();
  return instantOf(read);
};

/** What an answer says, in our words; undefined where it makes no sense, or speaks of another sale. */
export const readDossier = (body: unknown, reference: string): InsurerReport | undefined => {
  const given = withoutNulls(body);
  if (!isDossier(given) || given.reference !== reference) return undefined;
  return translate(given);
};

/** A null says the same as an absent field. */
const withoutNulls = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, each]) =>
          each === null ? [] : [[name, withoutNulls(each)]],
        ),
      )
    : value;

const translate = (body: Dossier): InsurerReport | undefined => {
  try {
    const [quotation, proposal, policy] = [quotationIn(body), proposalIn(body), policyIn(body)];
    const unknownWords = {
      ...unknownIn('quotation', QUOTATION_WORDS, body.quotation),
      ...unknownIn('proposal', PROPOSAL_WORDS, body.proposal),
      ...unknownIn('policy', POLICY_WORDS, body.policy),
    };
    return {
      ...(quotation && { quotation }),
      ...(proposal && { proposal }),
      ...(policy && { policy }),
      ...(Object.keys(unknownWords).length > 0 && { unknownWords }),
    };
  } catch (error) {
    if (error instanceof Nonsense || error instanceof RangeError) return undefined;
    throw error;
  }
};

const unknownIn = (
  paper: string,
  table: Readonly<Record<string, unknown>>,
  shown: { readonly status: string } | undefined,
) =>
  shown === undefined || translated(table, shown.status) !== undefined
    ? {}
    : { [paper]: shown.status };

// A paper whose status nobody can read is there all the same: as the least that it can be.
const quotationIn = ({ quotation, policy }: Dossier): InsurerReport['quotation'] => {
  if (quotation === undefined) return undefined;
  const status = translated(QUOTATION_WORDS, quotation.status) ?? 'quoted';
  const { reason: why = '', netPremium, iof, total } = quotation;
  const amounts = { net: cents(netPremium), iof: cents(iof), total: cents(total) };
  const paper = { number: quotation.number, amounts, validUntil: day(quotation.validUntil) };
  const policyNumber = policy?.number ?? '';
  const found: Exclude<Quotation, { status: 'draft' }> =
    status === 'issued'
      ? { ...paper, status, policyNumber }
      : status === 'rejected'
        ? { ...paper, status, reason: why }
        : { ...paper, status };
  return found;
};

const proposalIn = ({ proposal, quotation, policy }: Dossier): Proposal | undefined => {
  if (proposal === undefined) return undefined;
  const status = translated(PROPOSAL_WORDS, proposal.status) ?? 'submitted';
  const paper = { number: proposal.number, quotationNumber: quotation?.number ?? '' };
  if (status === 'policy') return { ...paper, status, policyNumber: policy?.number ?? '' };
  return status === 'rejected'
    ? { ...paper, status, reason: proposal.reason ?? '' }
    : { ...paper, status };
};

const policyIn = ({ policy }: Dossier): Policy | undefined => {
  if (policy === undefined) return undefined;
  const status = translated(POLICY_WORDS, policy.status);
  if (status === undefined) return undefined;
  const period = { start: day(policy.startDate), end: day(policy.endDate) };
  if (period.end < period.start) throw new Nonsense();
  const paper = { number: policy.number, issuedAt: moment(policy.issuedAt), period };
  if (status === 'active') return { ...paper, status };
  return { ...paper, status, cancelledOn: day(policy.cancelledOn ?? policy.endDate) };
};
