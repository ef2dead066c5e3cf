import { expect } from 'chai';
import fc from 'fast-check';
import {
  agreesWith,
  BookComparison,
  type BookDifference,
  type CountedTotal,
  cents,
  DIFFERENCE_KINDS,
  type KnownSale,
  type ListedSale,
  SALE_STATUSES,
  type Sale,
} from '#domain';
import { day } from '../support/sales.ts';

type Status = Sale['status'];

const known = (id: number, over: Partial<KnownSale> = {}): KnownSale => ({
  id,
  ticket: `ticket-${id}`,
  externalSaleId: `order-${id}`,
  status: 'paid',
  total: cents(3_211),
  bookedOn: day('2026-11-20'),
  ...over,
});

const listed = (line: number, name: string, over: Partial<ListedSale> = {}): ListedSale => ({
  line,
  name,
  total: cents(3_211),
  ...over,
});

interface Compared {
  readonly differences: readonly BookDifference[];
  readonly sums: BookComparison['sums'];
}

/** Compares a list with the sales booked in a period; `others` are the channel's other sales. */
const compare = (
  list: readonly ListedSale[],
  booked: readonly KnownSale[],
  others: readonly KnownSale[] = [],
): Compared => {
  const comparison = new BookComparison();
  for (const line of list) comparison.addLine(line);
  const inBooks = booked.flatMap((sale) => comparison.compareBooked(sale));
  const all = [...booked, ...others];
  const left = [...comparison.linesLeft()].flatMap((line) => {
    const named = (sale: KnownSale): boolean =>
      [sale.externalSaleId, sale.ticket].includes(line.name.normalize('NFC'));
    return comparison.compareLeft(line, all.find(named));
  });
  return { differences: [...inBooks, ...left], sums: comparison.sums };
};

/** The kind of a difference with the name of its sale, and what there is to say about it. */
const told = (difference: BookDifference): string => {
  if (difference.kind === 'missing_there')
    return `missing_there ${difference.known.externalSaleId ?? difference.known.ticket}`;
  const { kind, listed: line } = difference;
  if (kind !== 'missing_here') return `${kind} ${line.name}`;
  const first = difference.firstLine === undefined ? '' : ` of line ${difference.firstLine}`;
  return `missing_here ${line.name}: ${difference.reason}${first}`;
};

const differencesOf = (...given: Parameters<typeof compare>): readonly string[] =>
  compare(...given).differences.map(told);

