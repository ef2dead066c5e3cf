import { type Actor, clientSubject, type Origin } from '../audit/audit-log.ts';
import { requestsOf } from '../counters.ts';
import type { Ports } from '../ports.ts';

/** Whoever asks for tokens, before it is known who it is. */
export interface Applicant extends Origin {
  /** What neighbours at one address share: the address or, of IPv6, its first 64 bits. */
  readonly network: string;
}

/** The error codes of RFC 6749, section 5.2, and two for who asks too often. */
export type TokenRefusal =
  | { readonly kind: 'invalid_client' | 'invalid_grant' | 'invalid_scope' }
  /** Of a network, or of a client that has proved who it is. Seconds. */
  | { readonly kind: 'too_many_failures'; readonly retryAfter: number }
  | { readonly kind: 'too_many_requests'; readonly clientId: string; readonly retryAfter: number };

/** So many failures of one network, or refusals of one client, within a minute are answered for what they are. */
const MOST_FAILURES = 30;

/** So many refusals of all together within a minute are written down: a log that nobody may shorten must not be flooded. */
const MOST_ENTRIES = 1_000;

type Needs = Pick<Ports, 'counters' | 'auditLog' | 'clock' | 'requestsPerMinute'>;

/** Why, and to whom, as far as that is known. */
interface Refused {
  readonly reason: 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'foreign_token';
  readonly clientId?: string | undefined;
}

export interface TokenRefusals {
  /** Refuses what may be a guess. Past the limit its network is told to wait. */
  guess(applicant: Applicant, refused: Refused): Promise<TokenRefusal>;
  /** Refuses a client that has proved who it is. Past the limit it is told to wait. */
  known(applicant: Applicant, clientId: string, reason: Refused['reason']): Promise<TokenRefusal>;
  /** Counts a request of a client that has proved who it is; refused past the limit of requests. */
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
    { reason, clientId }: Refused,
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

  /** Writes the first refusal past a limit, and no more until the minute is over. */
  const appendLimited = async (
    name: string,
    applicant: Applicant,
    refused: Refused,
  ): Promise<void> => {
    const { count } = await counters.add(`limited ${name}`);
    if (count === 1) await append(applicant, 'token.attempts_limited', refused);
  };

  const refuse = async (
    name: string,
    applicant: Applicant,
    refused: Refused,
  ): Promise<TokenRefusal> => {
    const { count, resetsIn } = await counters.add(name);
    if (count > MOST_FAILURES) {
      await appendLimited(name, applicant, refused);
      return { kind: 'too_many_failures', retryAfter: resetsIn };
    }
    const entries = await counters.add('token-refusals');
    if (entries.count > MOST_ENTRIES) await appendLimited('token-refusals', applicant, refused);
    else await append(applicant, 'token.refused', refused);
    return { kind: refused.reason === 'foreign_token' ? 'invalid_grant' : refused.reason };
  };

  return {
    guess: (applicant, refused) =>
      refuse(`token-failures ${applicant.network}`, applicant, refused),
    known: (applicant, clientId, reason) =>
      refuse(`token-refusals ${clientId}`, applicant, { reason, clientId }),
    tooMany: async (clientId) => {
      if (requestsPerMinute === 'off') return undefined;
      const { count, resetsIn } = await counters.add(requestsOf(clientId));
      return count > requestsPerMinute
        ? { kind: 'too_many_requests', clientId, retryAfter: resetsIn }
        : undefined;
    },
  };
};
