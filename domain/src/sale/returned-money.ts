import { refuse } from '../refusals/refusal.ts';
import { addDays, type CalendarDate, daysBetween } from '../values/calendar.ts';
import { minus, ZERO } from '../values/money.ts';
import { chargeBack, followMoney } from './cancel-sale.ts';
import {
  MAX_ASKED,
  type Receipt,
  type RefundWait,
  type ReturnReport,
  type UndoneReport,
  type WaitingRefund,
} from './payment.ts';
import { isInForce, moneyLeft, receiptOf, withReceipt } from './receipts.ts';
import { isUnpaid, type Sale } from './sale.ts';
import {
  become,
  ignored,
  type Moment,
  type MoneyReturned,
  type Outcome,
  refuseSale,
  step,
} from './sale-transitions.ts';

/** Applies a report of money that was returned, or ordered to be. */
export const ofMoneyBack = (sale: Sale, report: ReturnReport, now: Moment): Outcome => {
  const { chargeId, amount, returned, ordered = returned } = report;
  if (ordered > amount || returned > ordered) return refuse('refund_amount_differs', amount);
  const known = receiptOf(sale, chargeId);
  if (known === undefined && chargeId === undefined) return refuse('charge_not_named');
  const { returned: before = ZERO } = known ?? {};
  if (returned < before) return ignored(sale, ordered < before ? 'late' : 'repeated');
  const receipt = returnedBy(known, report, now);
  const receipts = withReceipt(sale, receipt);
  const named = chargeId === undefined ? {} : { chargeId };
  if (returned === before)
    return isSameOrder(known, receipt)
      ? ignored(sale, 'repeated')
      : become(sale, { ...sale, receipts }, { kind: 'refund_moved', ...named });
  const event: MoneyReturned = {
    kind: 'money_returned',
    ...named,
    amount: minus(returned, before),
  };
  return afterReturn(sale, { ...sale, receipts }, event, receipt, now);
};

/** The receipt of a charge after a report that money left, or was ordered to leave. */
const returnedBy = (
  known: Receipt | undefined,
  { chargeId, amount, returned, ordered = returned, waitsFor }: ReturnReport,
  { at, on }: Moment,
): Receipt => {
  const before: Receipt = known ?? { amount, returned: ZERO };
  const {
    ordered: orderedBefore = before.returned,
    waitsFor: waited,
    undoneOn,
    refused,
    ...others
  } = before;
  const isNew = ordered > orderedBefore;
  return {
    ...others,
    ...(isNew ? { orderedAt: at } : undoneOn && { undoneOn }),
    ...(!isNew && refused && { refused }),
    ...(chargeId !== undefined && { chargeId }),
    amount,
    returned,
    ...(returned > others.returned && { returnedAt: at }),
    ...(ordered > returned && { ordered }),
    ...(ordered > returned &&
      waitsFor && { waitsFor: waitingAfter(isNew ? undefined : waited, waitsFor, on) }),
  };
};

/** Days between two mails that ask for an account; as many after the last one, there is an alert. */
const ASK_EVERY_DAYS = 5;

/** Only the answer to the order names the page: later reports keep it. */
const waitingAfter = (
  known: WaitingRefund | undefined,
  told: RefundWait,
  on: CalendarDate,
): WaitingRefund => {
  const { since } = known?.actor === told.actor ? known : { since: on };
  return {
    ...known,
    ...told,
    since,
    until: addDays(since, ASK_EVERY_DAYS * MAX_ASKED - 1),
    asked: Math.min(Math.floor(daysBetween(since, on) / ASK_EVERY_DAYS), MAX_ASKED) + 1,
  };
};

const isSameOrder = (one: Receipt | undefined, other: Receipt): boolean =>
  one !== undefined &&
  (one.ordered ?? one.returned) === (other.ordered ?? other.returned) &&
  one.waitsFor?.actor === other.waitsFor?.actor &&
  one.waitsFor?.url === other.waitsFor?.url &&
  one.waitsFor?.asked === other.waitsFor?.asked;

/** The money is there again: a refunded sale is a cancelled one whose refund is due. */
export const ofRefundUndone = (sale: Sale, report: UndoneReport, now: Moment): Outcome => {
  const { chargeId, returned, ordered = returned } = report;
  const known = receiptOf(sale, chargeId);
  const named = chargeId === undefined ? {} : { chargeId };
  const isOrdered = ordered >= (known?.ordered ?? known?.returned ?? ZERO);
  if (known === undefined || (isOrdered && returned >= known.returned))
    return ignored(sale, 'repeated');
  const { ordered: _, waitsFor, ...others } = known;
  const onItsWay = ordered > returned ? { ordered } : {};
  const failed = isOrdered ? {} : { undoneOn: now.on };
  const receipt = { ...others, returned, ...onItsWay, ...failed };
  const after: Sale = { ...sale, receipts: withReceipt(sale, receipt) };
  const kind = isOrdered ? 'refund_moved' : 'refund_undone';
  return followMoney(sale, after, { kind, ...named });
};

/** The sale after money was returned, partly or completely. */
const afterReturn = (
  before: Sale,
  sale: Sale,
  event: MoneyReturned,
  { chargeId, amount, returned }: Receipt,
  now: Moment,
): Outcome => {
  if (isUnpaid(sale)) {
    const isOwn = chargeId === (sale.payment.chargeId ?? chargeId);
    if (returned < amount || !isOwn) return become(before, sale, event);
    return step(
      before,
      refuseSale(sale, { reason: 'payment_returned', closedAt: now.at }).state,
      event,
    );
  }
  // What is left counts. A part of the price is left: an operator decides.
  return isInForce(sale) && moneyLeft(sale) === 0
    ? step(before, chargeBack(sale, now), event)
    : followMoney(before, sale, event);
};
