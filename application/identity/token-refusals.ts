import { type Refusal, refuse } from '#domain';
import { type Actor, type AuditLog, clientSubject, type Origin } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Counters } from '../counters.ts';
import { requestsOf } from './clients.ts';

/** Error codes of RFC 6749 section 5.2, and two rate limits with the seconds to wait. */
export type TokenRefusal =
  | Refusal<'invalid_client' | 'invalid_grant' | 'invalid_scope'>
  /** Limit of failures of a network or of an authenticated client. */
  | (Refusal<'too_many_failures'> & { readonly retryAfter: number })
  | (Refusal<'too_many_requests'> & { readonly clientId: string; readonly retryAfter: number });

/** A caller that asks for tokens, before it is authenticated. */
export interface Applicant extends Origin {
  /** Shared by neighbours: the address or, for IPv6, its first 64 bits. */
  readonly network: string;
}

/** Failures per minute of one network, or refusals of one client, that get their real reason. */
export const MAX_FAILURES = 30;

/**
 * Audit entries per minute for all refusals together: an attack must not flood a log that is never
 * deleted.
 */
const MAX_ENTRIES = 1_000;

interface Needs {
  readonly counters: Counters;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly requestsPerMinute: number | 'off';
}

/** Reason, and the client if known. */
interface FailedAttempt {
  readonly reason: 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'foreign_token';
  readonly clientId?: string | undefined;
}

export interface TokenRefusals {
  /** Refuses a possible guess. Past the limit, the network has to wait. */
  guess(applicant: Applicant, attempt: FailedAttempt): Promise<TokenRefusal>;
  /** Refuses an authenticated client. Past the limit, it has to wait. */
  known(
    applicant: Applicant,
    clientId: string,
    reason: FailedAttempt['reason'],
  ): Promise<TokenRefusal>;
  /** Counts a request of an authenticated client; refuses it past the limit. */
  tooMany(clientId: string): Promise<TokenRefusal | undefined>;
}

export const nobody = ({ address, requestId }: Applicant): Actor => ({
  kind: 'unknown',
  name: null,
  address,
  requestId,
});

export const makeTokenRefusals = ({
  counters,
  auditLog,
  clock,
  requestsPerMinute,
}: Needs): TokenRefusals => {
  const append = (
    applicant: Applicant,
    action: 'token.refused' | 'token.attempts_limited',
    { reason, clientId }: FailedAttempt,
  ) => {
    const subject = clientId === undefined ? null : clientSubject(clientId);
    return auditLog.append({
      at: clock.now(),
      action,
      actor: nobody(applicant),
      subject,
      reason,
      changes: [],
    });
  };

  /** Writes the first refusal past a limit in each minute. */
  const appendLimited = async (
    name: string,
    applicant: Applicant,
    attempt: FailedAttempt,
  ): Promise<void> => {
    const { count } = counters.add(`limited ${name}`);
    if (count === 1) await append(applicant, 'token.attempts_limited', attempt);
  };

  const refuseOnce = async (
    name: string,
    applicant: Applicant,
    attempt: FailedAttempt,
  ): Promise<TokenRefusal> => {
    const { count, resetsIn } = counters.add(name);
    if (count > MAX_FAILURES) {
      await appendLimited(name, applicant, attempt);
      return { ...refuse('too_many_failures'), retryAfter: resetsIn };
    }
    const entries = counters.add('token-refusals');
    if (entries.count > MAX_ENTRIES) await appendLimited('token-refusals', applicant, attempt);
    else await append(applicant, 'token.refused', attempt);
    return refuse(attempt.reason === 'foreign_token' ? 'invalid_grant' : attempt.reason);
  };

  return {
    guess: (applicant, attempt) =>
      refuseOnce(`token-failures ${applicant.network}`, applicant, attempt),
    known: (applicant, clientId, reason) =>
      refuseOnce(`token-refusals ${clientId}`, applicant, { reason, clientId }),
    tooMany: async (clientId) => {
      if (requestsPerMinute === 'off') return undefined;
      const { count, resetsIn } = counters.add(requestsOf(clientId));
      return count > requestsPerMinute
        ? { ...refuse('too_many_requests'), clientId, retryAfter: resetsIn }
        : undefined;
    },
  };
};
