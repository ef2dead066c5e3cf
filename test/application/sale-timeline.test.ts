import { expect } from 'chai';
import { cents, type Instant, type Sale, unwrap } from '#domain';
import { timelineOf } from '../../application/servicing/sale-timeline.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR, entry } from '../support/identity.ts';
import { AT, AWAITING, cancelledOn, PAID, paidSale } from '../support/sales.ts';
import { cardOf, letTimePass, phoneSale, soldIn, world } from '../support/selling.ts';

describe('what happened to a sale', () => {
  let here: MemoryService;
  const seen = async ({ id }: Sale) =>
    (await here.useCases.inspectSale((await here.sales.load(id)) as Sale)).timeline.map(
      ({ event, by, amount, about }) => [event, by ?? about ?? amount],
    );

  it('is told from its own state, its mails and alerts, and the acts of people', async () => {
    here = await world();
    const sale = soldIn(await here.useCases.sell(phoneSale('credit'), { card: cardOf() }));
    here.clock.advance(1);
    await letTimePass(here);
    const { amount } = sale.payment;
    const issued = [
      ['issued', 'A-2026-000001'],
      ['paid', amount],
      ['registered', undefined],
    ];
    expect(await seen(sale)).to.deep.equal([
      ...[
        ['mail_sent', 'issue'],
        ['mail_requested', 'issue'],
      ],
      ...issued,
    ]);

    here.clock.advance(60);
    here.alerts.raise({ kind: 'sale_stuck', saleId: sale.id, tries: 9 });
    await here.alertNotes.flush();
    here.clock.advance(60);
    const asked = { sale: (await here.sales.load(sale.id)) as Sale, actor: ADMINISTRATOR };
    unwrap(await here.useCases.cancelSale.cancel({ ...asked, by: 'insured' }));
    await letTimePass(here);
    const [alert] = await here.alertRecords.list({ saleId: sale.id, limit: 1 });
    await here.useCases.resolveAlert(alert?.id ?? 0, 'feito', ADMINISTRATOR);
    const events = await seen(sale);
    expect(events.slice(-7)).to.deep.equal([
      ['cancelled', 'admin-1'],
      ['alert_raised', 'sale_stuck'],
      ['mail_sent', 'issue'],
      ['mail_requested', 'issue'],
      ...issued,
    ]);
    expect(events).to.deep.include(['alert_resolved', 'admin-1']);
    expect(events).to.deep.include(['refund_left', amount]);
    expect(events).to.deep.include(['mail_sent', 'cancellation']);
    expect(events.flat()).not.to.include('sale.cancelled');
  });

  it('names each end of a sale, who ended it, and what the bank did', () => {
    const sources = { acts: [], mails: [], alerts: [] };
    const eventsOf = (sale: Sale, acts = [entry()].slice(1)) =>
      timelineOf({ ...sources, sale, acts }).map(({ event, by }) => [event, by]);
    const expired = { ...AWAITING, status: 'expired', closedAt: AT } as unknown as Sale;
    expect(eventsOf(expired).flat()).to.include('expired').and.not.include('issued');
    const cancelled = cancelledOn(paidSale(), '2026-11-25');
    expect(eventsOf(cancelled)).to.deep.include(['cancelled', undefined]);
    const about = { subject: `transaction/${cancelled.id}` };
    const nobody = { ...ADMINISTRATOR, name: null };
    const acts = [
      entry({ ...about, action: 'sale.given_up', actor: nobody }),
      entry({ ...about, action: 'sale.retried', actor: nobody }),
      entry({ ...about, action: 'approval.asked' }),
      entry({ ...about, action: 'mail.retried' }),
    ];
    expect(eventsOf(cancelled, acts))
      .to.deep.include(['cancelled', undefined])
      .and.deep.include(['sale.retried', undefined])
      .and.deep.include(['approval.asked', 'admin-1'])
      .and.not.deep.include(['mail.retried', 'admin-1']);
    const openedAt = '2026-11-30T00:00:00.000Z' as Instant;
    const dispute = { status: 'opened', amount: cents(100), openedAt } as const;
    const receipts = PAID.receipts.map((each) => ({
      ...{ ...each, dispute, ordered: cents(50), orderedAt: openedAt },
    }));
    const [first, second] = timelineOf({ ...sources, sale: { ...PAID, receipts } as Sale });
    expect([first?.event, first?.amount]).to.deep.equal(['refund_ordered', 50]);
    expect([second?.event, second?.amount]).to.deep.equal(['dispute_opened', 100]);
  });

  it('says of a waiting mail only that it was asked for', () => {
    const mail = { saleId: 1, number: 0, requestedAt: AT, status: 'waiting', failures: 0 } as const;
    const told = timelineOf({ sale: paidSale(), acts: [], mails: [mail], alerts: [] });
    expect(told.filter(({ event }) => event.startsWith('mail')).length).to.equal(1);
  });
});
