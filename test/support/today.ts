import {
  businessDay,
  type CalendarDate,
  calculatePremium,
  cents,
  findIofRate,
  IOF_CLASSES,
  instantOf,
  toReais,
  unwrap,
} from '#domain';
import { rowsIn } from './postgres.ts';

/** The date in São Paulo, so many days from now. UTC is a day ahead there from 21:00. */
export const inDays = (days: number): CalendarDate =>
  businessDay(instantOf(new Date(Date.now() + days * 86_400_000)));

/** IOF and total in reais, as the API shows them, of a net premium in cents that is paid today. */
export const taxedToday = (net: number): { readonly iof: number; readonly total: number } => {
  const rate = unwrap(findIofRate('general', inDays(0)));
  const { iof, total } = calculatePremium(cents(net), 'net', rate, 'half-up');
  return { iof: toReais(iof), total: toReais(total) };
};

/** Lets a service tax sales of today as those of another day, also where the law has changed since. */
export const keepTaxOf = async (day: CalendarDate, databaseUrl: string): Promise<void> => {
  for (const iofClass of IOF_CLASSES) {
    const [then, now] = [day, inDays(0)].map((each) => unwrap(findIofRate(iofClass, each)).rate);
    if (then !== now)
      await rowsIn(
        databaseUrl,
        `insert into iof_rate (iof_class, valid_from, rate, legal_basis, added_at)
        values ($1, $2, $3, 'as before', now())`,
        [iofClass, inDays(0), then],
      );
  }
};
