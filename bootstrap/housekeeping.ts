import { instantOf } from '#domain';
import { describeFault } from '../application/describe-fault.ts';
import type { Service } from './parts.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Deletes logins that ended over a day ago, now and every hour. Returns a function that stops it. */
export const startHousekeeping = ({
  clock,
  refreshTokens,
  log,
}: Pick<Service, 'clock' | 'refreshTokens' | 'log'>): (() => void) => {
  const deleteOldLogins = (): void => {
    const dayAgo = instantOf(new Date(Date.parse(clock.now()) - DAY_MS));
    const failed = (error: unknown) =>
      log.warn({ fault: describeFault(error) }, 'old logins were not forgotten');
    refreshTokens.forget(dayAgo).catch(failed);
  };

  const timer = setInterval(deleteOldLogins, HOUR_MS).unref();
  deleteOldLogins();
  return () => clearInterval(timer);
};
