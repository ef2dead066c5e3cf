import { expect } from 'chai';
import type { WebhookEndpoint } from '../../application/webhooks/endpoints.ts';
import { AT, entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';
import { endpoint, later } from '../support/webhooks.ts';

const LIMIT = 20;

const entryOf = (id: string) => entry({ action: 'webhook.created', subject: `webhook/${id}` });

overEveryStore('the endpoints for webhooks', (store) => {
  const add = (added: WebhookEndpoint, limit = LIMIT) =>
    store().webhookEndpoints.add(added, limit, entryOf(added.id));

  const save = (changed: WebhookEndpoint) =>
    store().webhookEndpoints.save(changed, entryOf(changed.id));

  const find = (id: string) => store().webhookEndpoints.find(id);

  const entriesOf = async (id: string) =>
    (await store().auditLog.list({ subject: `webhook/${id}`, limit: 100 })).length;

  const idsOf = async (channelLink: string | undefined) =>
    (await store().webhookEndpoints.list(channelLink)).map(({ id }) => id);

  it('are found as they were added, with all that may be absent and without it', async () => {
    const complete = endpoint('complete', {
      channelLink: 'found',
      events: ['sale.paid', 'certificate.sent'],
      description: 'Bilheteria São João: "é", \\ e \u{1f3ab}',
      disabled: { reason: 'failing', at: later(5) },
      previous: { sealedSecret: 'the one before', until: later(1440) },
      failingSince: later(3),
      pausedUntil: later(4),
    });
    const plain = endpoint('plain', { channelLink: 'found' });
    expect(await find('complete')).to.equal(undefined);
    expect(await add(complete)).to.equal('added');
    expect(await add(plain)).to.equal('added');
    expect(await find('complete')).to.deep.equal(complete);
    expect(await find('plain')).to.deep.equal(plain);
    expect(await entriesOf('complete')).to.equal(1);
  });

  it('are listed by channel or all together, oldest first', async () => {
    await add(endpoint('b', { channelLink: 'listed', createdAt: later(2) }));
    await add(endpoint('c', { channelLink: 'listed', createdAt: later(1) }));
    await add(endpoint('a', { channelLink: 'listed', createdAt: later(2) }));
    await add(endpoint('d', { channelLink: 'listed-too', createdAt: later(1) }));
    expect(await idsOf('listed')).to.deep.equal(['c', 'a', 'b']);
    expect(await idsOf('nobody')).to.deep.equal([]);
    expect(await idsOf(undefined)).to.include.members(['a', 'b', 'c', 'd']);
  });

  it('are no more than the limit of their channel, however many are added at once', async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      endpoint(`many-${index}`, { channelLink: 'many' }),
    );
    const outcomes = await Promise.all(many.map((each) => add(each, 5)));
    expect(outcomes.filter((outcome) => outcome === 'added')).to.have.length(5);
    expect(outcomes.filter((outcome) => outcome === 'too_many')).to.have.length(7);
    expect(await idsOf('many')).to.have.length(5);
    const refused = many[outcomes.indexOf('too_many')] as WebhookEndpoint;
    expect(await entriesOf(refused.id)).to.equal(0);
    expect(await add(endpoint('elsewhere', { channelLink: 'elsewhere' }), 5)).to.equal('added');
  });

  it('have a URL of their own in their channel, also if it is sent many times at once', async () => {
    const url = 'https://partner.example/once';
    const same = Array.from({ length: 8 }, (_, index) =>
      endpoint(`same-${index}`, { channelLink: 'urls', url }),
    );
    const outcomes = await Promise.all(same.map((each) => add(each)));
    expect(outcomes.filter((outcome) => outcome === 'added')).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === 'url_taken')).to.have.length(7);
    expect(await add(endpoint('others', { channelLink: 'other-urls', url }))).to.equal('added');

    const other = endpoint('other', { channelLink: 'urls' });
    await add(other);
    expect(await save({ ...other, url })).to.equal('url_taken');
    expect(await find('other')).to.deep.equal(other);
    expect(await entriesOf('other')).to.equal(1);
  });

  it('are saved by one of many simultaneous changes, with one audit entry', async () => {
    const added = endpoint('changed', { channelLink: 'changed' });
    await add(added);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => save({ ...added, description: `try ${index}` })),
    );
    expect(outcomes.filter((outcome) => outcome === 'saved')).to.have.length(1);
    expect(await find('changed')).to.deep.equal({
      ...added,
      description: `try ${outcomes.indexOf('saved')}`,
      version: 2,
    });
    expect(await entriesOf('changed')).to.equal(2);
    expect(await save(endpoint('nobody'))).to.equal('stale');
    expect(await entriesOf('nobody')).to.equal(0);
  });

  it('are changed in every field that a partner may change, and lose what a change leaves out', async () => {
    const { id, channelLink, createdAt } = endpoint('all', { channelLink: 'all' });
    await add(endpoint('all', { channelLink: 'all', description: 'before' }));
    const changed: WebhookEndpoint = {
      id,
      channelLink,
      createdAt,
      url: 'https://partner.example/new',
      events: ['sale.refunded', 'sale.issued'],
      disabled: { reason: 'paused', at: later(1) },
      sealedSecret: 'the new one',
      previous: { sealedSecret: 'sealed secret of all', until: later(1440) },
      version: 1,
    };
    expect(await save(changed)).to.equal('saved');
    expect(await find('all')).to.deep.equal({ ...changed, version: 2 });

    const { disabled: _, previous: __, ...enabled } = changed;
    expect(await save({ ...enabled, version: 2 })).to.equal('saved');
    expect(await find('all')).to.deep.equal({ ...enabled, version: 3 });
  });

  it('keep the failures that were noted while they were changed, or lose them', async () => {
    const failing = { failingSince: AT, pausedUntil: later(1) };
    const added = endpoint('failures', { channelLink: 'failures', ...failing });
    await add(added);
    const { webhookEndpoints } = store();
    const noted = { failingSince: AT, pausedUntil: later(2) };
    await webhookEndpoints.noteHealth('failures', 1, noted);
    await save({ ...added, description: 'another text' });
    expect(await find('failures')).to.include({ ...noted, version: 2 });

    await webhookEndpoints.noteHealth('failures', 2, {});
    await save({ ...added, version: 2 });
    const { failingSince: _, pausedUntil: __, ...healthy } = added;
    expect(await find('failures')).to.deep.equal({ ...healthy, version: 3 });

    await webhookEndpoints.noteHealth('failures', 3, noted);
    await save({ ...healthy, version: 3 });
    expect(await find('failures')).to.deep.equal({ ...healthy, version: 4 });
  });

  it('are gone after they were removed, once, with an audit entry', async () => {
    await add(endpoint('removed', { channelLink: 'removed' }));
    const removed = entry({ action: 'webhook.deleted', subject: 'webhook/removed' });
    const remove = () => store().webhookEndpoints.remove('removed', removed);
    const outcomes = await Promise.all([remove(), remove(), remove()]);
    expect(outcomes.sort()).to.deep.equal(['removed', 'unknown', 'unknown']);
    expect(await find('removed')).to.equal(undefined);
    expect(await idsOf('removed')).to.deep.equal([]);
    expect(await entriesOf('removed')).to.equal(2);
    expect(await save(endpoint('removed'))).to.equal('stale');
    expect(await add(endpoint('again', { url: endpoint('removed').url }))).to.equal('added');
  });

  it('show the health that was noted last', async () => {
    const { webhookEndpoints } = store();
    const added = endpoint('health', { channelLink: 'health' });
    await add(added);
    const failing = { failingSince: later(1), pausedUntil: later(2) };
    await webhookEndpoints.noteHealth('health', 1, failing);
    expect(await find('health')).to.deep.equal({ ...added, ...failing });
    await webhookEndpoints.noteHealth('health', 1, { failingSince: later(1) });
    expect(await find('health')).to.deep.equal({ ...added, failingSince: later(1) });
    await webhookEndpoints.noteHealth('health', 1, {});
    expect(await find('health')).to.deep.equal(added);
    expect(await entriesOf('health')).to.equal(1);
  });

  it('are disabled by the sender, and what it began before notes nothing', async () => {
    const { webhookEndpoints } = store();
    const added = endpoint('gone', { channelLink: 'gone' });
    await add(added);
    const disabled = { reason: 'gone', at: later(1) } as const;
    await webhookEndpoints.noteHealth('gone', 1, { failingSince: AT, disabled });
    const expected = { ...added, failingSince: AT, disabled, version: 2 };
    expect(await find('gone')).to.deep.equal(expected);

    await webhookEndpoints.noteHealth('gone', 1, { pausedUntil: later(9) });
    await webhookEndpoints.noteHealth('gone', 1, {});
    expect(await find('gone')).to.deep.equal(expected);
    expect(await save(added)).to.equal('stale');
    await webhookEndpoints.noteHealth('nobody', 1, { failingSince: AT });
    expect(await find('nobody')).to.equal(undefined);
  });
});
