import type { Actor, AuditLog, Origin } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Counters } from '../counters.ts';

/** Whoever asks for tokens, before it is known who it is. */
export interface Applicant extends Origin {
  /** What neighbours at one address share: the address or, of IPv6, its first 64 bits. */
  readonly network: string;
}

/** The error codes of RFC 6749, section 5.2, and one for a network that has failed too often. */
export type TokenRefusal =
  | { readonly kind: 'invalid_client' | 'invalid_grant' | 'invalid_scope' }
  /** Seconds. */
  | { readonly kind: 'too_many_failures'; readonly retryAfter: number };

/** So many failures of one network within a minute are answered for what they are. */
const MOST_FAILURES = 30;

export interface TokenRefusalsParts {
  readonly counters: Counters;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
}

/** Why, and to whom, as far as that is known. */
interface Refused {
  readonly reason: 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'foreign_token';
  readonly clientId?: string | undefined;
}

export interface TokenRefusals {
  /** Counts a failure that may be a guess. Past the limit its network is told to wait, and the audit log only that it was. */
  guess(applicant: Applicant, refused: Refused): Promise<TokenRefusal>;
  /** Writes down a refusal that is no guess, of a client that has proved who it is. */
  note(applicant: Applicant, refused: Refused): Promise<void>;
}

export const nobody = ({ address, requestId }: Applicant): Actor => ({ kind: 'unknown', name: null, address, requestId });

export const tokenRefusals = ({ counters, auditLog, clock }: TokenRefusalsParts): TokenRefusals => {
  const append = (applicant: Applicant, action: 'token.refused' | 'token.attempts_limited', { reason, clientId }: Refused) => {
    const subject = clientId === undefined ? null : `api-client/${clientId}`;
    return auditLog.append({ at: clock.now(), action, actor: nobody(applicant), subject, reason, changes: [] });
  };

  return {
    guess: async (applicant, refused) => {
      const { count, resetsIn } = await counters.add(`token-failures ${applicant.network}`);
      // The log of a flood would be a flood: it gets the first refusal past the limit, and no more until the minute is over.
      if (count === MOST_FAILURES + 1) await append(applicant, 'token.attempts_limited', refused);
      if (count > MOST_FAILURES) return { kind: 'too_many_failures', retryAfter: resetsIn };
      await append(applicant, 'token.refused', refused);
      return { kind: refused.reason === 'invalid_client' ? 'invalid_client' : 'invalid_grant' };
    },
    note: (applicant, refused) => append(applicant, 'token.refused', refused),
  };
};