describe('comparing a list of sales with the books', () => {
  it('finds nothing where both have the same sales', () => {
    const { differences, sums } = compare(
      [listed(1, 'order-1'), listed(2, 'order-2', { status: 'paid' })],
      [known(1), known(2)],
    );
    const nothing: CountedTotal = { count: 0, total: 0n };
    expect(differences).to.deep.equal([]);
    expect(sums).to.deep.equal({
      here: { count: 2, total: 6_422n },
      refunds: nothing,
      there: { count: 2, total: 6_422n },
      unpaid: nothing,
      differences: Object.fromEntries(DIFFERENCE_KINDS.map((kind) => [kind, nothing])),
    });
  });

  it('finds a sale by its ticket, whether or not it has a name of the channel', () => {
    const { externalSaleId: _, ...nameless } = known(1);
    const list = [listed(1, 'ticket-1'), listed(2, 'ticket-2')];
    expect(differencesOf(list, [nameless, known(2)])).to.deep.equal([]);
  });

  it('takes names that look the same for the same', () => {
    const booked = [known(1, { externalSaleId: 'caf\u00e9' })];
    expect(differencesOf([listed(1, 'cafe\u0301')], booked)).to.deep.equal([]);
  });

  it('finds what either side lacks, and amounts and states that differ', () => {
    const list = [
      listed(1, 'order-1', { total: cents(3_212), status: 'issued' }),
      listed(2, 'order-9'),
    ];
    const { differences, sums } = compare(list, [known(1, { status: 'cancelled' }), known(2)]);
    expect(differences.map(told)).to.deep.equal([
      'amount_differs order-1',
      'status_differs order-1',
      'missing_there order-2',
      'missing_here order-9: unknown',
    ]);
    expect(sums.differences).to.deep.equal({
      missing_here: { count: 1, total: 3_211n },
      missing_there: { count: 1, total: 3_211n },
      amount_differs: { count: 1, total: 1n },
      status_differs: { count: 1, total: 0n },
    });
  });

  it('tells apart why a listed sale is not in the books of the period', () => {
    const { bookedOn: _, ...unpaid } = known(1, { status: 'awaiting_payment' });
    const others = [unpaid, known(2, { bookedOn: day('2026-10-31') })];
    const list = [listed(1, 'order-1'), listed(2, 'order-2'), listed(3, 'order-3')];
    const { differences } = compare(list, [], others);
    expect(differences.map(told)).to.deep.equal([
      'missing_here order-1: not_paid',
      'missing_here order-2: other_period',
      'missing_here order-3: unknown',
    ]);
    expect(differences[1]).to.deep.include({ known: others[1] });
    expect(differences[2]).not.to.have.property('known');
  });

  it('counts a sale once, however often and under whichever of its names the list has it', () => {
    const list = [
      ...['order-1', 'order-1', 'ticket-1', 'order-2', 'order-2', 'order-3', 'ticket-3'],
    ].map((name, index) => listed(index + 1, name));
    const { bookedOn: _, ...unpaid } = known(3, { status: 'expired' });
    const { differences, sums } = compare(list, [known(1)], [unpaid]);
    expect(differences.map(told)).to.deep.equal([
      'missing_here ticket-1: repeated of line 1',
      'missing_here order-2: unknown',
      'missing_here order-3: not_paid',
      'missing_here ticket-3: repeated of line 6',
      'missing_here order-1: repeated of line 1',
      'missing_here order-2: repeated of line 4',
    ]);
    expect(sums.here).to.deep.equal({ count: 1, total: 3_211n });
    expect(sums.there).to.deep.equal({ count: 7, total: 22_477n });
  });

  it('prefers the name that the channel gave to a ticket that is the same text', () => {
    const booked = [known(1, { externalSaleId: 'ticket-2' }), known(2)];
    const list = [listed(1, 'ticket-2'), listed(2, 'order-2')];
    expect(differencesOf(list, booked)).to.deep.equal([]);
    // The line belongs to the first sale, and cannot stand for the second one as well.
    expect(differencesOf([listed(1, 'ticket-2')], booked)).to.deep.equal(['missing_there order-2']);
  });

  it('counts each sale of the statement once, also where one has the ticket of another as its name', () => {
    const [first, second] = [
      known(1, { ticket: 'T', total: cents(20_252) }),
      known(2, { externalSaleId: 'T', total: cents(9_024) }),
    ];
    const right = [
      listed(1, 'T', { total: cents(20_252) }),
      listed(2, 'ticket-2', { total: cents(9_024) }),
    ];
    const twice = [right[0] as ListedSale, { ...(right[0] as ListedSale), line: 2 }];
    for (const booked of [
      [first, second],
      [second, first],
    ]) {
      const sumsOf = (list: readonly ListedSale[]) => compare(list, booked).sums.here;
      for (const list of [right, twice])
        expect(sumsOf(list)).to.deep.equal({ count: 2, total: 29_276n });
    }
    expect(differencesOf(right, [first, second])).to.deep.equal([]);
  });

  it('takes a line that says of an unpaid sale how it stands for no difference and no money', () => {
    const { bookedOn: _, ...sale } = known(1);
    const outcomeOf = (status: Status, says: Status): Compared =>
      compare([listed(1, 'order-1', { status: says })], [], [{ ...sale, status }]);
    for (const status of [
      'pending',
      'awaiting_payment',
      'refused',
      'expired',
      'cancelled',
    ] as const) {
      const { differences, sums } = outcomeOf(status, status);
      expect(differences, status).to.deep.equal([]);
      expect(sums.there.count, status).to.equal(0);
      expect(sums.unpaid, status).to.deep.equal({ count: 1, total: 3_211n });
    }
    expect(outcomeOf('expired', 'awaiting_payment').differences.map(told)).to.deep.equal([
      'status_differs order-1',
    ]);
    expect(outcomeOf('expired', 'paid').differences.map(told)).to.deep.equal([
      'missing_here order-1: not_paid',
    ]);
  });

  it('does not mistake a sale of another period for an unpaid one', () => {
    const other = known(1, { status: 'cancelled', bookedOn: day('2026-10-31') });
    const says = (status: Status) => [listed(1, 'order-1', { status })];
    expect(differencesOf(says('cancelled'), [], [other])).to.deep.equal([
      'missing_here order-1: other_period',
    ]);
    expect(differencesOf(says('awaiting_payment'), [], [other])).to.deep.equal([
      'status_differs order-1',
    ]);
  });

  it('adds refunds to the sums only', () => {
    const comparison = new BookComparison();
    comparison.addRefund({ total: cents(-500) });
    expect(comparison.sums.refunds).to.deep.equal({ count: 1, total: -500n });
    expect(comparison.sums.here.count).to.equal(0);
  });

  it('knows which sales and lines it has compared', () => {
    const comparison = new BookComparison();
    const [line, other] = [listed(1, 'order-1'), listed(2, 'order-2')];
    for (const each of [line, other]) comparison.addLine(each);
    comparison.compareBooked(known(1));
    expect([comparison.isLeft(line), comparison.isLeft(other)]).to.deep.equal([false, true]);
    expect([known(1), known(2)].map((sale) => comparison.isCompared(sale))).to.deep.equal([
      true,
      false,
    ]);
  });
});

