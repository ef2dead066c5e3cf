import { addDays, type CalendarDate } from '../values/calendar.ts';

/**
 * Time limits that the law sets. `withdrawal`: the insured withdraws with a full refund. `policy`: the
 * insurer refuses a proposal, and else has accepted it. `certificate`: the insured gets the document
 * of the contract. `claim_decision` and `claim_payment`: the insurer decides about a claim, and pays
 * it. `refund`: a channel confirms a refund that it owes.
 */
export const LEGAL_PERIOD_KINDS = [
  'withdrawal',
  'policy',
  'certificate',
  'claim_decision',
  'claim_payment',
  'refund',
] as const;

export type LegalPeriodKind = (typeof LEGAL_PERIOD_KINDS)[number];

/** A time limit for contracts made since a day, until a later row of the kind replaces it. */
export interface LegalPeriod {
  readonly kind: LegalPeriodKind;
  /** The first day of contracts, inclusive. */
  readonly from: CalendarDate;
  readonly days: number;
  /** The legal text that sets the time limit. */
  readonly source: string;
}

const row = (kind: LegalPeriodKind, from: string, days: number, source: string): LegalPeriod =>
  Object.freeze({ kind, from: from as CalendarDate, days, source });

/** Lei 15.040/2024, of 2024-12-09, is in force one year after its publication (art. 134). */
const INSURANCE_LAW = '2025-12-11';

/**
 * The time limits set by law, in the order of their days. The text of Resolução CNSP 496/2026, in
 * force from 2027-01-05, was not read: it has no row.
 */
export const LEGAL_PERIODS: readonly LegalPeriod[] = Object.freeze([
  row('withdrawal', '1991-03-11', 7, 'Código de Defesa do Consumidor, art. 49'),
  row('policy', INSURANCE_LAW, 25, 'Lei 15.040/2024, art. 49'),
  row('certificate', INSURANCE_LAW, 30, 'Lei 15.040/2024, art. 55'),
  row('claim_decision', INSURANCE_LAW, 30, 'Lei 15.040/2024, art. 86'),
  row('claim_payment', INSURANCE_LAW, 30, 'Lei 15.040/2024, art. 87'),
  row('refund', INSURANCE_LAW, 15, 'o prazo deste serviço'),
]);

/** The rows of a kind, in the order of their days. @throws RangeError if there is none */
const rowsOf = (
  kind: LegalPeriodKind,
  rows: readonly LegalPeriod[],
): readonly [first: LegalPeriod, ...later: LegalPeriod[]] => {
  const [first, ...later] = rows
    .filter((each) => each.kind === kind)
    .sort((one, other) => one.from.localeCompare(other.from));
  if (first === undefined) throw new RangeError(`there is no legal period ${kind}`);
  return [first, ...later];
};

/**
 * Finds the time limit of a contract by the day on which it was made. The first row also holds for
 * contracts before its day.
 *
 * @example findLegalPeriod('withdrawal', on).days // 7
 */
export const findLegalPeriod = (
  kind: LegalPeriodKind,
  contractedOn: CalendarDate,
  rows: readonly LegalPeriod[] = LEGAL_PERIODS,
): LegalPeriod => {
  const [first, ...later] = rowsOf(kind, rows);
  return later.filter(({ from }) => from <= contractedOn).at(-1) ?? first;
};

/**
 * The latest day of contracts whose time limit ends on a day, or before. In the days after a shorter
 * time limit begins, contracts before it count with the later ones: some days early, never late.
 */
export const lastContractDayOver = (
  kind: LegalPeriodKind,
  today: CalendarDate,
  rows: readonly LegalPeriod[] = LEGAL_PERIODS,
): CalendarDate => {
  const [first, ...later] = rowsOf(kind, rows);
  const dayOver = ({ days }: LegalPeriod): CalendarDate => addDays(today, -days);
  const newest = later.filter((each) => each.from <= dayOver(each)).at(-1) ?? first;
  // The first row is not in `later`: after -1, the next one is `later[0]`.
  const next = later[later.indexOf(newest) + 1];
  const over = dayOver(newest);
  return next !== undefined && next.from <= over ? addDays(next.from, -1) : over;
};
