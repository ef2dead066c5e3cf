import { type CalendarDate, type Instant, plus } from '#domain';
import { type Answers, askGroups, type InGroups } from '../groups/in-groups.ts';
import type {
  BookingTotals,
  SummedBookings,
  SummedOffers,
  Totals,
  TotalsQuery,
} from '../totals/booking-totals.ts';

/** The totals of all groups of channels, without those that do not answer. */
export type ReadTotals = (
  query: TotalsQuery,
) => Promise<Totals & Pick<Answers<never>, 'incomplete'>>;

interface Needs {
  readonly groupViews: InGroups<{ readonly bookingTotals: Pick<BookingTotals, 'read'> }>;
}

export const makeReadTotals =
  ({ groupViews }: Needs): ReadTotals =>
  async (query) => {
    const { found, incomplete } = await askGroups(groupViews(), (view) =>
      view.bookingTotals.read(query),
    );
    return { ...addTotals([...found.values()]), incomplete };
  };

const addTotals = (all: readonly Totals[]): Totals => {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  return {
    asOf: earliest<Instant>(all.map(({ asOf }) => asOf)),
    since: first<CalendarDate>(all.map(({ since }) => since)),
    sums: addByKey(
      all.flatMap(({ sums }) => sums),
      addBookings,
    ),
    offers: addByKey(
      all.flatMap(({ offers }) => offers),
      addOffers,
    ),
  };
};

/** The first; null where one is null. */
const earliest = <Text extends string>(all: readonly (Text | null)[]): Text | null =>
  all.includes(null) ? null : first(all);

/** The first of those that are not null. */
const first = <Text extends string>(all: readonly (Text | null)[]): Text | null =>
  all.filter((each) => each !== null).sort()[0] ?? null;

/** Adds what has the same key and kind, in the order of the keys. */
const addByKey = <Summed extends { readonly key: string; readonly kind: string }>(
  all: readonly Summed[],
  add: (one: Summed, other: Summed) => Summed,
): readonly Summed[] =>
  [...Map.groupBy(all, ({ key, kind }) => `${key}\n${kind}`)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, same]) => same.reduce(add));

const addBookings = (one: SummedBookings, other: SummedBookings): SummedBookings => ({
  ...one,
  lines: one.lines + other.lines,
  net: plus(one.net, other.net),
  iof: plus(one.iof, other.iof),
  total: plus(one.total, other.total),
  commission: plus(one.commission, other.commission),
  netAmount: plus(one.netAmount, other.netAmount),
  owedByChannel: plus(one.owedByChannel, other.owedByChannel),
  owedToChannel: plus(one.owedToChannel, other.owedToChannel),
});

const addOffers = (one: SummedOffers, other: SummedOffers): SummedOffers => ({
  ...one,
  lines: one.lines + other.lines,
  total: plus(one.total, other.total),
});
