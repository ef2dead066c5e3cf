import type { Workers } from '../adapters/jobs/workers.ts';
import { mailingId } from '../application/mailing-name.ts';
import type { Service } from './parts.ts';
import { makeDeliverNotice } from './providers.ts';

/** The jobs' workers. `address`: where this process listens, to deliver the sandbox's notices. */
export const makeWorkers = (service: Service, address: string): Workers => {
  const { useCases, alerts, noteAlerts, alertRecords, log, clock } = service;
  const { mailings, jobs, partnerEvents, deliveries, noteProviderCalls } = service;
  const { advanceSale, takeNotices, mailInsured } = useCases;

  return {
    resumeSale: async (id) => {
      const advanced = await noteProviderCalls.watch(id, () => advanceSale.claimed(id));
      if (advanced === 'unknown_sale') return 'done';
      if (advanced === 'busy' || advanced.kind === 'waiting') return 'later';
      if (advanced.kind === 'settled') return 'done';
      return { kind: 'await_payer', closesAt: advanced.closesAt };
    },
    stuck: async (saleId, tries) => {
      alerts.raise({ kind: 'sale_stuck', saleId, tries });
      // Stored before the job is: a kill right now loses no alert. A failure is repeated later.
      await noteAlerts.flush().catch(() => {});
    },
    findStuck: async (saleId) => {
      const query = { status: 'open', kind: 'sale_stuck', saleId, limit: 1 } as const;
      const [open] = await alertRecords.list(query);
      return open;
    },
    unstuck: (seen, tries) =>
      alertRecords.settle(seen, clock.now(), `The sale went on after ${tries} tries.`),
    processNotice: (id) => takeNotices.process(id),
    deliver: makeDeliverNotice(service, address),
    mail: async (name) => {
      const outcome = await mailInsured.send(name);
      const mailing = mailingId(name);
      if (outcome.kind !== 'done') log.warn({ mailing, ...outcome }, 'a mail was not taken');
      return outcome;
    },
    giveUpMail: (name, reason) => mailInsured.giveUp(name, reason),
    watchLegalClocks: () => useCases.watchLegalClocks(),
    settleAlerts: () => useCases.settleAlerts(),
    tellAlerts: async () => {
      const { told, failed } = await useCases.tellAlerts();
      for (const { kind, ...each } of failed)
        log.warn({ alertKind: kind, ...each }, 'an operator was not told of alerts');
      return told > 0 ? 'more' : 'done';
    },
    givePlaces: () => partnerEvents.givePlaces(clock.now()),
    dueEndpoints: (limit) => deliveries.dueEndpoints(clock.now(), limit),
    sendWebhooks: async (run) => {
      const failed = await useCases.sendDeliveries(run);
      const { endpointId } = run;
      for (const each of failed) log.warn({ endpointId, ...each }, 'a webhook was not taken');
    },
    replayEvents: (limit) => useCases.replayEvents(limit),
    handOverMail: (most) =>
      mailings.handOver(most, (names, inside) => jobs.enqueueMails(names, inside)),
  };
};
