import { expect } from 'chai';
import {
  applyPaymentReport,
  cancelSale,
  cents,
  createSale,
  type Instant,
  nextVersion,
  type PaidSale,
  type Sale,
} from '#domain';
import type { CopyRequest, MailClaim } from '../../application/mail/mailings.ts';
import { CANCELLATION_NUMBER, type MailingName } from '../../application/mailing-name.ts';
import { entry } from '../support/identity.ts';
import { fail, settle } from '../support/mailings.ts';
import { APPROVED, AT, day, LATER, stateOf, terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

const ON = day('2026-12-05');

const at = (time: string): Instant => `2026-11-21T${time}.000Z` as Instant;

overEveryStore('the mailings', (store) => {
  let lastSale = 1_000;
  const nextSale = (): number => {
    lastSale += 1;
    return lastSale;
  };
  const copy = (saleId: number, over: Partial<CopyRequest> = {}) =>
    store().mailings.requestCopy({
      saleId,
      at: at('12:00:00'),
      limit: { most: 3, since: at('11:00:00') },
      entry: entry(),
      ...over,
    });
  const requested = async (saleId: number): Promise<MailingName> => {
    const outcome = await copy(saleId);
    if (outcome.kind !== 'requested') throw new Error(outcome.kind);
    return { saleId, number: outcome.mailing.number };
  };
  beforeEach(() => store().handedOver());

  it('stores a requested copy as waiting, and hands it to a worker once', async () => {
    const saleId = nextSale();
    const mailing = {
      saleId,
      number: 1,
      requestedAt: at('12:00:00'),
      status: 'waiting',
      failures: 0,
    };
    expect(await copy(saleId)).to.deep.equal({ kind: 'requested', mailing });
    expect(await store().mailings.find({ saleId, number: 1 })).to.deep.equal(mailing);
    expect(await store().handedOver()).to.deep.equal([{ saleId, number: 1 }]);
    expect(await store().handedOver()).to.deep.equal([]);
    expect(await store().mailings.find({ saleId, number: 1 })).to.deep.equal(mailing);
    expect(await store().mailings.find({ saleId, number: 2 })).to.equal(undefined);
  });

  it('numbers the copies of a sale from 1, after mailing 0 of its certificate', async () => {
    const registration = await store().sales.register(createSale('T-mailings-1', AT, terms()));
    if (registration.kind !== 'registered') throw new Error(registration.kind);
    const saleId = registration.sale.id;
    expect(await store().mailings.find({ saleId, number: 0 })).to.deep.equal({
      saleId,
      number: 0,
      requestedAt: AT,
      status: 'waiting',
      failures: 0,
    });
    expect((await requested(saleId)).number).to.equal(1);
    expect((await requested(saleId)).number).to.equal(2);
    expect(await store().handedOver()).to.have.deep.members(
      [0, 1, 2].map((number) => ({ saleId, number })),
    );
  });

  it('has a mail for each time that a payer is asked for an account, and no other news', async () => {
    const registration = await store().sales.register(createSale('T-mailings-ask', AT, terms()));
    if (registration.kind !== 'registered') throw new Error(registration.kind);
    let { sale }: { sale: Sale } = registration;
    await store().handedOver();
    for (const kind of ['account_asked', 'dispute_won', 'account_asked'] as const) {
      expect(await store().sales.save(sale, { news: [{ kind }] })).to.equal('saved');
      sale = nextVersion(sale);
    }
    const saleId = sale.id;
    const names = [-2, -3].map((number) => ({ saleId, number }));
    expect(await store().handedOver()).to.have.deep.members(names);
    const [first = { saleId, number: 0 }] = names;
    await settle(store().mailings, first, 'undelivered', at('12:00:00'), 'EENVELOPE 550');
    const resend = { entry: entry({ action: 'sale.email_corrected' }), resendMails: true } as const;
    expect(await store().sales.save(sale, resend)).to.equal('saved');
    expect(await store().handedOver()).to.deep.equal([first]);
    const listed = await store().mailings.list({ saleId, limit: 9 });
    expect(listed.map(({ number, status }) => [number, status])).to.deep.equal([
      [0, 'waiting'],
      [-2, 'waiting'],
      [-3, 'waiting'],
    ]);
  });

  const paid = async (ticket: string): Promise<Sale> => {
    const registration = await store().sales.register(createSale(ticket, AT, terms()));
    if (registration.kind !== 'registered') throw new Error(registration.kind);
    return registration.sale;
  };
  const cancelled = async (ticket: string): Promise<Sale> => {
    const sale = stateOf(cancelSale((await paid(ticket)) as PaidSale, { on: ON, at: LATER }));
    if ((await store().sales.save(sale, { entry: entry() })) !== 'saved') throw new Error('stale');
    return nextVersion(sale);
  };
  const notices = async (saleId: number) =>
    (await store().mailings.list({ saleId, limit: 10 })).filter(({ number }) => number < 0);

  it('stores the notice of a cancellation with the cancellation, and hands it over once', async () => {
    const { id: saleId } = await cancelled('T-mailings-cancelled');
    const notice = { saleId, number: CANCELLATION_NUMBER };
    const waiting = { ...notice, requestedAt: LATER, status: 'waiting', failures: 0 };
    expect(await store().mailings.find(notice)).to.deep.equal(waiting);
    expect(await store().handedOver()).to.have.deep.members([notice, { saleId, number: 0 }]);
    expect(await store().handedOver()).to.deep.equal([]);
    await fail(store().mailings, notice, 'ESOCKET');
    await settle(store().mailings, notice, 'undelivered', at('12:00:05'), 'EENVELOPE 550');
    const settled = { status: 'undelivered', failures: 2, reason: 'EENVELOPE 550' };
    expect(await store().mailings.find(notice)).to.deep.include(settled);
    const [certificate] = await store().mailings.list({ saleId, status: 'waiting', limit: 1 });
    expect(certificate).to.deep.include({ number: 0, failures: 0 });
    expect(await store().mailings.retry(notice, entry({ action: 'mail.retried' }))).to.equal(
      'waiting',
    );
    expect(await store().handedOver()).to.deep.equal([notice]);
  });

  it('stores no notice if the cancellation is not stored, and none for other changes', async () => {
    const sale = (await paid('T-mailings-stale')) as PaidSale;
    const state = stateOf(cancelSale(sale, { on: ON, at: LATER }));
    expect(await store().sales.save({ ...state, version: 7 })).to.equal('stale');
    expect(await notices(sale.id)).to.deep.equal([]);
    expect(await store().sales.save(sale)).to.equal('saved');
    expect(await notices(sale.id)).to.deep.equal([]);
  });

  it('stores one notice for a sale that is cancelled and then refunded', async () => {
    const sale = await cancelled('T-mailings-refunded');
    const { amount } = sale.payment;
    const report = { status: 'returned', chargeId: 'c', amount, returned: amount } as const;
    const back = applyPaymentReport(
      {
        ...sale,
        payment: { ...APPROVED, amount, chargeId: 'c' },
        receipts: [{ chargeId: 'c', amount, returned: cents(0) }],
      } as Sale,
      report,
      { on: ON, at: LATER },
    );
    const refunded = stateOf(back as never) as Sale;
    expect(refunded.status).to.equal('refunded');
    expect(await store().sales.save(refunded)).to.equal('saved');
    expect(await notices(sale.id)).to.have.length(1);
  });

  it('lists notices after the certificates of their sale, page by page', async () => {
    const { id: saleId } = await cancelled('T-mailings-listed');
    await copy(saleId);
    const numbers = async (query: object) =>
      (await store().mailings.list({ saleId, limit: 10, ...query })).map(({ number }) => number);
    expect(await numbers({})).to.deep.equal([1, 0, CANCELLATION_NUMBER]);
    expect(await numbers({ before: { saleId, number: 0 } })).to.deep.equal([CANCELLATION_NUMBER]);
  });

  it('limits the copies in a time window, and returns the time of the earliest', async () => {
    const saleId = nextSale();
    for (const time of ['11:00:00', '11:30:00', '11:45:00', '11:50:00'])
      await copy(saleId, { at: at(time) });
    expect(await copy(saleId)).to.deep.equal({ kind: 'too_many', earliest: at('11:30:00') });
    const later = { at: at('12:30:00'), limit: { most: 3, since: at('11:30:00') } };
    expect((await copy(saleId, later)).kind).to.equal('requested');
    expect((await copy(nextSale())).kind).to.equal('requested');
  });

  it('applies the limit to simultaneous requests', async () => {
    const saleId = nextSale();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => copy(saleId)));
    expect(outcomes.filter(({ kind }) => kind === 'requested')).to.have.length(3);
    expect(outcomes.filter(({ kind }) => kind === 'too_many')).to.have.length(17);
    expect(await store().mailings.list({ saleId, limit: 100 })).to.have.length(3);
  });

  it('stores one copy per key of a client, for repeated and simultaneous requests', async () => {
    const [saleId, other] = [nextSale(), nextSale()];
    const key = { clientId: 'client-1', key: `copy-${saleId}` };
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => copy(saleId, { key })));
    expect(outcomes.map(({ kind }) => kind).sort()).to.deep.equal([
      ...Array(9).fill('repeated'),
      'requested',
    ]);
    expect(await store().mailings.list({ saleId, limit: 100 })).to.have.length(1);
    expect(await copy(other, { key })).to.deep.equal({ kind: 'conflict', saleId });
    expect((await copy(other, { key: { ...key, clientId: 'client-2' } })).kind).to.equal(
      'requested',
    );
  });

  it('stores the audit entry of a copy that is requested, and no other', async () => {
    const saleId = nextSale();
    const subject = `transaction/${saleId}`;
    const over = {
      entry: entry({ action: 'sale.copy_requested', subject }),
      key: { clientId: 'client-1', key: `audited-${saleId}` },
      limit: { most: 1, since: at('11:00:00') },
    } as const;
    const outcomes = [
      await copy(saleId, over),
      await copy(saleId, over),
      await copy(saleId, { ...over, key: { ...over.key, key: `other-${saleId}` } }),
      await copy(nextSale(), over),
    ];
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal([
      'requested',
      'repeated',
      'too_many',
      'conflict',
    ]);
    const stored = await store().auditLog.list({ subject, limit: 9 });
    expect(stored).to.have.length(1);
    expect(stored[0]).to.deep.include(over.entry);
  });

  it('accepts a key for only one sale if a client uses it for several simultaneously', async () => {
    const sales = Array.from({ length: 8 }, nextSale);
    const key = { clientId: 'client-1', key: `race-${sales[0]}` };
    const outcomes = await Promise.all(sales.map((saleId) => copy(saleId, { key })));
    expect(outcomes.filter(({ kind }) => kind === 'requested')).to.have.length(1);
    expect(outcomes.filter(({ kind }) => kind === 'conflict')).to.have.length(7);
  });

  it('keeps the first outcome of a mailing', async () => {
    const name = await requested(nextSale());
    await store().handedOver();
    await settle(store().mailings, name, 'sent', at('12:00:05'));
    await settle(store().mailings, name, 'undelivered', at('12:00:06'), 'too late');
    expect(await store().mailings.find(name)).to.deep.include({
      status: 'sent',
      settledAt: at('12:00:05'),
    });
    expect(await store().mailings.retry(name, entry({ action: 'mail.retried' }))).to.equal(
      'not_undelivered',
    );
  });

  it('counts the failures of a waiting mailing, and keeps the reason of the last one', async () => {
    const name = await requested(nextSale());
    await fail(store().mailings, name, 'ESOCKET');
    await store().handedOver();
    await fail(store().mailings, name, 'EENVELOPE 450');
    expect(await store().mailings.find(name)).to.deep.include({
      status: 'waiting',
      failures: 2,
      reason: 'EENVELOPE 450',
    });
    await settle(store().mailings, name, 'sent', at('12:00:05'));
    await fail(store().mailings, name, 'too late');
    const sent = await store().mailings.find(name);
    expect(sent)
      .to.deep.include({ status: 'sent', failures: 2 })
      .and.not.to.have.property('reason');
  });

  it('sets an undelivered mailing to waiting on retry, with an audit entry', async () => {
    const name = await requested(nextSale());
    await store().handedOver();
    await settle(store().mailings, name, 'undelivered', at('12:00:05'), 'EENVELOPE 550');
    expect(await store().mailings.find(name)).to.deep.include({
      status: 'undelivered',
      reason: 'EENVELOPE 550',
    });
    const subject = `mailing/${name.saleId}-1`;
    const retries = await Promise.all(
      [1, 2, 3].map(() => store().mailings.retry(name, entry({ action: 'mail.retried', subject }))),
    );
    expect(retries.sort()).to.deep.equal(['not_undelivered', 'not_undelivered', 'waiting']);
    expect(await store().mailings.find(name)).to.deep.equal({
      ...name,
      requestedAt: at('12:00:00'),
      status: 'waiting',
      failures: 0,
    });
    expect(await store().handedOver()).to.deep.equal([name]);
    expect(await store().auditLog.list({ subject, limit: 10 })).to.have.length(1);
  });

  it('names the sales whose last certificate was given up', async () => {
    const { mailings } = store();
    const [first, other] = [await requested(nextSale()), await requested(nextSale())];
    const ids = [first.saleId, other.saleId];
    expect(await mailings.lost(ids)).to.deep.equal(new Set());
    await settle(mailings, first, 'undelivered', at('12:00:05'), 'EENVELOPE 550');
    await settle(mailings, other, 'sent', at('12:00:05'));
    expect(await mailings.lost(ids)).to.deep.equal(new Set([first.saleId]));
    expect(await mailings.lost([other.saleId])).to.deep.equal(new Set());
    await mailings.retry(first, entry({ action: 'mail.retried' }));
    expect(await mailings.lost(ids)).to.deep.equal(new Set());
    await settle(mailings, first, 'undelivered', at('12:00:06'), 'EENVELOPE 550');
    const second = await requested(first.saleId);
    expect(await mailings.lost(ids), 'a copy is on its way').to.deep.equal(new Set());
    await mailings.retry(first, entry({ action: 'mail.retried' }));
    for (const each of [first, second]) await settle(mailings, each, 'sent', at('12:00:07'));
  });

  describe('gives claims', () => {
    const claim = (limit: number, over: Partial<MailClaim> = {}) =>
      store().mailings.claim({ now: at('12:00:00'), until: at('12:02:00'), limit, ...over });
    const idsOf = (claimed: readonly MailingName[]) =>
      claimed.map(({ saleId, number }) => `${saleId}-${number}`);
    const ofChannel = async (channelLink: string, count: number): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const sale = createSale(`T-turn-${channelLink}-${index}`, AT, terms({ channelLink }));
        const registration = await store().sales.register(sale);
        if (registration.kind !== 'registered') throw new Error(registration.kind);
        ids.push(`${registration.sale.id}-0`);
      }
      return ids;
    };

    it('of each channel in turn, and of each the oldest, so that many of one hold up no other', async () => {
      const many = await ofChannel('turn-a', 20);
      const few = await ofChannel('turn-b', 3);
      const claimed = idsOf(await claim(6));
      expect(claimed).to.have.members([...many.slice(0, 3), ...few]);
      expect(idsOf(await claim(100))).to.have.members(many.slice(3));
    });

    it('of second copies before certificates, and of what tells of money before all', async () => {
      const waiting = await ofChannel('turn-c', 3);
      const sale = await cancelled('T-mailings-money');
      const copied = { saleId: Number(waiting[2]?.split('-')[0]), number: 1 };
      await copy(copied.saleId);
      expect(idsOf(await claim(1))).to.deep.equal([`${sale.id}-${CANCELLATION_NUMBER}`]);
      const channels = idsOf(await claim(2));
      expect(channels).to.include(`${copied.saleId}-1`);
      await store().handedOver();
    });

    it('of notices of money in half of a claim at most, while enough certificates wait', async () => {
      const isNotice = ({ number }: MailingName) => number < 0;
      for (let index = 0; index < 5; index += 1) await cancelled(`T-mailings-rush-${index}`);
      const claimed = await claim(4);
      expect(claimed.filter(isNotice)).to.have.length(2);
      const rest = await claim(100);
      expect(rest.filter(isNotice)).to.have.length(3);
      expect([...claimed, ...rest].filter((each) => !isNotice(each))).to.have.length(5);
    });

    it('to one of several workers', async () => {
      // Many times, because workers seldom claim in the same moment.
      for (let round = 0; round < 20; round += 1) {
        const waiting = await ofChannel(`turn-d-${round}`, 10);
        const claims = await Promise.all([1, 2, 3, 4].map(() => claim(10)));
        const claimed = [...claims.flat(), ...(await claim(100))];
        expect(idsOf(claimed).sort()).to.deep.equal(waiting.toSorted());
      }
    });

    it('again once their time is over, unless they are renewed or recorded', async () => {
      await ofChannel('turn-e', 3);
      const [kept, recorded, lost] = await claim(3);
      if (!kept || !recorded || !lost) throw new Error('too few');
      await store().mailings.renew([kept], at('12:30:00'));
      await settle(store().mailings, recorded, 'sent', at('12:01:00'));
      expect(await claim(3, { now: at('12:01:59') })).to.deep.equal([]);
      expect(idsOf(await claim(3, { now: at('12:02:01') }))).to.deep.equal(idsOf([lost]));
      await store().mailings.renew([recorded], at('12:30:00'));
      expect(await store().mailings.find(recorded)).to.include({ status: 'sent' });
      await store().handedOver();
    });

    it('of a mailing with a next try from then on, which is shown while it waits', async () => {
      const [id] = await ofChannel('turn-f', 1);
      const name = { saleId: Number(id?.split('-')[0]), number: 0 };
      await claim(1);
      const nextAt = at('12:10:00');
      await store().mailings.record([{ ...name, status: 'waiting', nextAt }], at('12:00:05'));
      expect(await store().mailings.find(name)).to.deep.include({ nextAt, failures: 0 });
      expect(await claim(1, { now: at('12:09:59') })).to.deep.equal([]);
      expect(idsOf(await claim(1, { now: nextAt, until: at('12:20:00') }))).to.deep.equal([id]);
    });

    it('of so many in a minute of all workers together', async () => {
      await ofChannel('turn-g', 9);
      const pace = { perMinute: 4, now: at('14:00:10'), until: at('14:30:00') };
      const first = await Promise.all([claim(3, pace), claim(3, pace)]);
      expect(first.flat()).to.have.length(4);
      expect(await claim(3, pace)).to.deep.equal([]);
      expect(await claim(9, { ...pace, now: at('14:01:00') })).to.have.length(4);
      await store().handedOver();
    });
  });

  it('lists matching mailings, the newest first, by page', async () => {
    // Sale ids must be ordered as numbers, not as text.
    const [one, two] = [999_999_999_999, 1_000_000_000_000];
    for (const saleId of [one, one, two]) await requested(saleId);
    const names = async (query: object) =>
      (await store().mailings.list({ limit: 100, ...query })).map(
        ({ saleId, number }) => `${saleId}-${number}`,
      );
    const all = [`${two}-1`, `${one}-2`, `${one}-1`];
    expect((await names({})).slice(0, 3)).to.deep.equal(all);
    expect(await names({ saleId: one })).to.deep.equal(all.slice(1));
    expect((await names({ before: { saleId: one, number: 2 } }))[0]).to.equal(all[2]);
    expect(await names({ limit: 2 })).to.deep.equal(all.slice(0, 2));
    await store().handedOver();
    await settle(store().mailings, { saleId: two, number: 1 }, 'undelivered', at('13:00:00'), 'x');
    expect(await names({ status: 'undelivered' })).to.deep.equal([`${two}-1`]);
    expect((await names({ status: 'waiting' })).slice(0, 2)).to.deep.equal(all.slice(1));
  });
});
