import { instantOf } from '#domain';
import { describeFault } from '../../application/describe-fault.ts';
import { EVENT_DAYS, type PartnerEvents } from '../../application/events/partner-events.ts';
import { CALL_DAYS } from '../../application/providers/provider-calls.ts';
import { REQUEST_DAYS } from '../../application/requests/answered-requests.ts';
import { CARD_HOURS } from '../../application/sales/card-mark.ts';
import { log } from '../composition/infrastructure.ts';
import type { Given } from '../composition/part.ts';
import * as ports from '../composition/ports.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const { clock, refreshTokens, sessions, approvalRequests, sales } = ports;
const { partnerEvents, answeredRequests, providerCalls } = ports;

/** What is tidied up in each group of channels, and what in the control database. */
export const GROUP_HOUSEKEEPING = {
  ...{ clock, partnerEvents, answeredRequests, providerCalls, approvalRequests, sales, log },
};
export const HOUSEKEEPING = { ...GROUP_HOUSEKEEPING, refreshTokens, sessions };

/** Rows that are deleted by one statement: so many cost other statements little. */
const ROWS_AT_ONCE = 2_000;

/**
 * Erases the marks of cards after a day, and deletes logins, sessions and requests that ended over a day ago,
 * and old events, answers to requests and answers of providers, now and every hour. Returns a function that stops it.
 */
export const startHousekeeping = ({
  clock,
  refreshTokens,
  sessions,
  approvalRequests,
  partnerEvents,
  answeredRequests,
  providerCalls,
  sales,
  log,
}: Given<typeof GROUP_HOUSEKEEPING> & Partial<Given<typeof HOUSEKEEPING>>): (() => void) => {
  let isStopped = false;
  const daysAgo = (days: number) => instantOf(new Date(Date.parse(clock.now()) - days * DAY_MS));

  const deleteOld = async (
    from: Pick<PartnerEvents, 'deleteBefore'>,
    days: number,
  ): Promise<void> => {
    const before = daysAgo(days);
    let deleted = ROWS_AT_ONCE;
    while (deleted === ROWS_AT_ONCE && !isStopped)
      deleted = await from.deleteBefore(before, ROWS_AT_ONCE);
  };
  const tidy = (): void => {
    const failed = (error: unknown): void =>
      log.warn(
        { fault: describeFault(error) },
        'old logins, events, answers or marks of cards were not deleted',
      );
    refreshTokens?.forget(daysAgo(1)).catch(failed);
    sessions?.forget(daysAgo(1)).catch(failed);
    approvalRequests.forget(daysAgo(1)).catch(failed);
    deleteOld({ deleteBefore: (at, limit) => sales.forgetCards(at, limit) }, CARD_HOURS / 24).catch(
      failed,
    );
    deleteOld(partnerEvents, EVENT_DAYS).catch(failed);
    deleteOld(answeredRequests, REQUEST_DAYS).catch(failed);
    deleteOld(providerCalls, CALL_DAYS).catch(failed);
  };

  const timer = setInterval(tidy, HOUR_MS).unref();
  tidy();
  return function stop() {
    isStopped = true;
    clearInterval(timer);
  };
};
