import {
  type ActivePolicy,
  type AwaitedPayment,
  applyPaymentReport,
  awaitPayment,
  type BornSale,
  type CalendarDate,
  type CancellableSale,
  type CancelledSale,
  type Cents,
  type CollectedPayment,
  cancelSale,
  cents,
  createSale,
  type Email,
  expireSale,
  type Instant,
  isRefusal,
  issueSale,
  type Moment,
  numbered,
  type Offer,
  outstandingRefunds,
  type PaidSale,
  type PaymentReport,
  type PendingSale,
  type Phone,
  type Postcode,
  parseTaxId,
  paySale,
  type Quote,
  quotePrice,
  type Refusal,
  refuseSale,
  type Sale,
  type SaleTerms,
  type TaxId,
  type Transition,
} from '#domain';
import { commissionOf, TICKET_PRODUCT } from './catalogue.ts';

export const day = (text: string): CalendarDate => text as CalendarDate;
const moment = (text: string): Instant => text as Instant;

const offer: Offer = {
  product: TICKET_PRODUCT,
  plan: TICKET_PRODUCT.plans[0],
  coverages: [],
  commissions: [commissionOf(200_000)],
};

/** The terms of a plausible ticket sale. */
export const terms = (over: Partial<SaleTerms> = {}): SaleTerms => ({
  channelLink: 'canal-demo',
  clientId: 'client-1',
  product: { id: 1, code: 'INGRESSO', line: 'event_ticket', version: 1 },
  plan: { id: 11, code: 'PADRAO' },
  coverages: [],
  insured: {
    name: 'Zoë d’Ávila Müller Þórsdóttir 🎸 Жанна',
    socialName: 'Zô',
    taxId: parseTaxId('52998224725') as TaxId,
    birthDate: day('1990-05-17'),
    email: 'zoe@example.com' as Email,
    phone: '+55 (11) 98765-4321' as Phone,
    address: {
      street: 'Rua das Flores, 100',
      district: 'Centro',
      city: 'São Paulo',
      state: 'SP',
      postcode: '01001000' as Postcode,
    },
  },
  insuredObject: { ticketType: 'vip', ticketNumber: 'A-1', eventDate: '2026-12-31' },
  insuredAmount: cents(188_600),
  quote: quotePrice(offer, { on: day('2026-11-20'), declaredPrice: cents(18_860) }) as Quote,
  period: { start: day('2026-11-20'), end: day('2026-12-31') },
  cancellation: { kind: 'pro_rata', iof: 'retained' },
  payment: { collectedBy: 'channel', method: 'pix', paidOn: day('2026-11-20') },
  soldOn: day('2026-11-20'),
  ...over,
});

export const AT = moment('2026-11-20T15:00:00.123Z');
export const LATER = moment('2026-12-05T18:30:00.456Z');

/** The refunds that have not left, without the day from which each is ordered. */
export const dueOf = (sale: Sale) =>
  outstandingRefunds(sale).map(({ dueOn: _, ...refund }) => refund);

/** The outcome without the days from which refunds are ordered. */
export const withoutDays = <Outcome>(outcome: Outcome): Outcome => {
  const { events } = outcome as { readonly events?: readonly object[] };
  if (events === undefined) return outcome;
  return { ...outcome, events: events.map(({ dueOn: _, ...event }: { dueOn?: unknown }) => event) };
};

/** @returns the state after a transition. @throws Error where the transition is refused */
export const stateOf = <State>(outcome: Transition<State, unknown> | Refusal): State => {
  if (isRefusal(outcome)) throw new Error(`refused: ${outcome.kind}`);
  return outcome.state;
};

/** Tells sales what a gateway reports, one after the other, always at this moment. */
export const tellingAt =
  (now: Moment) =>
  (sale: Sale, ...reports: readonly PaymentReport[]): Sale =>
    reports.reduce<Sale>(
      (before, report) => stateOf(applyPaymentReport(before, report, now)),
      sale,
    );

/** The report that this much came. */
export const paying = (amount: number, over: object = {}): PaymentReport => ({
  ...APPROVED,
  ...{ amount: cents(amount), ...over },
});

const born = (ticket: string, over: Partial<SaleTerms>): BornSale =>
  numbered(createSale(ticket, AT, terms(over)), 1);

/** A sale whose premium the channel collected. */
export const paidSale = (over: Partial<SaleTerms> = {}): PaidSale => born('T-1', over) as PaidSale;

/** A sale whose premium the service collects. */
export const pendingSale = (over: Partial<SaleTerms> = {}): PendingSale =>
  born('T-1', { payment: { collectedBy: 'service', installments: 1 }, ...over }) as PendingSale;

export const TOTAL = cents(20_252);

export const AWAITED: AwaitedPayment = {
  status: 'awaited',
  amount: TOTAL,
  chargeId: 'ch-1',
  url: 'https://pay.example/1',
};

export const APPROVED: CollectedPayment = {
  status: 'approved',
  amount: TOTAL,
  chargeId: 'ch-1',
  collectedBy: 'service',
  method: 'credit',
  paidOn: day('2026-11-21'),
};

export const POLICY: ActivePolicy = {
  status: 'active',
  number: 'P-1',
  issuedAt: AT,
  period: { start: day('2026-11-20'), end: day('2026-12-31') },
};

export const cancelledOn = (sale: CancellableSale, on: string): CancelledSale =>
  stateOf(cancelSale(sale, { on: day(on), at: LATER })) as CancelledSale;

/** The same sale later: awaiting payment, paid, issued. */
export const AWAITING = stateOf(awaitPayment(pendingSale(), AWAITED));
export const PAID = stateOf(paySale(AWAITING, APPROVED, AT));
export const ISSUED = stateOf(issueSale(PAID, POLICY));

/** One sale for each state, and for each way to reach it. */
export const salesInEveryState = (): readonly Sale[] => {
  const [pending, awaiting, paid, issued] = [pendingSale(), AWAITING, PAID, ISSUED];
  const cancelled = cancelledOn(issued, '2026-12-05');
  const now = { on: day('2026-12-05'), at: LATER };
  const back = (returned: Cents) =>
    ({ status: 'returned', amount: TOTAL, chargeId: 'ch-1', returned }) as const;
  return [
    pending,
    { ...pending, payment: { status: 'unknown', amount: TOTAL } },
    awaiting,
    paid,
    paidSale(),
    issued,
    stateOf(applyPaymentReport(issued, { ...APPROVED, chargeId: 'ch-2' }, now)),
    stateOf(refuseSale(pending, { reason: 'insufficient_funds', closedAt: LATER })),
    stateOf(expireSale(awaiting, { closedAt: LATER })),
    cancelledOn(awaiting, '2026-11-21'),
    cancelled,
    cancelledOn(paid, '2026-11-22'),
    stateOf(applyPaymentReport(cancelled, back(cancelled.cancellation.refund.total), now)),
    stateOf(applyPaymentReport(issued, back(TOTAL), now)),
  ];
};
