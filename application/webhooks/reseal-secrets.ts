import type { Actor } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
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

/** Max tries when others change the endpoint at the same time. */
const MAX_TRIES = 100;

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

  /** Without the secret before, if that cannot be opened. */
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

  const resealOne = async (id: string, actor: Actor): Promise<'resealed' | 'lost' | 'gone'> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
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
      if (saved === 'saved') return 'resealed';
    }
    throw new Error(`the webhook ${id} is being changed by too many at once`);
  };

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
