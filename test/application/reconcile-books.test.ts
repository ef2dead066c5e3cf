import { expect } from 'chai';
import {
  type BookDifference,
  type CalendarDate,
  type CancellableSale,
  type ComparisonSums,
  cents,
  type Instant,
  type ListedSale,
  NO_LINES,
  type Sale,
  withLine,
} from '#domain';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { cancelledOn } from '../support/sales.ts';
import { phoneSale, soldIn, ticketSale, world } from '../support/selling.ts';

const DAY_SECONDS = 86_400;
const NOVEMBER = { from: '2026-11-01' as CalendarDate, until: '2026-12-01' as CalendarDate };

describe('balancing the books of a channel', () => {
  let here: MemoryService;
  beforeEach(async () => {
    here = await world();
  });

  const sell = async (externalSaleId: string, request = ticketSale()): Promise<Sale> =>
    soldIn(
      await here.useCases.sell(
        { ...request, idempotency: { owner: 'channel', key: externalSaleId, content: {} } },
        {},
      ),
    );

  const cancelInNovember = async (sale: Sale | undefined): Promise<void> => {
    const cancelled = cancelledOn(sale as CancellableSale, '2026-11-21');
    await here.sales.save({ ...cancelled, cancelledAt: '2026-11-21T12:00:00.000Z' as Instant });
  };

  const listOf = (sales: readonly Sale[]): ListedSale[] =>
    sales.map(({ ticket, terms, status }, index) => ({
      line: index + 1,
      name: terms.externalSaleId ?? ticket,
      total: terms.quote.premium.total,
      status,
    }));

  const reconcile = async (
    list: readonly ListedSale[],
    period = NOVEMBER,
  ): Promise<{ differences: BookDifference[]; sums: ComparisonSums; isFinal: boolean }> => {
    const found = await here.useCases.reconcileBooks('canal-demo', period, list);
    if (found === undefined) throw new Error('the channel is unknown');
    const differences: BookDifference[] = [];
    for await (const difference of found.differences) differences.push(difference);
    return { differences, sums: found.sums(), isFinal: found.isFinal };
  };

  const told = (differences: readonly BookDifference[]): readonly string[] =>
    differences.map((each) => {
      const name = 'listed' in each ? each.listed.name : each.known.externalSaleId;
      return `${each.kind} ${name}${'reason' in each ? ` ${each.reason}` : ''}`;
    });

  it('finds no difference in the list of a month, cancelled sales included', async () => {
    const sales = [await sell('a'), await sell('b'), await sell('c')];
    await cancelInNovember(sales[1]);
    const { differences } = await reconcile(listOf(sales));
    expect(told(differences)).to.deep.equal(['status_differs b']);
    const now = await Promise.all(sales.map(({ id }) => here.sales.load(id)));
    expect((await reconcile(listOf(now as Sale[]))).differences).to.deep.equal([]);
  });

  it('has the sums of the statement', async () => {
    const sales = [await sell('a'), await sell('b')];
    await cancelInNovember(sales[1]);
    const statement = await here.useCases.channelStatement('canal-demo', NOVEMBER);
    const totals = { sale: NO_LINES, refund: NO_LINES };
    for await (const { booking } of statement?.lines ?? [])
      totals[booking.kind] = withLine(totals[booking.kind], booking);
    const { sums } = await reconcile([]);
    expect(sums.here).to.deep.equal({ count: totals.sale.lines, total: totals.sale.total });
    expect(sums.refunds).to.deep.equal({ count: totals.refund.lines, total: totals.refund.total });
    expect([sums.here.count, sums.refunds.count]).to.deep.equal([2, 1]);
    expect(sums.differences.missing_there).to.deep.equal(sums.here);
  });

  it('knows the sales of the list that were not booked in the period', async () => {
    const early = await sell('early');
    const unpaid = await sell('unpaid', phoneSale());
    here.clock.advance(12 * DAY_SECONDS);
    const list = listOf([early, unpaid]).map(({ status, ...rest }) => rest);
    const unknown = Array.from({ length: 1_200 }, (_, index) => ({
      ...{ line: index + 3, name: `unknown-${index}`, total: cents(1) },
    }));
    const december = { from: NOVEMBER.until, until: '2027-01-01' as CalendarDate };
    const { differences, sums, isFinal } = await reconcile([...list, ...unknown], december);
    expect(told(differences.slice(0, 3))).to.deep.equal([
      'missing_here early other_period',
      'missing_here unpaid not_paid',
      'missing_here unknown-0 unknown',
    ]);
    expect(differences[0]).to.deep.nested.include({ 'known.bookedOn': '2026-11-20' });
    expect(sums.differences.missing_here.count).to.equal(1_202);
    expect(isFinal).to.equal(false);
  });

  it('tells the channel’s own id of one sale from the ticket of another', async () => {
    const { ticket } = await sell('a');
    const unpaid = await sell(ticket, phoneSale());
    const { differences } = await reconcile([{ line: 1, name: ticket, total: cents(1) }]);
    // The line names the unpaid sale by its id, and the paid one by its ticket: either may be meant.
    expect(told(differences)).to.deep.equal([`amount_differs ${ticket}`]);
    expect(differences[0]).to.nested.include({ 'known.externalSaleId': 'a' });
    expect(unpaid.status).to.equal('awaiting_payment');
  });

  it('compares a sale that was booked while the statement was read', async () => {
    const first = await sell('first');
    const found = await here.useCases.reconcileBooks('canal-demo', NOVEMBER, [
      ...listOf([first]),
      { line: 2, name: 'late', total: first.terms.quote.premium.total },
      { line: 3, name: 'late', total: cents(1) },
      { line: 4, name: 'early', total: cents(1) },
    ]);
    const booked = here.sales.findNamed.bind(here.sales);
    here.sales.findNamed = async (...query) => {
      await sell('late');
      return booked(...query);
    };
    const differences: BookDifference[] = [];
    for await (const each of found?.differences ?? []) differences.push(each);
    expect(told(differences)).to.deep.equal([
      'missing_here early unknown',
      'missing_here late repeated',
    ]);
    expect(found?.sums().here.count).to.equal(2);
  });

  it('does not know another channel', async () => {
    expect(await here.useCases.reconcileBooks('nobody', NOVEMBER, [])).to.equal(undefined);
  });
});
