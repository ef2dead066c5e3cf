import type { KeyObject } from 'node:crypto';
import { HttpIssuer } from '../adapters/issuance/http-issuer.ts';
import { type LocalFile, LocalIssuer } from '../adapters/issuance/local-issuer.ts';
import type { JobQueue } from '../adapters/jobs/queue.ts';
import type { Delivery, JobOutcome } from '../adapters/jobs/workers.ts';
import { AsaasGateway } from '../adapters/payment/asaas/asaas-gateway.ts';
import { AsaasNotices } from '../adapters/payment/asaas/asaas-notices.ts';
import {
  type NoticeManner,
  type SandboxEvent,
  SandboxGateway,
} from '../adapters/payment/sandbox/sandbox-gateway.ts';
import type { SandboxFile } from '../adapters/payment/sandbox/sandbox-ledger.ts';
import { SandboxNotices, signNotice } from '../adapters/payment/sandbox/sandbox-notices.ts';
import { DatabaseRecords } from '../adapters/persistence/provider-records.ts';
import { createProviderClient } from '../adapters/remote/provider-client.ts';
import { deriveSecret } from '../adapters/security/keyed-hash.ts';
import type { Clock } from '../application/clock.ts';
import { observeIssuer, observePayments } from '../application/providers/observe-providers.ts';
import type { Config } from './config.ts';
import type { Service, ServiceConfig } from './parts.ts';
import type { Registry } from './registry.ts';

/** Sent to gateway and insurer with each request. */
const USER_AGENT = 'insurance-sales/1.0';

const REFUSED = 'a provider refuses the key or token of this service';

/** Delay of a notice that the sandbox sends late, in seconds. */
const LATE_NOTICE_SECONDS = 30;

const sandboxSecret = (signingKey: KeyObject): string =>
  deriveSecret('sandbox notices', signingKey);

/** Binds the payment gateway that the configuration names. */
export const bindGateway = (
  registry: Registry<Service>,
  { gateway, publicUrl }: ServiceConfig,
): void => {
  if (gateway.kind === 'asaas') {
    const headers = { access_token: gateway.key, 'User-Agent': USER_AGENT };
    registry
      .bind('sandbox', () => undefined)
      .bind('payments', ({ clock, currentRequestId, observeCall, log }) => {
        const client = createProviderClient({
          ...{ url: gateway.url, headers, currentRequestId },
          credentialsRefused: (status) => log.warn({ provider: 'asaas', status }, REFUSED),
        });
        return observePayments(new AsaasGateway(client, clock), observeCall);
      })
      .bind('noticeReader', () => new AsaasNotices(gateway.webhookToken));
    return;
  }

  registry
    .bind('sandbox', ({ clock, database, jobs }) => {
      const ledger = new DatabaseRecords<SandboxFile>(database, 'sandbox_charge');
      const notify = (event: SandboxEvent, manner: NoticeManner): Promise<void> =>
        notifyBy(jobs, clock, event, manner);
      return new SandboxGateway({ ledger, clock, publicUrl, notify });
    })
    .bind('payments', ({ sandbox, observeCall }) => {
      return observePayments(sandbox as SandboxGateway, observeCall);
    })
    .bind('noticeReader', ({ signingKey, clock }) => {
      return new SandboxNotices(sandboxSecret(signingKey), clock);
    });
};

/** Queues the delivery of a notice; each copy of a notice has the same id. */
const notifyBy = async (
  jobs: JobQueue,
  clock: Clock,
  event: SandboxEvent,
  manner: NoticeManner,
): Promise<void> => {
  if (manner === 'never') return;
  const notice: Delivery = {
    ...event,
    id: `evt_${event.chargeId}_${event.event}_${Date.parse(clock.now())}`,
  };
  await jobs.enqueueDelivery(notice, manner === 'late' ? LATE_NOTICE_SECONDS : 0);
  if (manner === 'twice') await jobs.enqueueDelivery(notice, 1);
};

/** Delivers a notice of the sandbox as a real gateway would: over HTTP, signed, to `address`. */
export const makeDeliverNotice = ({ signingKey, clock }: Service, address: string) =>
  async function deliverNotice({ id, ...event }: Delivery): Promise<JobOutcome> {
    const secret = sandboxSecret(signingKey);
    const { body, headers } = signNotice(id, event as SandboxEvent, secret, clock.now());
    const response = await fetch(`${address}/webhooks/payments/sandbox`, {
      method: 'POST',
      body,
      headers: { ...headers, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    return response.ok ? 'done' : 'later';
  };

/** Binds the insurer that the configuration names. */
export const bindIssuer = (registry: Registry<Service>, { issuer }: Config): void => {
  if (issuer.kind === 'http') {
    const headers = { Authorization: `Bearer ${issuer.token}`, 'User-Agent': USER_AGENT };
    registry.bind('issuer', ({ currentRequestId, observeCall, log }) => {
      const client = createProviderClient({
        ...{ url: issuer.url, headers, currentRequestId },
        credentialsRefused: (status) => log.warn({ provider: 'insurer', status }, REFUSED),
      });
      return observeIssuer(new HttpIssuer(client), observeCall);
    });
    return;
  }

  registry.bind('issuer', ({ database, clock, observeCall }) => {
    const files = new DatabaseRecords<LocalFile>(database, 'local_policy');
    const numbers = new DatabaseRecords<number>(database, 'local_number');
    return observeIssuer(new LocalIssuer({ files, numbers, clock }), observeCall);
  });
};
