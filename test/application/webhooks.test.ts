import { expect } from 'chai';
import { type Instant, isRefusal, unwrap } from '#domain';
import type { Actor } from '../../application/audit/audit-log.ts';
import type { EventType } from '../../application/events/partner-events.ts';
import { MAX_ENDPOINTS } from '../../application/webhooks/endpoints.ts';
import type { EndpointWithSecret } from '../../application/webhooks/manage-webhooks.ts';
import { makeResealSecrets } from '../../application/webhooks/reseal-secrets.ts';
import type { WebhookUrl } from '../../application/webhooks/webhook-urls.ts';
import { type MemoryService, memoryService } from '../../bootstrap/composition/memory.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import { ADMINISTRATOR, entry } from '../support/identity.ts';
import { paidSale } from '../support/sales.ts';
import { later } from '../support/webhooks.ts';

const CHANNEL = 'canal-demo';
const DAY_SECONDS = 86_400;

const OPERATOR: Actor = { kind: 'operator', name: 'root@host', address: null, requestId: null };

const address = (text: string): WebhookUrl => text as WebhookUrl;

describe('the webhooks of a channel', () => {
  let memory: MemoryService;
  beforeEach(async () => {
    memory = memoryService();
    await loadDemoCatalogue(memory.useCases);
  });

  const manage = () => memory.useCases.manageWebhooks;
  const create = async (
    url = 'https://partner.example/hook',
    events: readonly EventType[] = ['sale.paid'],
  ): Promise<EndpointWithSecret> =>
    unwrap(await manage().create(CHANNEL, { url: address(url), events }, ADMINISTRATOR));

  const kindOf = (outcome: unknown): unknown =>
    isRefusal(outcome) && (outcome as { kind: string }).kind;
  const entries = (subject: string) => memory.auditLog.list({ subject, limit: 100 });

  it('are created with a secret, which is stored sealed', async () => {
    const { endpoint, secret, canSign } = await create();
    expect(secret).to.match(/^whsec_/);
    expect(canSign).to.equal(true);
    expect(endpoint.id).to.match(/^whe_/);
    expect(endpoint.sealedSecret).not.to.include(secret);
    expect(memory.secretSeal.open(endpoint.sealedSecret, endpoint.id)).to.equal(secret);
    expect(await memory.webhookEndpoints.find(endpoint.id)).to.deep.equal(endpoint);
  });

  it('are only of channels that exist, and no more than the limit', async () => {
    const request = { url: address('https://partner.example/'), events: ['sale.paid'] } as const;
    const outcome = await manage().create('nobody', request, ADMINISTRATOR);
    expect(kindOf(outcome)).to.equal('channel_unknown');
    expect(kindOf(await manage().list('nobody'))).to.equal('channel_unknown');
    for (let count = 0; count < MAX_ENDPOINTS; count += 1)
      await create(`https://partner.example/${count}`);
    const further = await manage().create(CHANNEL, request, ADMINISTRATOR);
    expect(kindOf(further)).to.equal('webhook_limit_reached');
    expect(unwrap(await manage().list(CHANNEL))).to.have.length(MAX_ENDPOINTS);
  });

  it('are not created twice with one URL: the first one is named', async () => {
    const { endpoint } = await create();
    const other = await create('https://partner.example/other');
    const request = { url: address(endpoint.url), events: endpoint.events };
    const repeated = await manage().create(CHANNEL, request, ADMINISTRATOR);
    expect(repeated).to.include({ kind: 'webhook_url_taken', endpointId: endpoint.id });
    const moved = await manage().change(
      CHANNEL,
      other.endpoint.id,
      { url: address(endpoint.url) },
      ADMINISTRATOR,
    );
    expect(moved).to.include({ kind: 'webhook_url_taken', endpointId: endpoint.id });
  });

  it('of other channels are unknown, whatever is asked for', async () => {
    const { endpoint } = await create();
    const { manageDeliveries } = memory.useCases;
    const time = { from: later(-10), to: later(0) };
    const query = { endpointId: endpoint.id, limit: 10 };
    const outcomes = [
      await manage().find('other', endpoint.id),
      await manage().change('other', endpoint.id, { status: 'paused' }, ADMINISTRATOR),
      await manage().remove('other', endpoint.id, ADMINISTRATOR),
      await manage().rotateSecret('other', endpoint.id, ADMINISTRATOR),
      await manage().test('other', endpoint.id),
      await manageDeliveries.list('other', query),
      await manageDeliveries.retry('other', endpoint.id, 1),
      await manageDeliveries.replay('other', endpoint.id, time, ADMINISTRATOR),
    ];
    for (const outcome of outcomes) expect(kindOf(outcome)).to.equal('webhook_unknown');
    expect(await memory.webhookEndpoints.find(endpoint.id)).to.deep.equal(endpoint);
    expect(await entries(`webhook/${endpoint.id}`)).to.have.length(1);
  });

  describe('when they are changed', () => {
    const change = async (id: string, over: Parameters<ReturnType<typeof manage>['change']>[2]) =>
      unwrap(await manage().change(CHANNEL, id, over, ADMINISTRATOR)).endpoint;

    it('take over what the change names, and leave the rest', async () => {
      const { endpoint } = await create();
      const { id } = endpoint;
      expect(await change(id, { description: 'Loja' })).to.include({ description: 'Loja' });
      expect((await change(id, { events: ['sale.issued'] })).events).to.deep.equal(['sale.issued']);
      expect(await change(id, { url: address('https://b.example/') })).to.include({
        url: 'https://b.example/',
        description: 'Loja',
      });
      expect(await change(id, { description: null })).not.to.have.property('description');
      expect(await entries(`webhook/${id}`)).to.have.length(5);
    });

    it('have no new version and no audit entry if nothing changes', async () => {
      const { endpoint } = await create();
      const { id, url, events } = endpoint;
      const same = { url: address(url), events, description: null, status: 'active' } as const;
      expect(await change(id, same)).to.deep.equal(endpoint);
      expect(await change(id, {})).to.deep.equal(endpoint);
      await change(id, { status: 'paused' });
      const paused = await memory.webhookEndpoints.find(id);
      memory.clock.advance(60);
      expect(await change(id, { status: 'paused' })).to.deep.equal(paused);
      expect(await entries(`webhook/${id}`)).to.have.length(2);
    });

    it('are paused and active again', async () => {
      const { endpoint } = await create();
      const paused = await change(endpoint.id, { status: 'paused' });
      expect(paused.disabled).to.deep.equal({ reason: 'paused', at: memory.clock.now() });
      expect(await change(endpoint.id, { status: 'active' })).not.to.have.property('disabled');
    });

    it('lose their failures when they are enabled again or get another URL, and only then', async () => {
      const { endpoint } = await create();
      const { id } = endpoint;
      const failing = { failingSince: later(0), pausedUntil: later(5) };
      const disabled = { reason: 'failing', at: later(1) } as const;
      await memory.webhookEndpoints.noteHealth(id, 1, { ...failing, disabled });
      expect(await change(id, { description: 'x' })).to.deep.include({ ...failing, disabled });
      const enabled = await change(id, { status: 'active' });
      expect(enabled).not.to.have.any.keys('disabled', 'failingSince', 'pausedUntil');
      expect(await memory.webhookEndpoints.find(id)).to.deep.equal(enabled);

      await memory.webhookEndpoints.noteHealth(id, enabled.version, failing);
      expect(await change(id, { events: ['sale.expired'] })).to.include(failing);
      const { failingSince } = failing;
      const asked = await change(id, { status: 'active' });
      expect(asked, 'the pause ends')
        .to.include({ failingSince })
        .and.not.have.property('pausedUntil');
      expect(await memory.webhookEndpoints.find(id)).to.deep.equal(asked);
      const moved = await change(id, { url: address('https://b.example/') });
      expect(moved).not.to.have.any.keys('failingSince', 'pausedUntil');
    });

    it('are not enabled by a change that the partner made before they were disabled', async () => {
      const { endpoint } = await create();
      const { save } = memory.webhookEndpoints;
      let isFirst = true;
      memory.webhookEndpoints.save = async (...saved) => {
        const disabled = { reason: 'gone', at: later(0) } as const;
        if (isFirst) await memory.webhookEndpoints.noteHealth(endpoint.id, 1, { disabled });
        isFirst = false;
        return save.apply(memory.webhookEndpoints, saved);
      };
      const changed = await change(endpoint.id, { description: 'Loja' });
      expect(changed.description).to.equal('Loja');
      expect(changed.disabled?.reason).to.equal('gone');
    });
  });

  describe('when their secret is rotated', () => {
    const rotate = async (id: string) =>
      unwrap(await manage().rotateSecret(CHANNEL, id, ADMINISTRATOR));

    it('sign with both for 24 hours; with a further rotation, the oldest signs no longer', async () => {
      const first = await create();
      const { id } = first.endpoint;
      const second = await rotate(id);
      const open = (sealed = '') => memory.secretSeal.open(sealed, id);
      expect(second.secret).not.to.equal(first.secret);
      expect(open(second.endpoint.sealedSecret)).to.equal(second.secret);
      expect(open(second.endpoint.previous?.sealedSecret)).to.equal(first.secret);
      expect(second.endpoint.previous?.until).to.equal(later(24 * 60));

      const third = await rotate(id);
      expect(open(third.endpoint.sealedSecret)).to.equal(third.secret);
      expect(open(third.endpoint.previous?.sealedSecret)).to.equal(second.secret);
      expect(JSON.stringify(third.endpoint)).not.to.include(first.endpoint.sealedSecret);
    });

    it('can sign again if the secret that they had can no longer be opened', async () => {
      const { endpoint } = await create();
      const other = await create('https://partner.example/other');
      await memory.webhookEndpoints.save({ ...endpoint, sealedSecret: 'of a lost key' }, entry());
      const listed = unwrap(await manage().list(CHANNEL));
      expect(listed.map(({ canSign }) => canSign)).to.deep.equal([false, true]);
      expect(unwrap(await manage().find(CHANNEL, other.endpoint.id)).canSign).to.equal(true);
      const rotated = await rotate(endpoint.id);
      expect(rotated.canSign).to.equal(true);
      expect(rotated.endpoint).not.to.have.property('previous');
    });

    it('are sealed with the present key when the operator asks for it', async () => {
      const first = await create();
      const rotated = await rotate(first.endpoint.id);
      const lost = await create('https://partner.example/lost');
      await memory.webhookEndpoints.save(
        { ...lost.endpoint, sealedSecret: 'of a lost key' },
        entry(),
      );
      const outcome = await makeResealSecrets(memory)(OPERATOR);
      expect(outcome).to.deep.equal({ resealed: 1, lost: [lost.endpoint.id] });
      const { id } = first.endpoint;
      const stored = await memory.webhookEndpoints.find(id);
      expect(stored?.sealedSecret).not.to.equal(rotated.endpoint.sealedSecret);
      const open = (sealed = '') => memory.secretSeal.open(sealed, id);
      expect(open(stored?.sealedSecret)).to.equal(rotated.secret);
      expect(open(stored?.previous?.sealedSecret)).to.equal(first.secret);
      expect((await entries(`webhook/${id}`))[0]).to.deep.include({
        action: 'webhook.secret_resealed',
        actor: OPERATOR,
        changes: [],
      });
    });
  });

  it('are audited with the origin of their URL, and without a secret', async () => {
    const { endpoint, secret } = await create(
      'https://partner.example:8443/path-token?key=query-token',
    );
    const { id } = endpoint;
    const moved = address('https://partner.example:8443/other-token');
    await manage().change(CHANNEL, id, { url: moved }, ADMINISTRATOR);
    await manage().change(CHANNEL, id, { url: address('https://b.example/x') }, ADMINISTRATOR);
    const rotated = unwrap(await manage().rotateSecret(CHANNEL, id, ADMINISTRATOR));
    await manage().remove(CHANNEL, id, ADMINISTRATOR);
    const found = await entries(`webhook/${id}`);
    expect(found.map(({ action }) => action)).to.deep.equal([
      'webhook.deleted',
      'webhook.secret_rotated',
      'webhook.changed',
      'webhook.changed',
      'webhook.created',
    ]);
    const origin = 'https://partner.example:8443';
    expect(found[3]?.changes).to.deep.equal([{ field: 'url', before: origin, after: origin }]);
    expect(found[2]?.changes).to.deep.equal([
      { field: 'origin', before: origin, after: 'https://b.example' },
    ]);
    const text = JSON.stringify(found);
    for (const hidden of [secret, rotated.secret, endpoint.sealedSecret, 'token', 'b.example/x'])
      expect(text).not.to.include(hidden);
  });

  it('are gone once they were removed, and so are their deliveries', async () => {
    const { endpoint } = await create();
    await manage().test(CHANNEL, endpoint.id);
    expect(await manage().remove(CHANNEL, endpoint.id, ADMINISTRATOR)).to.equal('removed');
    expect(kindOf(await manage().find(CHANNEL, endpoint.id))).to.equal('webhook_unknown');
    expect(kindOf(await manage().remove(CHANNEL, endpoint.id, ADMINISTRATOR))).to.equal(
      'webhook_unknown',
    );
    const { manageDeliveries } = memory.useCases;
    const listed = await manageDeliveries.list(CHANNEL, { endpointId: endpoint.id, limit: 5 });
    expect(kindOf(listed)).to.equal('webhook_unknown');
    expect(await memory.deliveries.dueEndpoints(later(60), 10)).to.deep.equal([]);
  });

  it('are unknown under a name that none has, without a question to the store', async () => {
    memory.webhookEndpoints.find = () => Promise.reject(new Error('the store cannot read it'));
    for (const id of ['', '\0', 'whe_\0', 'a b', `whe_${'x'.repeat(100)}`])
      expect(kindOf(await manage().find(CHANNEL, id))).to.equal('webhook_unknown');
  });

  it('get a test event, listed or not, and other webhooks do not', async () => {
    const { endpoint } = await create();
    await create('https://partner.example/other', ['webhook.test']);
    const eventId = unwrap(await manage().test(CHANNEL, endpoint.id));
    expect(await memory.deliveries.dueEndpoints(memory.clock.now(), 10)).to.deep.equal([
      { id: endpoint.id, isFailing: false },
    ]);
    const [due] = await memory.deliveries.listDue(endpoint.id, memory.clock.now(), 10);
    expect(due?.event).to.include({ id: eventId, type: 'webhook.test' });

    await manage().change(CHANNEL, endpoint.id, { status: 'paused' }, ADMINISTRATOR);
    expect(kindOf(await manage().test(CHANNEL, endpoint.id))).to.equal('webhook_disabled');
  });

  it('are tried at once when the partner asks for a test or another try, though they failed', async () => {
    const { endpoint } = await create();
    const { id } = endpoint;
    const failing = { failingSince: later(0), pausedUntil: later(86_400) };
    const { manageDeliveries } = memory.useCases;
    await manage().test(CHANNEL, id);
    const [waiting] = await memory.deliveries.listDue(id, memory.clock.now(), 1);
    for (const ask of [
      () => manage().test(CHANNEL, id),
      () => manageDeliveries.retry(CHANNEL, id, waiting?.id ?? 0),
    ]) {
      await memory.webhookEndpoints.noteHealth(id, 1, failing);
      expect(await memory.deliveries.dueEndpoints(memory.clock.now(), 10)).to.deep.equal([]);
      await ask();
      expect(await memory.deliveries.dueEndpoints(memory.clock.now(), 10)).to.deep.equal([
        { id, isFailing: true },
      ]);
    }
    await manage().change(CHANNEL, id, { status: 'paused' }, ADMINISTRATOR);
    const retried = await manageDeliveries.retry(CHANNEL, id, waiting?.id ?? 0);
    expect(kindOf(retried)).to.equal('webhook_disabled');
  });

  it('have what waits for a later try due when they are enabled again', async () => {
    const { endpoint } = await create();
    const { id } = endpoint;
    await manage().test(CHANNEL, id);
    const [waiting] = await memory.deliveries.listDue(id, memory.clock.now(), 1);
    const attempt = { at: memory.clock.now(), status: 410, ms: 3, answer: '' };
    await memory.deliveries.note(waiting?.id ?? 0, attempt, { kind: 'again', at: later(36_000) });
    const disabled = { reason: 'gone', at: later(0) } as const;
    await memory.webhookEndpoints.noteHealth(id, 1, { disabled });
    expect(await memory.deliveries.listDue(id, memory.clock.now(), 9)).to.deep.equal([]);
    await manage().change(CHANNEL, id, { status: 'active' }, ADMINISTRATOR);
    expect(await memory.deliveries.listDue(id, memory.clock.now(), 9)).to.have.length(1);
  });

  describe('with a replay', () => {
    /** Makes events of `count` sales, before there is an endpoint. */
    const sell = (count: number): void => {
      for (let index = 0; index < count; index += 1)
        memory.partnerEvents.noteRegistration(paidSale());
    };
    const time = () => ({
      from: '2026-11-01T00:00:00.000Z' as Instant,
      to: '2026-12-31T00:00:00.000Z' as Instant,
    });
    const request = (id: string) =>
      memory.useCases.manageDeliveries.replay(CHANNEL, id, time(), ADMINISTRATOR);
    const due = async (id: string) =>
      (await memory.deliveries.listDue(id, memory.clock.now(), 1_000)).length;

    it('get the events of their types once more, in steps that a killed process does not lose', async () => {
      sell(5);
      const { endpoint } = await create();
      const { id } = endpoint;
      expect(await due(id)).to.equal(0);
      expect(await request(id)).to.equal('requested');
      expect(kindOf(await request(id))).to.equal('replay_running');

      const { replayEvents } = memory.useCases;
      expect(await replayEvents(2)).to.equal('more');
      expect(await due(id)).to.equal(2);
      // A process takes the next step and is killed before it does it.
      await memory.webhookReplays.take(memory.clock.now(), later(1));
      expect(await replayEvents(2)).to.equal('done');
      memory.clock.advance(60);
      while ((await replayEvents(2)) === 'more');
      expect(await due(id)).to.equal(5);

      expect(await request(id)).to.equal('requested');
      while ((await replayEvents(2)) === 'more');
      expect(await due(id), 'what waits is not sent twice').to.equal(5);
      const [newest] = await entries(`webhook/${id}`);
      expect(newest).to.include({ action: 'webhook.replayed' });
    });

    it('of a webhook that was removed meanwhile ends', async () => {
      sell(3);
      const { endpoint } = await create();
      await request(endpoint.id);
      await memory.useCases.replayEvents(1);
      await manage().remove(CHANNEL, endpoint.id, ADMINISTRATOR);
      expect(await memory.useCases.replayEvents(1)).to.equal('more');
      expect(await memory.useCases.replayEvents(1)).to.equal('done');
    });
  });

  it('have a delivery tried at once, and show it', async () => {
    const { endpoint } = await create();
    await manage().test(CHANNEL, endpoint.id);
    const [first] = await memory.deliveries.listDue(endpoint.id, memory.clock.now(), 1);
    const id = first?.id ?? 0;
    const attempt = { at: memory.clock.now(), status: 500, ms: 3, answer: 'no' };
    await memory.deliveries.note(id, attempt, { kind: 'undelivered' });
    memory.clock.advance(DAY_SECONDS);
    const { manageDeliveries } = memory.useCases;
    const retried = unwrap(await manageDeliveries.retry(CHANNEL, endpoint.id, id));
    expect(retried).to.deep.include({ status: 'waiting', nextAt: memory.clock.now(), tries: 0 });
    expect(kindOf(await manageDeliveries.retry(CHANNEL, endpoint.id, 99))).to.equal(
      'delivery_unknown',
    );
    const other = await create('https://partner.example/other');
    expect(kindOf(await manageDeliveries.retry(CHANNEL, other.endpoint.id, id))).to.equal(
      'delivery_unknown',
    );
  });
});
