import type { KeyObject } from 'node:crypto';
import type { Container } from 'inversify';
import { HttpIssuer } from '../adapters/issuance/http.ts';
import { type LocalFile, LocalIssuer } from '../adapters/issuance/local.ts';
import type { JobQueue } from '../adapters/jobs/queue.ts';
import type { Delivery, JobOutcome } from '../adapters/jobs/workers.ts';
import { AsaasGateway } from '../adapters/payment/asaas/gateway.ts';
import { AsaasNotices } from '../adapters/payment/asaas/notices.ts';
import {
  type NoticeManner,
  type SandboxEvent,
  SandboxGateway,
} from '../adapters/payment/sandbox/gateway.ts';
import { SandboxNotices, signedNotice } from '../adapters/payment/sandbox/notices.ts';
import { DatabaseRecords } from '../adapters/persistence/provider-records.ts';
import { remote } from '../adapters/remote/client.ts';
import { secretFor } from '../adapters/security/keyed-hash.ts';
import type { Clock } from '../application/clock.ts';
import type { Config } from './config.ts';
import { bind, bindValue, get } from './token.ts';
import * as t from './tokens.ts';

/** As whom the service presents itself. */
const USER_AGENT = 'insurance-sales/1.0';

/** Seconds until the sandbox tells what it tells late. */
const LATE = 30;

const sandboxSecret = (signingKey: KeyObject): string => secretFor('sandbox notices', signingKey);

/** The payment gateway that the configuration names. */
export const bindGateway = (
  container: Container,
  { gateway, publicUrl }: Config & { readonly publicUrl: string },
): void => {
  const timely = { clock: t.CLOCK };
  if (gateway.kind === 'asaas') {
    const ask = remote({
      url: gateway.url,
      headers: { access_token: gateway.key, 'User-Agent': USER_AGENT },
    });
    bind(container, t.PAYMENTS, timely, ({ clock }) => new AsaasGateway(ask, clock));
    bindValue(container, t.NOTICE_READER, new AsaasNotices(gateway.webhookToken));
    bindValue(container, t.SANDBOX, undefined);
    return;
  }
  const stored = { ...timely, database: t.DATABASE, jobs: t.JOBS };
  bind(container, t.SANDBOX, stored, ({ clock, database, jobs }) => {
    const notify = (event: SandboxEvent, manner: NoticeManner): Promise<void> =>
      notifyBy(jobs, clock, event, manner);
    return new SandboxGateway({
      ledger: new DatabaseRecords(database, 'sandbox_charge'),
      clock,
      publicUrl,
      notify,
    });
  });
  bind(container, t.PAYMENTS, { sandbox: t.SANDBOX }, ({ sandbox }) => sandbox as SandboxGateway);
  const reading = { ...timely, signingKey: t.SIGNING_KEY };
  bind(
    container,
    t.NOTICE_READER,
    reading,
    ({ signingKey, clock }) => new SandboxNotices(sandboxSecret(signingKey), clock),
  );
};

/** A notice bears the same number however often it is told. */
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
  await jobs.enqueueDelivery(notice, manner === 'late' ? LATE : 0);
  if (manner === 'twice') await jobs.enqueueDelivery(notice, 1);
};

/** Takes a notice of the sandbox to the service, as a real gateway would: over HTTP, signed, to its address. */
export const delivererTo =
  (container: Container, address: string) =>
  async ({ id, ...event }: Delivery): Promise<JobOutcome> => {
    const secret = sandboxSecret(get(container, t.SIGNING_KEY));
    const { body, headers } = signedNotice(
      id,
      event as SandboxEvent,
      secret,
      get(container, t.CLOCK).now(),
    );
    const init = {
      method: 'POST',
      body,
      headers: { ...headers, 'Content-Type': 'application/json' },
    };
    const response = await fetch(`${address}/webhooks/payments/sandbox`, {
      ...init,
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    return response.ok ? 'done' : 'later';
  };

/** The insurer that the configuration names. */
export const bindIssuer = (container: Container, { issuer }: Config): void => {
  if (issuer.kind === 'http') {
    const headers = { Authorization: `Bearer ${issuer.token}`, 'User-Agent': USER_AGENT };
    bindValue(container, t.ISSUER, new HttpIssuer(remote({ url: issuer.url, headers })));
    return;
  }
  bind(container, t.ISSUER, { database: t.DATABASE, clock: t.CLOCK }, ({ database, clock }) => {
    const files = new DatabaseRecords<LocalFile>(database, 'local_policy');
    return new LocalIssuer({
      files,
      numbers: new DatabaseRecords(database, 'local_number'),
      clock,
    });
  });
};
