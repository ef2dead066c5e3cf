import type { Fault } from '../catalogue/faults.ts';
import type { Reading } from '../catalogue/reading.ts';
import { parseUtcInstant } from '../values/calendar.ts';
import { SALE_STATUSES, type Sale } from './sale.ts';

/** The shape in which `toStored` writes sales. It counts up when a sale gets another shape. */
export const SALE_SHAPE = 1;

/** A sale for a store of JSON, with the shape that it is written in. */
export interface StoredSale {
  readonly shape: number;
  readonly sale: Sale;
}

/** Adds the shape to a sale that a store keeps as JSON. @example toStored(paid).shape // 1 */
export const toStored = (sale: Sale): StoredSale => ({ shape: SALE_SHAPE, sale });

/**
 * Reads a sale that `toStored` wrote. Another shape and a sale that lacks a part are faults, each
 * with its path.
 *
 * @example readSale({ shape: 2 }).faults[0].path // 'shape'
 */
export const readSale = (stored: unknown): Reading<Sale> => {
  if (!isRecord(stored)) return { ok: false, faults: [{ path: '', kind: 'not_an_object' }] };
  if (stored['shape'] === SALE_SHAPE) return readOfShape(stored['sale']);
  const expected = String(SALE_SHAPE);
  return { ok: false, faults: [{ path: 'shape', kind: 'not_one_of_these', expected }] };
};

type Found = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Found =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAmount = (value: unknown): boolean => Number.isSafeInteger(value);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isInstant = (value: unknown): boolean => parseUtcInstant(value as string) !== undefined;

type Check = readonly [path: string, kind: Fault['kind'], isRight: (value: unknown) => boolean];

/** What all calculations need of a sale. */
const OF_ALL: readonly Check[] = [
  ['id', 'not_a_whole_number', isAmount],
  ['version', 'not_a_whole_number', isAmount],
  ['ticket', 'not_a_text', isText],
  ['registeredAt', 'badly_formed', isInstant],
  ['receipts', 'not_a_list', Array.isArray],
  ['payment.amount', 'not_a_whole_number', isAmount],
  ['payment.status', 'not_a_text', isText],
  ['terms.soldOn', 'not_a_text', isText],
  ['terms.payment.collectedBy', 'not_a_text', isText],
  ['terms.quote.premium.net', 'not_a_whole_number', isAmount],
  ['terms.quote.premium.iof', 'not_a_whole_number', isAmount],
  ['terms.quote.premium.total', 'not_a_whole_number', isAmount],
  ['terms.quote.commission.amount', 'not_a_whole_number', isAmount],
  ['terms.quote.commission.netAmount', 'not_a_whole_number', isAmount],
];

const BOOKED: Check = ['bookedAt', 'badly_formed', isInstant];
const CLOSED: Check = ['closedAt', 'badly_formed', isInstant];
const CANCELLED: readonly Check[] = [
  ['cancelledAt', 'badly_formed', isInstant],
  ['cancellation.kept.total', 'not_a_whole_number', isAmount],
  ['cancellation.refund.total', 'not_a_whole_number', isAmount],
  ['cancellation.commission.reversed.amount', 'not_a_whole_number', isAmount],
];

/** What the calculations need of a sale in a state. A cancelled sale that was paid was booked. */
const OF_STATE: { readonly [Status in Sale['status']]: (sale: Found) => readonly Check[] } = {
  pending: () => [],
  awaiting_payment: () => [['payment.url', 'not_a_text', isText]],
  paid: () => [BOOKED],
  issued: () => [BOOKED, ['policy.number', 'not_a_text', isText]],
  refused: () => [CLOSED],
  expired: () => [CLOSED],
  cancelled: (sale) =>
    valueAt(sale, 'payment.status') === 'approved' ? [BOOKED, ...CANCELLED] : CANCELLED,
  refunded: () => [BOOKED, ...CANCELLED],
};

const valueAt = (found: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (isRecord(value) ? value[name] : undefined), found);

const readOfShape = (sale: unknown): Reading<Sale> => {
  if (!isRecord(sale)) return { ok: false, faults: [{ path: 'sale', kind: 'not_an_object' }] };
  const status = SALE_STATUSES.find((each) => each === sale['status']);
  if (status === undefined) {
    const expected = SALE_STATUSES.join(', ');
    return { ok: false, faults: [{ path: 'status', kind: 'not_one_of_these', expected }] };
  }
  const faults = [...OF_ALL, ...OF_STATE[status](sale)].flatMap(([path, kind, isRight]) => {
    const value = valueAt(sale, path);
    if (isRight(value)) return [];
    return { path, kind: value === undefined ? ('missing' as const) : kind };
  });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: sale as unknown as Sale };
};
