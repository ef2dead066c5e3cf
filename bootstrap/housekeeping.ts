import { instantOf } from '#domain';
import { describeFault } from '../application/describe-fault.ts';
import { EVENT_DAYS } from '../application/events/partner-events.ts';
import type { HttpService } from './http.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Events that are deleted by one statement: so many cost other statements little. */
const EVENTS_AT_ONCE = 2_000;

/**
 * Deletes logins that ended over a day ago, and old events, now and every hour. Returns a function
 * that stops it.
 */
export const startHousekeeping = ({
  clock,
  refreshTokens,
  partnerEvents,
  log,
}: Pick<HttpService, 'clock' | 'refreshTokens' | 'partnerEvents' | 'log'>): (() => void) => {
  let isStopped = false;
  const daysAgo = (days: number) => instantOf(new Date(Date.parse(clock.now()) - days * DAY_MS));

  const deleteOldEvents = async (): Promise<void> => {
    const before = daysAgo(EVENT_DAYS);
    let deleted = EVENTS_AT_ONCE;
    while (deleted === EVENTS_AT_ONCE && !isStopped)
      deleted = await partnerEvents.deleteBefore(before, EVENTS_AT_ONCE);
  };
  const tidy = (): void => {
    const failed = (error: unknown): void =>
      log.warn({ fault: describeFault(error) }, 'old logins or events were not deleted');
    refreshTokens.forget(daysAgo(1)).catch(failed);
    deleteOldEvents().catch(failed);
  };

  const timer = setInterval(tidy, HOUR_MS).unref();
  tidy();
  return function stop() {
    isStopped = true;
    clearInterval(timer);
  };
};
