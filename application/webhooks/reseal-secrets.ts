import type { Actor } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import { retryStale } from '../retry-stale.ts';
import type { WebhookEndpoint, WebhookEndpoints } from './endpoints.ts';
import { webhookSubject } from './manage-webhooks.ts';
import type { SecretSeal } from './webhook-sender.ts';

interface Resealed {
  /** How many endpoints have secrets that the present key seals. */
  readonly resealed: number;
  /** The ids of endpoints whose present secret no known key opens: they stay as they are. */
  readonly lost: readonly string[];
}

/** Seals the secrets of all endpoints with the present key, so that earlier keys can be removed. */
export type ResealSecrets = (actor: Actor) => Promise<Resealed>;

interface Needs {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly secretSeal: SecretSeal;
  readonly clock: Clock;
}

export const makeResealSecrets = ({
  webhookEndpoints,
  secretSeal,
  clock,
}: Needs): ResealSecrets => {
  /** Undefined: the text cannot be opened. */
  const sealAgain = (sealed: string, id: string): string | undefined => {
    const secret = secretSeal.open(sealed, id);
    return secret === undefined ? undefined : secretSeal.seal(secret, id);
  };

  /** The endpoint sealed again, without the secret before if that cannot be opened. */
  const resealedOf = ({ previous, ...endpoint }: WebhookEndpoint): WebhookEndpoint | undefined => {
    const sealedSecret = sealAgain(endpoint.sealedSecret, endpoint.id);
    if (sealedSecret === undefined) return undefined;
    const before = previous && sealAgain(previous.sealedSecret, endpoint.id);
    return {
      ...endpoint,
      sealedSecret,
      ...(previous && before && { previous: { ...previous, sealedSecret: before } }),
    };
  };

  const resealOne = (id: string, actor: Actor): Promise<'resealed' | 'lost' | 'gone'> =>
    retryStale(`the webhook ${id}`, async () => {
      const endpoint = await webhookEndpoints.find(id);
      if (endpoint === undefined) return 'gone';
      const resealed = resealedOf(endpoint);
      if (resealed === undefined) return 'lost';
      const saved = await webhookEndpoints.save(resealed, {
        at: clock.now(),
        action: 'webhook.secret_resealed',
        actor,
        subject: webhookSubject(id),
        reason: null,
        changes: [],
      });
      return saved === 'saved' ? 'resealed' : 'stale';
    });

  return async function resealSecrets(actor) {
    const lost: string[] = [];
    let resealed = 0;
    for (const { id } of await webhookEndpoints.list(undefined)) {
      const outcome = await resealOne(id, actor);
      if (outcome === 'resealed') resealed += 1;
      if (outcome === 'lost') lost.push(id);
    }
    return { resealed, lost };
  };
};
