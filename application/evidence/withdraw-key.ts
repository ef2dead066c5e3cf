import { type Refusal, refuse } from '#domain';
import type { Actor } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { EvidenceKeys } from './evidence-keys.ts';

type KeyRefusal = Refusal<'key_not_listed'>;

interface Needs {
  readonly evidenceKeys: EvidenceKeys;
  readonly clock: Clock;
}

export type WithdrawKey = (keyId: string, actor: Actor) => Promise<'withdrawn' | KeyRefusal>;

/**
 * Stops publishing a key that has leaked, because a thief could sign evidence with it. Evidence that
 * the key has signed can no longer be checked.
 */
export const makeWithdrawKey = ({ evidenceKeys, clock }: Needs): WithdrawKey =>
  async function withdrawKey(keyId, actor) {
    const outcome = await evidenceKeys.withdraw(keyId, {
      at: clock.now(),
      action: 'key.withdrawn',
      actor,
      subject: `key/${keyId}`,
      reason: null,
      changes: [{ field: 'published', before: true, after: false }],
    });
    return outcome === 'not_listed' ? refuse('key_not_listed') : outcome;
  };
