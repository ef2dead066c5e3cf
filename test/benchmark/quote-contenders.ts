import {
  add,
  allocate,
  type Dinero,
  dinero,
  halfAwayFromZero,
  multiply,
  subtract,
  toSnapshot,
  transformScale,
} from 'dinero.js';
import { BRL } from 'dinero.js/currencies';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import {
  addMonths,
  type CalendarDate,
  cents,
  type Installment,
  type Offer,
  type Quote,
  quotePrice,
  rate,
  splitIntoInstallments,
} from '../../domain/src/service.ts';

const [, , phone] = DEMO_PRODUCTS;
if (phone === undefined) throw new Error('the demo catalogue has lost its phone insurance');

const COUNT = 12;
const firstDueOn = '2026-12-31' as CalendarDate;
const insuredAmount = cents(350_000);

/** A yearly plan priced by the phone's value, two coverages, two commissions. */
const offer: Offer = {
  product: phone,
  plan: { ...phone.plans[0], tariff: { kind: 'rate', rate: rate(95_000), minimum: cents(5_000) } },
  coverages: phone.coverages,
  commissions: [
    { kind: 'representative', rate: rate(200_000) },
    { kind: 'agency', rate: rate(25_000) },
  ],
};

/** Prices the offer, and splits it, as the service does. */
export const ours = (): { readonly quoted: Quote; readonly parts: readonly Installment[] } => {
  const quoted = quotePrice(offer, { on: '2026-11-20' as CalendarDate, insuredAmount }) as Quote;
  const parts = splitIntoInstallments(quoted.premium, {
    count: COUNT,
    firstDueOn,
    offered: COUNT,
    paid: 'once',
  }) as readonly Installment[];
  return { quoted, parts };
};

const brl = (amount: number): Dinero<number> => dinero({ amount, currency: BRL });
const shareOf = (amount: Dinero<number>, ppm: number): Dinero<number> =>
  transformScale(multiply(amount, { amount: ppm, scale: 6 }), 2, halfAwayFromZero);
const RATIOS = Array.from({ length: COUNT }, () => 1);

interface PeerQuote {
  readonly net: Dinero<number>;
  readonly iof: Dinero<number>;
  readonly total: Dinero<number>;
  readonly commission: Dinero<number>;
  readonly netAmount: Dinero<number>;
  readonly parts: readonly {
    readonly dueOn: CalendarDate;
    readonly net: Dinero<number>;
    readonly iof: Dinero<number>;
  }[];
}

/** The same with dinero.js for the money; it knows no dates, so the due dates are ours. */
export const withDinero = (): PeerQuote => {
  const net = [brl(500), brl(750)].reduce(add, shareOf(brl(insuredAmount), 95_000));
  const iof = shareOf(net, 73_800);
  const total = add(net, iof);
  const commission = add(shareOf(net, 200_000), shareOf(net, 25_000));
  const taxes = allocate(iof, RATIOS);
  const parts = allocate(net, RATIOS).map((part, index) => ({
    dueOn: addMonths(firstDueOn, index),
    net: part,
    iof: taxes[index] as Dinero<number>,
  }));
  return { net, iof, total, commission, netAmount: subtract(total, commission), parts };
};

const amountOf = (money: Dinero<number>): number => toSnapshot(money).amount;

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each);

/**
 * What both must agree on, in cents. Dinero.js spreads a remainder over the first parts, we put it
 * into the first: sums, then.
 */
interface Figures {
  readonly figures: readonly number[];
  readonly sums: readonly number[];
  readonly dueDates: readonly CalendarDate[];
}

const ourFigures = ({
  quoted: { premium, commission },
  parts,
}: ReturnType<typeof ours>): Figures => ({
  figures: [premium.net, premium.iof, premium.total, commission.amount, commission.netAmount],
  sums: [sumOf(parts.map(({ net }) => net)), sumOf(parts.map(({ iof }) => iof))],
  dueDates: parts.map(({ dueOn }) => dueOn),
});

const peerFigures = ({ net, iof, total, commission, netAmount, parts }: PeerQuote): Figures => ({
  figures: [net, iof, total, commission, netAmount].map(amountOf),
  sums: [
    sumOf(parts.map((part) => amountOf(part.net))),
    sumOf(parts.map((part) => amountOf(part.iof))),
  ],
  dueDates: parts.map(({ dueOn }) => dueOn),
});

/** Both contenders must give the same answer. @throws Error where they differ */
export const assertAlike = (): void => {
  const [one, other] = [ourFigures(ours()), peerFigures(withDinero())].map((each) =>
    JSON.stringify(each),
  );
  if (one !== other) throw new Error(`the contenders differ: ${one} ${other}`);
};
