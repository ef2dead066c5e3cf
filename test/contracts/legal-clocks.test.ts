import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  amounts,
  type CancelledSale,
  cents,
  createSale,
  type Instant,
  type Sale,
  type SaleTerms,
  ZERO,
} from '#domain';
import type { LateSales } from '../../application/legal-clocks/legal-clocks.ts';
import { entry } from '../support/identity.ts';
import { settle } from '../support/mailings.ts';
import { AT, cancelledOn, ISSUED, LATER, PAID, paidSale, TOTAL, terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

const NOW = '2027-02-01T12:00:00.000Z' as Instant;
const justAfter = (at: Instant): Instant => new Date(Date.parse(at) + 1).toISOString() as Instant;

overEveryStore('the time limits of the law', (store) => {
  const register = async (registeredAt: Instant, over: Partial<SaleTerms> = {}): Promise<Sale> => {
    const sale = createSale(`T-${randomUUID()}`, registeredAt, terms(over));
    const registration = await store().sales.register(sale);
    if (registration.kind !== 'registered') throw new Error(registration.kind);
    return registration.sale;
  };
  const registerCollected = (at: Instant) => register(at, { payment: PAID.terms.payment });
  /** Stores the registered sale in the state of another. */
  const become = async (sale: Sale, state: Sale): Promise<void> => {
    const { id, ticket, version, registeredAt } = sale;
    const changed = { ...state, id, ticket, version, registeredAt } as Sale;
    expect(await store().sales.save(changed)).to.equal('saved');
  };
  const all = async (take: () => Promise<LateSales>) => {
    const found = [];
    for (;;) {
      const { late, isComplete } = await take();
      found.push(...late);
      if (isComplete) return found;
    }
  };
  const policies = (before: Instant) =>
    all(() => store().legalClocks.takeLatePolicies(before, NOW));
  const certificates = (before: Instant) =>
    all(() => store().legalClocks.takeLateCertificates(before, NOW));

  it('return each sale that awaits its policy once, when it was registered before', async () => {
    const pending = await registerCollected(AT);
    const paid = await registerCollected(AT);
    await become(paid, PAID);
    const issued = await registerCollected(AT);
    await become(issued, ISSUED);
    const cancelled = await registerCollected(AT);
    await become(cancelled, cancelledOn(PAID, '2026-11-25'));
    await register(AT);
    const young = await registerCollected(LATER);

    expect(await policies(AT)).to.deep.equal([]);
    const late = await policies(justAfter(AT));
    expect(late).to.have.deep.members([
      { saleId: pending.id, since: AT },
      { saleId: paid.id, since: AT },
    ]);
    expect(await policies(justAfter(AT))).to.deep.equal([]);
    expect(await policies(justAfter(LATER))).to.deep.equal([{ saleId: young.id, since: LATER }]);
    expect(await policies(NOW)).to.deep.equal([]);
  });

  it('return each sale whose refund the channel owes since before, once', async () => {
    const since = '2026-11-25T12:00:00.000Z' as Instant;
    const ended = cancelledOn(paidSale(), '2026-11-25') as CancelledSale;
    const owing = async (over: object = {}) => {
      const sale = await register(AT);
      await become(sale, { ...ended, cancelledAt: since, ...over } as Sale);
      return sale;
    };
    const refunds = (before: Instant) =>
      all(() => store().legalClocks.takeLateRefunds(before, NOW));
    const due = await owing();
    const partly = await owing({ receipts: [{ ...ended.receipts[0], returned: cents(1) }] });
    await owing({ status: 'refunded', receipts: [{ ...ended.receipts[0], returned: TOTAL }] });
    const { cancellation } = ended;
    const nothing = { ...cancellation, kept: cancellation.paid, refund: amounts(ZERO, ZERO) };
    await owing({ cancellation: nothing });
    const collected = await registerCollected(AT);
    await become(collected, {
      ...(cancelledOn(PAID, '2026-11-25') as CancelledSale),
      cancelledAt: since,
    });

    expect(await refunds(since)).to.deep.equal([]);
    expect(await refunds(justAfter(since))).to.have.deep.members([
      { saleId: due.id, since },
      { saleId: partly.id, since },
    ]);
    expect(await refunds(justAfter(since))).to.deep.equal([]);
    const [alert] = await store().alertRecords.list({ saleId: due.id, limit: 10 });
    expect(alert).to.deep.include({ kind: 'refund_unconfirmed', details: { since } });
  });

  it('store the alert of each late sale, open, once', async () => {
    const { id } = await registerCollected(AT);
    const sold = await register(AT);
    await policies(NOW);
    await certificates(NOW);
    await policies(NOW);
    const [overdue, ...others] = await store().alertRecords.list({ saleId: id, limit: 10 });
    expect(others).to.deep.equal([]);
    expect(overdue).to.deep.equal({
      ...{ id: overdue?.id, kind: 'policy_overdue', subject: `transaction/${id}`, saleId: id },
      ...{ details: { since: AT }, firstAt: NOW, lastAt: NOW, times: 1 },
      ...{ requestId: null, resolution: null },
    });
    const [certificate] = await store().alertRecords.list({ saleId: sold.id, limit: 10 });
    expect(certificate).to.deep.include({ kind: 'certificate_overdue', details: { since: AT } });
  });

  it('return a late sale to one of several simultaneous callers', async () => {
    const at = '2026-12-20T12:00:00.000Z' as Instant;
    const sales = [await registerCollected(at), await registerCollected(at)];
    const found = await Promise.all(Array.from({ length: 8 }, () => policies(NOW)));
    expect(found.flat().map(({ saleId }) => saleId)).to.have.members(sales.map(({ id }) => id));
    const mails = await Promise.all(Array.from({ length: 8 }, () => certificates(NOW)));
    const ids = mails.flat().map(({ saleId }) => saleId);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('return each sale whose certificate was due before and not sent, in every state of the mail', async () => {
    const since = '2026-12-21T12:00:00.000Z' as Instant;
    const sell = (over: Partial<SaleTerms> = {}) => register(since, over);
    const [waiting, handedOver, undelivered] = [await sell(), await sell(), await sell()];
    const [sent, copied, cancelled] = [await sell(), await sell(), await sell()];
    const onRequest = await sell({ certificateMail: 'on_request' });
    const { mailings } = store();
    const first = ({ id }: Sale) => ({ saleId: id, number: 0 });
    await store().handedOver();
    for (const each of [undelivered, copied, cancelled])
      await settle(mailings, first(each), 'undelivered', NOW, 'EENVELOPE 550');
    await settle(mailings, first(sent), 'sent', NOW);
    const limit = { most: 3, since: NOW };
    await mailings.requestCopy({ saleId: copied.id, at: NOW, limit, entry: entry() });
    await settle(mailings, { saleId: copied.id, number: 1 }, 'sent', NOW);
    await become(cancelled, cancelledOn(paidSale(), '2026-11-25'));
    const stillWaiting = await sell();

    expect(await certificates(since)).to.deep.equal([]);
    const late = await certificates(justAfter(since));
    const expected = [waiting, handedOver, undelivered, stillWaiting].map(({ id }) => id);
    expect(late.map(({ saleId }) => saleId)).to.have.members(expected);
    for (const each of late) expect(each.since).to.equal(since);
    expect(expected).not.to.include(onRequest.id);
    expect(await certificates(justAfter(since))).to.deep.equal([]);
  });
});