describe('a listed status', () => {
  it('agrees with the same status, and says nothing where it is absent', () => {
    for (const status of SALE_STATUSES) {
      expect(agreesWith(status, status)).to.equal(true);
      expect(agreesWith(undefined, status)).to.equal(true);
    }
  });

  it('agrees with what the service makes of it alone, and not the other way round', () => {
    const agreeing = SALE_STATUSES.flatMap((says) =>
      SALE_STATUSES.filter((status) => status !== says && agreesWith(says, status)).map(
        (status) => `${says} ${status}`,
      ),
    );
    expect(agreeing).to.deep.equal(['paid issued', 'cancelled refunded']);
  });
});

const PAID_STATUSES = ['paid', 'issued', 'cancelled', 'refunded'] as const;

const amountOf = fc.integer({ min: 1, max: 10_000_000_000_000 }).map(cents);

/** What is done to a line of a list that agrees, and what has to be found then. */
type Edit = 'none' | 'delete' | 'amount' | 'status' | 'repeat' | 'rename';

const sale = fc.record({
  total: amountOf,
  status: fc.constantFrom(...PAID_STATUSES),
  hasName: fc.boolean(),
  byTicket: fc.boolean(),
  saysStatus: fc.boolean(),
  edit: fc.constantFrom<Edit>('none', 'none', 'delete', 'amount', 'status', 'repeat', 'rename'),
  wrong: amountOf,
  wrongStatus: fc.constantFrom(...SALE_STATUSES),
});

type PlannedSale = typeof sale extends fc.Arbitrary<infer Value> ? Value : never;

/** The lines of a sale after its edit, without numbers, and what they differ in. */
const editedLines = (
  { externalSaleId, ticket, total, status }: KnownSale,
  plan: PlannedSale,
): { lines: Omit<ListedSale, 'line'>[]; found: string[] } => {
  const ourName = externalSaleId ?? ticket;
  const name = plan.byTicket ? ticket : ourName;
  const line = { name, total, ...(plan.saysStatus && { status }) };
  const wrongTotal = plan.wrong === total ? cents(total + 1) : plan.wrong;
  const isWrong = !agreesWith(plan.wrongStatus, status);
  switch (plan.edit) {
    case 'delete':
      return { lines: [], found: [`missing_there ${ourName}`] };
    case 'amount':
      return { lines: [{ ...line, total: wrongTotal }], found: [`amount_differs ${name}`] };
    case 'status':
      return {
        lines: [{ ...line, status: plan.wrongStatus }],
        found: isWrong ? [`status_differs ${name}`] : [],
      };
    case 'repeat':
      return { lines: [line, line], found: [`missing_here ${name}: repeated`] };
    case 'rename':
      return {
        lines: [{ ...line, name: `${name}?` }],
        found: [`missing_there ${ourName}`, `missing_here ${name}?: unknown`],
      };
    default:
      return { lines: [line], found: [] };
  }
};

describe('random edits of a list', () => {
  const world = fc.record({ booked: fc.array(sale, { maxLength: 40 }), seed: fc.integer() });

  /** The same lines in another order. */
  const shuffled = <Item>(items: readonly Item[], seed: number): Item[] =>
    items
      .map((item, index) => ({ item, rank: Math.imul(seed + index * 7_919, 2_654_435_761) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ item }) => item);

  it('are all found, and nothing else is', () => {
    fc.assert(
      fc.property(world, ({ booked: plans, seed }) => {
        const booked = plans.map(({ total, status, hasName }, index) => {
          const { externalSaleId, ...nameless } = known(index + 1, { total, status });
          return hasName ? { ...nameless, externalSaleId: externalSaleId as string } : nameless;
        });
        const edited = booked.map((each, index) => editedLines(each, plans[index] as PlannedSale));
        const list = shuffled(
          edited.flatMap(({ lines }) => lines),
          seed,
        ).map((line, index) => ({ ...line, line: index + 1 }));

        const { differences, sums } = compare(list, booked);
        const found = differences.map((each) => told(each).replace(/ of line \d+$/, ''));
        expect(found.sort()).to.deep.equal(edited.flatMap(({ found: each }) => each).sort());

        const sumOf = (totals: readonly { readonly total: number }[]): CountedTotal => ({
          count: totals.length,
          total: totals.reduce((sum, { total }) => sum + BigInt(total), 0n),
        });
        expect(sums.here).to.deep.equal(sumOf(booked));
        expect(sums.there).to.deep.equal(sumOf(list));
        const { missing_here, missing_there, amount_differs } = sums.differences;
        expect(sums.there.total - sums.here.total).to.equal(
          missing_here.total - missing_there.total + amount_differs.total,
        );
        expect(DIFFERENCE_KINDS.map((kind) => sums.differences[kind].count)).to.deep.equal(
          DIFFERENCE_KINDS.map((kind) => differences.filter((each) => each.kind === kind).length),
        );
      }),
      { numRuns: 300 },
    );
  });
});
