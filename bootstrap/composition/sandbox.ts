import type { KeyObject } from 'node:crypto';
import { ContainerModule } from 'inversify';
import type { JobQueue } from '../../adapters/jobs/queue.ts';
import type { Delivery, JobOutcome } from '../../adapters/jobs/workers.ts';
import {
  type NoticeManner,
  type SandboxEvent,
  SandboxGateway,
} from '../../adapters/payment/sandbox/sandbox-gateway.ts';
import type { SandboxFile } from '../../adapters/payment/sandbox/sandbox-ledger.ts';
import { SandboxNotices, signNotice } from '../../adapters/payment/sandbox/sandbox-notices.ts';
import { DatabaseRecords } from '../../adapters/persistence/operations/provider-records.ts';
import { deriveSecret } from '../../adapters/security/keyed-hash.ts';
import type { Clock } from '../../application/clock.ts';
import * as own from './infrastructure.ts';
import { builder } from './part.ts';
import { clock, linkUrl, noticeReader, payments } from './ports.ts';

/** Delay of a notice that the sandbox sends late, in seconds. */
const LATE_NOTICE_SECONDS = 30;

const sandboxSecret = (signingKey: KeyObject): string =>
  deriveSecret('sandbox notices', signingKey);

/** A payment gateway of the service itself, for tests. */
export const sandboxModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  const { database, jobs, sandbox, signingKey } = own;
  build(sandbox, { clock, database, jobs, linkUrl }, ({ clock: time, jobs: queue, ...given }) => {
    const ledger = new DatabaseRecords<SandboxFile>(given.database, 'sandbox_charge');
    const notify = (event: SandboxEvent, manner: NoticeManner): Promise<void> =>
      notifyBy(queue, time, event, manner);
    return new SandboxGateway({ ledger, clock: time, publicUrl: given.linkUrl, notify });
  });
  build(payments, { sandbox }, (given) => given.sandbox);
  build(noticeReader, { signingKey, clock }, (given) => {
    return new SandboxNotices(sandboxSecret(given.signingKey), given.clock);
  });
  build(own.deliverNotice, { signingKey, clock }, makeDeliverNotice);
});

/** Queues the delivery of a notice; each copy of a notice has the same id. */
const notifyBy = async (
  jobs: JobQueue,
  time: Clock,
  event: SandboxEvent,
  manner: NoticeManner,
): Promise<void> => {
  if (manner === 'never') return;
  const notice: Delivery = {
    ...event,
    id: `evt_${event.chargeId}_${event.event}_${Date.parse(time.now())}`,
  };
  await jobs.enqueueDelivery(notice, manner === 'late' ? LATE_NOTICE_SECONDS : 0);
  if (manner === 'twice') await jobs.enqueueDelivery(notice, 1);
};

interface Delivering {
  readonly signingKey: KeyObject;
  readonly clock: Clock;
}

/** Delivers a notice of the sandbox as a real gateway would: over HTTP, signed, to `address`. */
const makeDeliverNotice =
  ({ signingKey, clock: time }: Delivering) =>
  (address: string) =>
    async function deliverNotice({ id, ...event }: Delivery): Promise<JobOutcome> {
      const secret = sandboxSecret(signingKey);
      const { body, headers } = signNotice(id, event as SandboxEvent, secret, time.now());
      const response = await fetch(`${address}/webhooks/payments/sandbox`, {
        method: 'POST',
        body,
        headers: { ...headers, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(10_000),
      });
      await response.body?.cancel();
      return response.ok ? 'done' : 'later';
    };
