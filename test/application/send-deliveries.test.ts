import { expect } from 'chai';
import type { Instant } from '#domain';
import type { WebhookEndpoint } from '../../application/webhooks/endpoints.ts';
import { SCHEDULE_MS } from '../../application/webhooks/schedule.ts';
import { MOST_AT_ONCE, SENT_AT_ONCE } from '../../application/webhooks/send-deliveries.ts';
import type { SendOutcome, WebhookMessage } from '../../application/webhooks/webhook-sender.ts';
import { type MemoryService, memoryService } from '../../bootstrap/composition/memory.ts';
import { entry } from '../support/identity.ts';

const DAY_SECONDS = 86_400;

const ID = 'whe_1';
const CHANNEL = 'canal-demo';

const answered = (status: number, over: object = {}): SendOutcome => ({
  ...{ kind: 'answered', status, answer: `answer ${status}`, ms: 7 },
  ...over,
});

describe('sending webhooks', () => {
  let service: MemoryService;
  let secret: string;

  const add = async (over: Partial<WebhookEndpoint> = {}): Promise<void> => {
    const { secretSeal, webhookEndpoints, clock } = service;
    secret = secretSeal.makeSecret();
    const added: WebhookEndpoint = {
      ...{ id: ID, channelLink: CHANNEL, url: 'https://partner.example/hook', events: [] },
      ...{ createdAt: clock.now(), sealedSecret: secretSeal.seal(secret, ID), version: 1 },
      ...over,
    };
    await webhookEndpoints.add(added, 20, entry());
  };
  /** Events for the endpoint. */
  const happen = async (count = 1): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push(await service.partnerEvents.requestTest(CHANNEL, ID, service.clock.now()));
    return ids;
  };
  const send = async (over: object = {}) => {
    const [due] = await service.deliveries.dueEndpoints(service.clock.now(), 1);
    const { isFailing = false } = due ?? {};
    const run = { endpointId: ID, isFailing, onAnswered: () => {}, ...over };
    return service.useCases.sendDeliveries({ stopping: new AbortController().signal, ...run });
  };
  const answer = (...outcomes: readonly [SendOutcome, ...SendOutcome[]]): void => {
    const rest = [...outcomes];
    service.webhookSender.answer(() => (rest.length > 1 ? rest.shift() : rest[0]) as SendOutcome);
  };
  const endpoint = async (): Promise<WebhookEndpoint> =>
    (await service.webhookEndpoints.find(ID)) as WebhookEndpoint;
  const deliveries = () => service.deliveries.list({ endpointId: ID, limit: 100 });
  const sent = (): readonly WebhookMessage[] => service.webhookSender.sent;
  const at = (seconds: number): Instant =>
    new Date(Date.parse(service.clock.now()) + seconds * 1_000).toISOString() as Instant;
  const kinds = () => service.alerts.raised.map(({ kind }) => kind);

  beforeEach(() => {
    service = memoryService();
  });

  it('sends an event with its id and body, and notes the answer', async () => {
    await add();
    const [id = ''] = await happen();
    const sentAt = service.clock.now();
    expect(await send()).to.deep.equal([]);
    const [message, ...others] = sent();
    expect(others).to.deep.equal([]);
    expect(message).to.deep.include({ id, sentAt, url: (await endpoint()).url, secrets: [secret] });
    expect(JSON.parse(message?.body ?? '')).to.deep.include({ id, type: 'webhook.test' });
    const [delivery] = await deliveries();
    expect(delivery).to.deep.include({ status: 'delivered', tries: 1 });
    expect(delivery?.attempts).to.deep.equal([{ at: sentAt, status: 200, ms: 1, answer: '' }]);
  });

  it('sends a wrongly signed test once, and says nothing of the endpoint by it', async () => {
    for (const [status, expected] of [
      [401, 'delivered'],
      [403, 'delivered'],
      [200, 'undelivered'],
    ] as const) {
      service = memoryService();
      await add();
      await service.partnerEvents.requestTest(CHANNEL, ID, service.clock.now(), 'wrong');
      answer(answered(status));
      const before = await endpoint();
      expect(await send()).to.deep.equal([]);
      expect(sent()[0]?.secrets).to.have.length(1).and.not.include(secret);
      expect((await deliveries())[0], String(status)).to.include({ status: expected, tries: 1 });
      expect(await endpoint()).to.deep.equal(before);
      expect(kinds()).to.deep.equal([]);
    }
  });

  it('pauses an endpoint that fails at a wrongly signed test as at any other event', async () => {
    await add();
    await service.partnerEvents.requestTest(CHANNEL, ID, service.clock.now(), 'wrong');
    answer(answered(503));
    expect(await send()).to.have.length(1);
    expect((await deliveries())[0]).to.include({ status: 'undelivered', tries: 1 });
    expect((await endpoint()).pausedUntil).to.equal(at(5));
    expect(kinds()).to.deep.equal([]);
  });

  it('sends a few at a time, more while all are taken, until nothing is due', async () => {
    await add();
    const ids = await happen(5 * MOST_AT_ONCE);
    let open = 0;
    const groups: number[] = [];
    service.webhookSender.answer(async ({ id }) => {
      open += 1;
      const isFirst = open === 1;
      await new Promise((resolve) => setImmediate(resolve));
      if (isFirst) groups.push(open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return answered(id === ids[SENT_AT_ONCE] ? 422 : 204);
    });
    await send();
    expect(sent().map(({ id }) => id)).to.have.members(ids);
    expect(groups.slice(0, 5)).to.deep.equal([
      ...[SENT_AT_ONCE, 2 * SENT_AT_ONCE, 2 * SENT_AT_ONCE, MOST_AT_ONCE, MOST_AT_ONCE],
    ]);
    await send();
    expect(sent()).to.have.length(ids.length);
  });

  it('ends a run after half a second, and when the process stops: the rest is still due', async () => {
    await add();
    await happen(3 * SENT_AT_ONCE);
    service.webhookSender.answer(() => {
      service.clock.advance(0.2);
      return answered(200);
    });
    await send();
    expect(sent()).to.have.length(SENT_AT_ONCE);
    await send({ stopping: AbortSignal.abort() });
    expect(sent()).to.have.length(2 * SENT_AT_ONCE);
    expect(await service.deliveries.dueEndpoints(service.clock.now(), 1)).to.have.length(1);
  });

  it('tries again by the schedule with the same id, ten times in all, then gives up', async () => {
    await add();
    const [id] = await happen();
    answer({ kind: 'unanswered', reason: 'timeout', ms: 15_000 });
    for (const [index, pauseMs] of SCHEDULE_MS.entries()) {
      service.clock.advance(pauseMs / 1_000 - 0.001);
      if (index > 0) await send();
      expect(sent(), `before try ${index + 1}`).to.have.length(index);
      service.clock.advance(0.001);
      expect(await send()).to.deep.equal([{ eventId: id, reason: 'timeout' }]);
      expect(sent(), `after try ${index + 1}`).to.have.length(index + 1);
    }
    expect(new Set(sent().map((message) => message.id))).to.deep.equal(new Set([id]));
    expect(new Set(sent().map(({ body }) => body)).size).to.equal(1);
    expect((await deliveries())[0]).to.deep.include({ status: 'undelivered', tries: 10 });
    expect(service.alerts.raised).to.deep.equal([
      { kind: 'webhook_undelivered', endpointId: ID, eventId: id, reason: 'timeout' },
    ]);
    service.clock.advance(30 * DAY_SECONDS);
    await send();
    expect(sent()).to.have.length(10);
  });

  it('notes why there was no answer, and the status and beginning of one that is no success', async () => {
    await add();
    await happen();
    answer({ kind: 'unanswered', reason: 'tls', ms: 31 }, answered(301), answered(200));
    const begun = service.clock.now();
    await send();
    service.clock.advance(5);
    await send();
    service.clock.advance(301);
    await send();
    const [delivery] = await deliveries();
    expect(delivery?.status).to.equal('delivered');
    const [first, second, third] = delivery?.attempts ?? [];
    expect(first).to.deep.equal({ at: begun, failure: 'tls', ms: 31 });
    expect(second).to.deep.include({ status: 301, answer: 'answer 301' });
    expect(third).to.deep.include({ status: 200 });
  });

  it('sends nothing to an endpoint for as long as it asks', async () => {
    await add();
    await happen(2);
    answer(answered(503, { retryAt: at(600) }));
    await send();
    expect((await endpoint()).pausedUntil).to.equal(at(600));
    await happen();
    const before = sent().length;
    service.clock.advance(599);
    await send();
    expect(sent()).to.have.length(before);
    service.clock.advance(1);
    await send();
    expect(sent()).to.have.length(before + 1);
  });

  it('tries one event at a time while an endpoint fails, with growing pauses', async () => {
    await add();
    await happen(20);
    answer(answered(500));
    await send();
    expect(sent()).to.have.length(SENT_AT_ONCE);
    const began = service.clock.now();
    expect((await endpoint()).failingSince).to.equal(began);
    let tries = SENT_AT_ONCE;
    const pauses: number[] = [];
    for (let seconds = 0; seconds < 1_200; seconds += 5) {
      service.clock.advance(5);
      await send();
      if (sent().length > tries) pauses.push(seconds);
      expect(sent().length - tries).to.be.below(2);
      tries = sent().length;
    }
    expect((await endpoint()).failingSince).to.equal(began);
    expect(tries).to.be.within(10, 22);
    expect((pauses.at(-1) ?? 0) - (pauses.at(-2) ?? 0)).to.equal(300);
  });

  it('sends everything again when an endpoint succeeds after failures', async () => {
    await add();
    await happen(2 * SENT_AT_ONCE);
    answer(...(Array(SENT_AT_ONCE).fill(answered(500)) as [SendOutcome]), answered(200));
    await send();
    service.clock.advance(6);
    await send();
    expect(await endpoint()).not.to.have.any.keys('failingSince', 'pausedUntil');
    expect(sent()).to.have.length(SENT_AT_ONCE + 1);
    await send();
    expect((await deliveries()).map(({ status }) => status)).to.deep.equal(
      Array(2 * SENT_AT_ONCE).fill('delivered'),
    );
  });

  it('does not wait for the hours of the schedule when an endpoint succeeds after failures', async () => {
    await add();
    await happen(SENT_AT_ONCE);
    answer(answered(500));
    for (const seconds of [0, 6, 330, 2_000, 8_000]) {
      service.clock.advance(seconds);
      await send();
    }
    answer(answered(200));
    await happen();
    service.clock.advance(301);
    await send();
    expect(await endpoint()).not.to.have.property('failingSince');
    await send();
    expect((await deliveries()).map(({ status }) => status)).to.deep.equal(
      Array(SENT_AT_ONCE + 1).fill('delivered'),
    );
  });

  it('does not stop the other events because of one that is not taken', async () => {
    await add();
    const ids = await happen(3 * SENT_AT_ONCE);
    service.webhookSender.answer(({ id }) => answered(id === ids[1] ? 422 : 200));
    expect(await send()).to.deep.equal([{ eventId: ids[1], reason: '422' }]);
    expect(sent()).to.have.length(ids.length);
    expect(await endpoint()).not.to.have.any.keys('failingSince', 'pausedUntil');
  });

  it('disables an endpoint that is gone (410), and keeps what waits for it', async () => {
    await add();
    const ids = await happen(2);
    answer(answered(410));
    await send();
    const disabled = { reason: 'gone', at: service.clock.now() };
    expect((await endpoint()).disabled).to.deep.equal(disabled);
    expect(service.alerts.raised).to.deep.equal([
      { kind: 'webhook_disabled', endpointId: ID, reason: 'gone' },
    ]);
    service.clock.advance(DAY_SECONDS);
    await send();
    expect(sent()).to.have.length(2);
    expect((await deliveries()).map(({ status }) => status)).to.deep.equal(['waiting', 'waiting']);

    const { disabled: _, failingSince: __, ...enabled } = await endpoint();
    await service.webhookEndpoints.save(enabled, entry());
    answer(answered(200));
    await send();
    expect(
      sent()
        .slice(2)
        .map(({ id }) => id),
    ).to.have.members(ids);
  });

  it('disables an endpoint after five days of failures, not after four', async () => {
    await add();
    answer(answered(500));
    const tries = async (days: number): Promise<void> => {
      for (let hour = 0; hour < 24 * days; hour += 1) {
        await happen();
        await send();
        service.clock.advance(3_600);
      }
    };
    await tries(4);
    expect((await endpoint()).disabled).to.equal(undefined);
    await tries(1);
    await happen();
    await send();
    expect((await endpoint()).disabled?.reason).to.equal('failing');
    expect(kinds()).to.include('webhook_disabled');
  });

  it('starts the five days again after each success', async () => {
    await add();
    for (let day = 0; day < 12; day += 1) {
      answer(answered(day === 4 || day === 8 ? 200 : 500));
      await happen();
      await send();
      service.clock.advance(DAY_SECONDS);
    }
    expect((await endpoint()).disabled).to.equal(undefined);
  });

  it('does not disable an endpoint that its partner changed during the try', async () => {
    await add();
    await happen();
    service.webhookSender.answer(async () => {
      const changed = { ...(await endpoint()), url: 'https://partner.example/new' };
      await service.webhookEndpoints.save(changed, entry());
      return answered(410);
    });
    await send();
    expect((await endpoint()).disabled).to.equal(undefined);
    expect(kinds()).to.deep.equal([]);
  });

  it('signs with both secrets until 24 hours after a rotation', async () => {
    await add();
    const before = secret;
    const { previous: _, ...known } = await endpoint();
    const until = at(DAY_SECONDS);
    secret = service.secretSeal.makeSecret();
    const rotated = {
      ...{ ...known, sealedSecret: service.secretSeal.seal(secret, ID) },
      previous: { sealedSecret: known.sealedSecret, until },
    };
    await service.webhookEndpoints.save(rotated, entry());
    await happen();
    await send();
    service.clock.advance(DAY_SECONDS - 1);
    await happen();
    await send();
    service.clock.advance(1);
    await happen();
    await send();
    const both = [secret, before];
    expect(sent().map(({ secrets }) => secrets)).to.deep.equal([both, both, [secret]]);
  });

  it('holds everything back while a secret cannot be opened, and tells an operator', async () => {
    await add({ sealedSecret: 'sealed with a lost key' });
    await happen();
    expect(await send()).to.deep.equal([]);
    expect(sent()).to.deep.equal([]);
    expect(service.alerts.raised).to.deep.equal([
      { kind: 'webhook_secret_unreadable', endpointId: ID },
    ]);
    expect((await deliveries())[0]).to.deep.include({ status: 'waiting', tries: 0 });
    expect(await endpoint()).not.to.have.property('failingSince');
    expect(await service.deliveries.dueEndpoints(at(299), 1)).to.deep.equal([]);
    expect(await service.deliveries.dueEndpoints(at(300), 1)).to.have.length(1);
  });

  it('signs with the new secret alone if only the one before cannot be opened', async () => {
    await add({ previous: { sealedSecret: 'lost', until: at(60) } });
    await happen();
    await send();
    expect(sent()[0]?.secrets).to.deep.equal([secret]);
    expect(kinds()).to.deep.equal([]);
  });

  it('sends nothing to an endpoint that is unknown, disabled, or has changed its health', async () => {
    await send();
    await add();
    await happen();
    await send({ isFailing: true });
    await service.webhookEndpoints.noteHealth(ID, 1, { failingSince: at(-60) });
    await send({ isFailing: false });
    const disabled = { reason: 'failing', at: at(0) } as const;
    await service.webhookEndpoints.noteHealth(ID, 1, { disabled });
    await send();
    expect(sent()).to.deep.equal([]);
  });
});
