import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock, Timers } from '../clock.ts';
import type { Counters } from '../counters.ts';
import type { Secrets } from '../identity/secrets.ts';
import { type Applicant, nobody } from '../identity/token-refusals.ts';

/** Tries to sign in per minute from one network. */
const MAX_TRIES = 30;

/** Tries for one address in a minute that are answered at once. */
const FREE_TRIES = 3;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** Audit entries per minute for all refusals together: an attack must not flood the log. */
const MAX_ENTRIES = 1_000;

interface Needs {
  readonly counters: Counters;
  readonly secrets: Secrets;
  readonly timers: Timers;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
}

export interface WrongTries {
  /**
   * Counts a try before anything is looked up, and lets it wait where there were many for the same
   * name. A name is never refused, known or not: nobody can lock another person out.
   *
   * @param name the e-mail or link that was given
   * @returns seconds to wait, if the network has tried too often
   */
  count(applicant: Applicant, name: string): Promise<number | undefined>;
  /** Writes a refusal to the audit log, also for a name that nobody has. */
  note(applicant: Applicant, subject: string | null): Promise<void>;
}

export const makeWrongTries = ({
  counters,
  secrets,
  timers,
  auditLog,
  clock,
}: Needs): WrongTries => ({
  async count({ network }, name) {
    const ofNetwork = counters.add(`sign-ins ${network}`);
    if (ofNetwork.count > MAX_TRIES) return ofNetwork.resetsIn;
    // As a hash: counters are stored.
    const { count } = counters.add(`sign-ins as ${secrets.hash(name)}`);
    const more = count - FREE_TRIES;
    if (more > 0) await timers.pause(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (more - 1)));
    return undefined;
  },
  async note(applicant, subject) {
    if (counters.add('sign-in refusals').count > MAX_ENTRIES) return;
    const actor = nobody(applicant);
    await auditLog.append({
      ...{ at: clock.now(), action: 'session.refused', actor, subject },
      ...{ reason: null, changes: [] },
    });
  },
});
