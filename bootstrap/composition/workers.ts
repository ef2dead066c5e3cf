import { ContainerModule } from 'inversify';
import type { Workers } from '../../adapters/jobs/workers.ts';
import { mailingId } from '../../application/mailing-name.ts';
import {
  followBookings,
  followSales,
  notifyOperators,
  replayEvents,
  sendDeliveries,
  settleAlerts,
} from './channel-use-cases.ts';
import { deliverNotice, eventPlaces, log, metrics, workers } from './infrastructure.ts';
import { alertNotes, providerCallNotes } from './observed.ts';
import { builder, type Given, maybe } from './part.ts';
import { alertRecords, alerts, clock, deliveries } from './ports.ts';
import { advanceSale, mailInsured, takeNotices, watchLegalClocks } from './sale-use-cases.ts';

const NEEDS = {
  ...{ advanceSale, takeNotices, mailInsured, watchLegalClocks },
  ...{ settleAlerts, notifyOperators, sendDeliveries, replayEvents, followSales },
  ...{ followBookings },
  ...{ alertNotes, providerCallNotes, alerts, alertRecords, clock, deliveries },
  ...{ log, eventPlaces },
  ...{ deliverNotice: maybe(deliverNotice), metrics: maybe(metrics) },
};

export const workersModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  build(workers, NEEDS, makeWorkers);
});

const makeWorkers =
  (given: Given<typeof NEEDS>) =>
  (address: string): Workers => {
    const { advanceSale, takeNotices, mailInsured, alertNotes, providerCallNotes } = given;
    const { alerts, alertRecords, clock, deliveries, log, eventPlaces } = given;

    return {
      resumeSale: async (id) => {
        const advanced = await providerCallNotes.watch(id, () => advanceSale.claimed(id));
        if (advanced === 'unknown_sale') return 'done';
        if (advanced === 'busy' || advanced.kind === 'waiting') return 'later';
        if (advanced.kind === 'settled') return 'done';
        return { kind: 'await_payer', closesAt: advanced.closesAt };
      },
      stuck: async (saleId, tries) => {
        alerts.raise({ kind: 'sale_stuck', saleId, tries });
        // Stored before the job is: a kill right now loses no alert. A failure is repeated later.
        await alertNotes.flush().catch(() => {});
      },
      findStuck: async (saleId) => {
        const query = { status: 'open', kind: 'sale_stuck', saleId, limit: 1 } as const;
        const [open] = await alertRecords.list(query);
        return open;
      },
      unstuck: (seen, tries) =>
        alertRecords.settle(seen, clock.now(), `The sale went on after ${tries} tries.`),
      processNotice: (id, gateway) => takeNotices.process(gateway, id),
      // A notice of a sandbox that is no longer configured goes nowhere.
      deliver: given.deliverNotice?.(address) ?? (async () => 'done'),
      sendMails: async (limit) => {
        const { taken, sent, failed } = await mailInsured(limit);
        if (sent > 0) given.metrics?.countMails('sent', sent);
        for (const { saleId, number, ...each } of failed) {
          given.metrics?.countMails(each.kind, 1);
          log.warn({ mailing: mailingId({ saleId, number }), ...each }, 'a mail was not taken');
        }
        return taken;
      },
      watchLegalClocks: given.watchLegalClocks,
      settleAlerts: given.settleAlerts,
      notifyOperators: async () => {
        const { told, failed } = await given.notifyOperators();
        for (const { kind, ...each } of failed)
          log.warn({ alertKind: kind, ...each }, 'an operator was not told of alerts');
        return told > 0 ? 'more' : 'done';
      },
      givePlaces: () => eventPlaces.givePlaces(clock.now()),
      dueEndpoints: (limit) => deliveries.dueEndpoints(clock.now(), limit),
      sendWebhooks: async (run) => {
        const failed = await given.sendDeliveries(run);
        const { endpointId } = run;
        for (const each of failed) log.warn({ endpointId, ...each }, 'a webhook was not taken');
      },
      replayEvents: given.replayEvents,
      followSales: given.followSales,
      followBookings: given.followBookings,
    };
  };
