import { expect } from 'chai';
import {
  applyPaymentReport,
  awaitPayment,
  cancelSale,
  cents,
  createSale,
  type Email,
  type Instant,
  moneyNewsOf,
  nextVersion,
  type PaidSale,
  type PaymentReport,
  type PendingSale,
  paySale,
  type Sale,
} from '#domain';
import {
  EVENT_TYPES,
  type EventType,
  type FeedPage,
  type PartnerEvent,
} from '../../application/events/partner-events.ts';
import { entry } from '../support/identity.ts';
import { settle } from '../support/mailings.ts';
import { APPROVED, AT, AWAITED, day, LATER, stateOf, terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

const ON = day('2026-12-05');

overEveryStore('the events of partners', (store) => {
  let tickets = 0;
  const register = async (channelLink: string, over: object = {}): Promise<Sale> => {
    tickets += 1;
    const sold = createSale(`T-events-${tickets}`, AT, terms({ channelLink, ...over }));
    const outcome = await store().sales.register(sold);
    if (outcome.kind !== 'registered') throw new Error(outcome.kind);
    return outcome.sale;
  };
  const collected = { payment: { collectedBy: 'service', installments: 1 } } as const;
  const save = async <State extends Sale>(sale: State): Promise<State> => {
    expect(await store().sales.save(sale)).to.equal('saved');
    return nextVersion(sale);
  };
  const page = async (channelLink: string, after = 0, limit = 100, types = EVENT_TYPES) => {
    await store().givePlaces();
    const found = await store().partnerEvents.read({ channelLink, after, limit, types });
    if (found === 'deleted') throw new Error(found);
    return found;
  };
  const eventsOf = async (channelLink: string, ...more: [number?, number?]) =>
    (await page(channelLink, ...more)).events;
  const typesOf = (events: readonly PartnerEvent[]): readonly EventType[] =>
    events.map(({ type }) => type);

  it('tells of a sale paid to the channel that it was registered, and that it is paid', async () => {
    const sale = await register('paid-to-channel');
    const [registered, paid, ...others] = await eventsOf('paid-to-channel');
    expect(others).to.deep.equal([]);
    expect(registered).to.deep.include({ type: 'sale.registered', at: AT, sale });
    expect(paid).to.deep.include({ type: 'sale.paid', at: AT, sale });
    expect(registered?.id).to.match(/^evt_[0-9a-f]{32}$/);
    expect(paid?.id)
      .to.match(/^evt_[0-9a-f]{32}$/)
      .and.not.equal(registered?.id);
  });

  it('tells of each change with the sale as it was then, not as it is now', async () => {
    const pending = (await register('collected', collected)) as PendingSale;
    const waits = await save(
      stateOf(awaitPayment(pending, { ...AWAITED, amount: pending.payment.amount })),
    );
    const paid = await save(
      stateOf(paySale(waits, { ...APPROVED, amount: pending.payment.amount }, LATER)),
    );
    const told = await eventsOf('collected');
    expect(typesOf(told)).to.deep.equal(['sale.registered', 'sale.awaiting_payment', 'sale.paid']);
    const [first, second, third] = told.map((event) => ('sale' in event ? event.sale : undefined));
    expect(first).to.deep.equal(pending);
    expect(second).to.deep.equal({ ...waits, updatedAt: told[1]?.at });
    expect(third).to.deep.equal({ ...paid, updatedAt: told[2]?.at });
  });

  it('tells nothing of a change that is not stored, or keeps the status', async () => {
    const sale = (await register('unchanged')) as PaidSale;
    const cancelled = stateOf(cancelSale(sale, { on: ON, at: LATER }));
    expect(await store().sales.save({ ...cancelled, version: 9 })).to.equal('stale');
    await save(sale);
    expect(typesOf(await eventsOf('unchanged'))).to.deep.equal(['sale.registered', 'sale.paid']);
  });

  it('tells of a dispute, its end and a refund that is undone, with the sale as it was then', async () => {
    const pending = (await register('disputed', collected)) as PendingSale;
    const approved = { ...APPROVED, amount: pending.payment.amount };
    const paid = await save(stateOf(paySale(pending, approved, LATER)));
    const follow = async (before: Sale, report: PaymentReport): Promise<Sale> => {
      const after = stateOf(applyPaymentReport(before, report, { on: ON, at: LATER }));
      const news = moneyNewsOf(before, after);
      expect(await store().sales.save(after, { news })).to.equal('saved');
      return nextVersion(after);
    };
    const { amount, chargeId } = approved;
    const opened = await follow(paid, { ...approved, dispute: { status: 'opened', amount } });
    const won = await follow(opened, { ...approved, dispute: { status: 'won', amount } });
    const cancelled = await save(stateOf(cancelSale(won as PaidSale, { on: ON, at: LATER })));
    const returned = { amount, chargeId, returned: cents(0) };
    const refunded = await follow(cancelled, { ...returned, status: 'returned', returned: amount });
    const undone = await follow(refunded, { ...returned, status: 'undone' });
    const told = (await eventsOf('disputed')).slice(2);
    expect(typesOf(told)).to.deep.equal([
      ...['sale.disputed', 'sale.dispute_closed', 'sale.cancelled', 'sale.refunded'],
      ...['sale.refund_undone', 'sale.cancelled'],
    ]);
    const sales = [opened, won, cancelled, refunded, undone, undone];
    for (const [index, event] of told.entries())
      expect('sale' in event && event.sale).to.deep.equal({
        ...sales[index],
        updatedAt: event.at,
      });
  });

  it('keeps no corrected e-mail address, and no words of the insurer', async () => {
    const sale = (await register('corrected')) as PaidSale;
    const corrections = [{ email: 'new@example.com' as Email, at: LATER }];
    const reason = 'Maria is ill';
    const issuance = {
      quotation: { status: 'rejected', number: 'Q-1', reason },
      proposal: { status: 'rejected', number: 'P-1', quotationNumber: 'Q-1', reason },
    } as const;
    await save({ ...stateOf(cancelSale(sale, { on: ON, at: LATER })), corrections, issuance });
    const event = (await eventsOf('corrected')).at(-1);
    expect(event?.type).to.equal('sale.cancelled');
    expect(JSON.stringify(event)).to.contain('Q-1').and.not.contain('new@example.com');
    expect(JSON.stringify(event)).not.to.contain('Maria is ill');
  });

  it('tells of a certificate that was mailed, or finally not, and nothing of other mails', async () => {
    const sale = (await register('mailed')) as PaidSale;
    const { mailings } = store();
    const name = { saleId: sale.id, number: 0 };
    const at = (time: string): Instant => `2026-11-21T${time}.000Z` as Instant;
    await settle(mailings, name, 'undelivered', at('12:00:00'), 'EENVELOPE 550');
    await mailings.retry(name, entry({ action: 'mail.retried' }));
    const cancelled = await save(stateOf(cancelSale(sale, { on: ON, at: LATER })));
    await settle(mailings, name, 'sent', at('13:00:00'));
    await settle(mailings, { saleId: sale.id, number: -1 }, 'sent', at('14:00:00'));

    const events = await eventsOf('mailed');
    const told = events.filter(({ type }) => type.startsWith('certificate.'));
    expect(told.map(({ place, id, ...rest }) => rest)).to.deep.equal([
      {
        ...{ type: 'certificate.undelivered', channelLink: 'mailed', at: at('12:00:00') },
        ...{ sale, mailingNumber: 0, reason: 'EENVELOPE 550' },
      },
      {
        ...{ type: 'certificate.sent', channelLink: 'mailed', at: at('13:00:00') },
        sale: { ...cancelled, updatedAt: events.find(({ type }) => type === 'sale.cancelled')?.at },
        mailingNumber: 0,
      },
    ]);
  });

  it('tells of a test that was asked for', async () => {
    const { partnerEvents } = store();
    const id = await partnerEvents.requestTest('tested', 'whe_1', AT);
    const [told, ...others] = await eventsOf('tested');
    expect(others).to.deep.equal([]);
    const test = { type: 'webhook.test', channelLink: 'tested', endpointId: 'whe_1', at: AT };
    expect(told).to.deep.include({ id, ...test });
  });

  it('shows a channel its own events only', async () => {
    await register('one');
    await register('other');
    for (const link of ['one', 'other'])
      for (const event of await eventsOf(link)) expect(event.channelLink).to.equal(link);
    expect(await eventsOf('nobody')).to.deep.equal([]);
  });

  it('gives each event once to a reader that follows, page by page', async () => {
    for (let count = 0; count < 5; count += 1) await register('pages');
    const pages: FeedPage[] = [];
    do pages.push(await page('pages', pages.at(-1)?.next, 3));
    while (pages.at(-1)?.hasMore);
    expect(pages.map(({ events }) => events.length)).to.deep.equal([3, 3, 3, 1]);
    const ids = pages.flatMap(({ events }) => events.map(({ id }) => id));
    expect(new Set(ids).size).to.equal(10);

    const { next } = pages.at(-1) as FeedPage;
    expect(await page('pages', next)).to.deep.equal({ events: [], hasMore: false, next });
    const later = await register('pages');
    const { events } = await page('pages', next);
    expect(events.map((event) => 'sale' in event && event.sale.id)).to.deep.equal([
      later.id,
      later.id,
    ]);
  });

  it('moves a reader on past the events of others', async () => {
    const { next } = await page('quiet');
    await register('loud');
    expect((await page('quiet', next)).next).to.equal(next + 2);
  });

  it('gives only the types that are asked for, in the order of all', async () => {
    await register('types');
    await store().partnerEvents.requestTest('types', 'whe_1', LATER);
    await register('types');
    const types = (...wanted: EventType[]) => page('types', 0, 100, wanted as never);
    expect(typesOf((await types('sale.registered')).events)).to.deep.equal([
      'sale.registered',
      'sale.registered',
    ]);
    const { events } = await types('sale.paid', 'webhook.test');
    expect(typesOf(events)).to.have.members(['sale.paid', 'webhook.test', 'sale.paid']);
    const places = events.map(({ place }) => place);
    expect(places).to.deep.equal([...places].sort((one, another) => one - another));
  });

  it('deletes old events, and tells who would go on among them', async () => {
    await register('old');
    const { partnerEvents } = store();
    const [first] = await eventsOf('old');
    const everything = '2100-01-01T00:00:00.000Z' as Instant;
    expect(await partnerEvents.deleteBefore('2020-01-01T00:00:00.000Z' as Instant, 10)).to.equal(0);
    // As housekeeping does: until fewer are deleted than were allowed.
    let deleted = 7;
    while (deleted === 7) deleted = await partnerEvents.deleteBefore(everything, 7);
    expect(deleted).to.be.below(7);
    const read = (after: number) =>
      partnerEvents.read({ channelLink: 'old', after, types: EVENT_TYPES, limit: 10 });
    expect(await read(first?.place ?? 0)).to.equal('deleted');
    const fresh = (await read(0)) as FeedPage;
    expect(fresh.events).to.deep.equal([]);
    for (const channelLink of ['paid-to-channel', 'collected', 'mailed', 'pages'])
      expect(await eventsOf(channelLink)).to.deep.equal([]);
    await register('old');
    await store().givePlaces();
    expect(((await read(fresh.next)) as FeedPage).events).to.have.length(2);
  });
});
