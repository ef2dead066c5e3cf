import { type CalendarDate, calculatePremium, cents, findIofRate, reais, unwrap } from '#domain';
import { businessDay } from '../../adapters/system/clock.ts';

/** The date in São Paulo, so many days from now. UTC is a day ahead there from 21:00. */
export const inDays = (days: number): CalendarDate => businessDay(Date.now() + days * 86_400_000);

/** IOF and total in reais, as the API shows them, of a net premium in cents that is paid today. */
export const taxedToday = (net: number): { readonly iof: number; readonly total: number } => {
  const rate = unwrap(findIofRate('general', inDays(0)));
  const { iof, total } = calculatePremium(cents(net), 'net', rate, 'half-up');
  return { iof: reais(iof), total: reais(total) };
};
