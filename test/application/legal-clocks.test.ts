import { expect } from 'chai';
import { cents, type Sale } from '#domain';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { day } from '../support/sales.ts';
import { artistSale, cardOf, phoneSale, soldIn, world } from '../support/selling.ts';

const DAY_SECONDS = 86_400;

/** 20 November, 23:30 in São Paulo: in UTC it is the 21st already. */
const LATE_EVENING = '2026-11-21T02:30:00.000Z';

describe('the clocks that the law sets', () => {
  let memory: MemoryService;
  beforeEach(async () => {
    memory = await world({ clock: new MemoryClock(LATE_EVENING) });
  });
  const alerts = () => memory.alerts.raised.filter(({ kind }) => kind.endsWith('_overdue'));
  const watch = async (): Promise<void> => {
    for (let times = 0; times < 3; times += 1) await memory.useCases.watchLegalClocks();
  };
  /** Moves the clock to an instant. */
  const goTo = (instant: string): void =>
    memory.clock.advance((Date.parse(instant) - Date.parse(memory.clock.now())) / 1_000);
  const sellByCard = async (): Promise<Sale> => {
    memory.issuer.mishaps.always = 'unreached';
    return soldIn(await memory.useCases.sell(phoneSale('credit'), { card: cardOf() }));
  };

  it('raise an alert on the 25th day after the proposal, São Paulo’s, if there is no policy', async () => {
    const sale = await sellByCard();
    expect(sale.status).to.equal('paid');
    goTo('2026-12-15T02:59:59.999Z');
    await watch();
    expect(alerts()).to.deep.equal([]);
    goTo('2026-12-15T03:00:00.000Z');
    await watch();
    expect(alerts()).to.deep.equal([
      { kind: 'policy_overdue', saleId: sale.id, since: sale.registeredAt },
    ]);
    for (let days = 0; days < 30; days += 1) {
      memory.clock.advance(DAY_SECONDS);
      await watch();
    }
    expect(alerts(), 'once for each sale').to.have.length(1);
  });

  it('count the days from the next day on, also for a sale just after midnight', async () => {
    goTo('2026-11-21T03:00:00.000Z');
    await sellByCard();
    goTo('2026-12-16T02:59:59.999Z');
    await watch();
    expect(alerts()).to.deep.equal([]);
    goTo('2026-12-16T03:00:00.000Z');
    await watch();
    expect(alerts()).to.have.length(1);
  });

  it('raise none for a policy that was issued, and none for a bilhete', async () => {
    const issued = soldIn(await memory.useCases.sell(phoneSale('credit'), { card: cardOf() }));
    expect(issued.status).to.equal('issued');
    await memory.useCases.sell({
      ...phoneSale(),
      line: 'event_ticket',
      product: { id: 1 },
      insuredAmount: cents(188_600),
      eventOn: day('2026-12-31'),
      payment: { collectedBy: 'channel', method: 'pix', paidOn: day('2026-11-20') },
    });
    for (let times = 0; times < 3; times += 1) await memory.runJobs();
    memory.clock.advance(60 * DAY_SECONDS);
    await watch();
    expect(alerts()).to.deep.equal([]);
  });

  it('raise an alert for a proposal that the insurer leaves without an answer', async () => {
    memory.issuer.mishaps.always = 'unheard';
    const sale = soldIn(await memory.useCases.sell(artistSale('boleto')));
    expect(sale.status).to.equal('pending');
    goTo('2026-12-15T03:00:00.000Z');
    await watch();
    expect(alerts()).to.deep.include({
      kind: 'policy_overdue',
      saleId: sale.id,
      since: sale.registeredAt,
    });
  });

  it('raise an alert on the 30th day after the certificate was due, if no mail was accepted', async () => {
    const sale = soldIn(await memory.useCases.sell(phoneSale('credit'), { card: cardOf() }));
    if (sale.status !== 'issued') throw new Error(sale.status);
    memory.mailer.next({ kind: 'refused', reason: 'EENVELOPE 550' });
    await memory.runJobs();
    goTo('2026-12-20T02:59:59.999Z');
    await watch();
    expect(alerts()).to.deep.equal([]);
    goTo('2026-12-20T03:00:00.000Z');
    await watch();
    expect(alerts()).to.deep.equal([
      { kind: 'certificate_overdue', saleId: sale.id, since: sale.policy.issuedAt },
    ]);
    memory.clock.advance(30 * DAY_SECONDS);
    await watch();
    expect(alerts()).to.have.length(1);
  });
});
