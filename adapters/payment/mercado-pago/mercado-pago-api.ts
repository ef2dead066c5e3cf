import type { Instant } from '#domain';
import type { Ask } from '../../kit/remote/provider-client.ts';
import {
  isPayment,
  isRefunds,
  type MercadoPagoPayment,
  readInstant,
} from './mercado-pago-payments.ts';

/** Max time for a request that no bank has to answer, in ms. */
const TIMEOUT_MS = 5_000;

const READING = { method: 'GET', timeoutMs: TIMEOUT_MS, repeatable: true } as const;

/** A change that has no further effect when it is sent twice. */
export const CHANGING = { method: 'PUT', timeoutMs: TIMEOUT_MS, repeatable: true } as const;

/** Results of one search. The limit of Mercado Pago is not documented; its plugins ask for as many. */
const PAGE_SIZE = 50;

/** Searches for the payments of a sale, which never has as many. A longer list is an error of Mercado Pago. */
const MAX_SEARCHES = 6;

/** A Pix refund that waits for the central bank is only shown with it (developers, "Reembolsar um Pix"). */
export const SHOW_PENDING_REFUNDS = { 'X-Render-In-Process-Refunds': 'true' };

/** A page on which a payer pays, and the payments that were made there. */
export interface Preference {
  readonly id: string;
  readonly reference: string;
  readonly amount: number;
  readonly url: string;
  readonly createdAt: Instant;
  /** When it closes, or has closed. */
  readonly until: Instant;
  readonly payments: ReadonlySet<number>;
}

export interface Found {
  readonly payments: readonly MercadoPagoPayment[];
  readonly preferences: readonly Preference[];
}

/** Whether it is the id of a payment; those of preferences have a hyphen. */
export const isPaymentId = (id: string): boolean => /^[1-9]\d{0,15}$/.test(id);

const at = (id: number | string): string => encodeURIComponent(id);

export const fetchPayment = (ask: Ask, id: string): ReturnType<Ask> =>
  ask({ ...READING, path: `/v1/payments/${at(id)}` });

export const fetchPreference = (ask: Ask, id: string): ReturnType<Ask> =>
  ask({ ...READING, path: `/checkout/preferences/${at(id)}` });

/** A part of an answer, if it has the right status. */
const partOf = (reply: Awaited<ReturnType<Ask>>, name: string): unknown =>
  typeof reply === 'string' || reply.status !== 200
    ? undefined
    : (reply.body as Record<string, unknown> | undefined)?.[name];

/**
 * Finds all that Mercado Pago has of a reference. Search may lag behind by minutes: a charge that is
 * known is asked for by its number as well.
 */
export const findByReference = async (
  ask: Ask,
  reference: string,
  chargeId?: string,
): Promise<Found | 'unknown'> => {
  const listed = await searchPayments(ask, { external_reference: reference }, MAX_SEARCHES);
  if (listed === 'unknown' || !listed.every(isPayment)) return 'unknown';
  if (listed.some((each) => each.external_reference !== reference)) return 'unknown';
  // A sale by card or boleto has no page.
  const payment = chargeId !== undefined && isPaymentId(chargeId) ? chargeId : undefined;
  const isDirect = payment !== undefined && !listed.some(isOfPage);
  const page = payment === undefined ? chargeId : undefined;
  const preferences = isDirect ? [] : await findPreferences(ask, reference, page);
  if (preferences === 'unknown') return 'unknown';
  const named = new Set(preferences.flatMap((page) => [...page.payments]));
  // The page of a payment that no page names yet is not known.
  if (listed.some((each) => isOfPage(each) && !named.has(each.id))) return 'unknown';
  if (payment !== undefined) named.add(Number(payment));
  for (const { id } of listed) named.delete(id);
  const missing = await Promise.all([...named].map((id) => findOne(ask, reference, String(id))));
  const found = missing.flatMap((each) => (each === 'unknown' ? [] : each));
  if (missing.includes('unknown')) return 'unknown';
  const payments = await Promise.all([...listed, ...found].map((each) => completed(ask, each)));
  return payments.every((each) => each !== 'unknown') ? { payments, preferences } : 'unknown';
};

/** Whether it was made on a page. */
export const isOfPage = ({ order }: MercadoPagoPayment): boolean => typeof order?.type === 'string';

/** @param where the filter; `range` and days are added where it has none */
export const searchPayments = async (
  ask: Ask,
  where: Readonly<Record<string, string>>,
  maxSearches: number,
): Promise<readonly unknown[] | 'unknown'> => {
  const found: unknown[] = [];
  for (let search = 0; search < maxSearches; search += 1) {
    // By default only three months are searched; twelve is the most.
    const query = new URLSearchParams({
      ...{ range: 'date_created', begin_date: 'NOW-12MONTHS', end_date: 'NOW' },
      ...{ sort: 'date_created', criteria: 'asc', limit: String(PAGE_SIZE) },
      ...where,
      offset: String(found.length),
    });
    const results = partOf(
      await ask({ ...READING, path: `/v1/payments/search?${query}` }),
      'results',
    );
    if (!Array.isArray(results)) return 'unknown';
    found.push(...results);
    if (results.length < PAGE_SIZE) return found;
  }
  return 'unknown';
};

const findOne = async (
  ask: Ask,
  reference: string,
  id: string,
): Promise<readonly MercadoPagoPayment[] | 'unknown'> => {
  const reply = await fetchPayment(ask, id);
  if (typeof reply === 'string') return 'unknown';
  if (reply.status === 404) return [];
  if (reply.status !== 200 || !isPayment(reply.body)) return 'unknown';
  const { external_reference: named } = reply.body;
  return (named ?? reference) === reference ? [reply.body] : [];
};

const findPreferences = async (
  ask: Ask,
  reference: string,
  known: string | undefined,
): Promise<readonly Preference[] | 'unknown'> => {
  const query = new URLSearchParams({ external_reference: reference, limit: String(PAGE_SIZE) });
  const listed = partOf(
    await ask({ ...READING, path: `/checkout/preferences/search?${query}` }),
    'elements',
  );
  if (!Array.isArray(listed) || listed.length >= PAGE_SIZE) return 'unknown';
  const named = listed.map((each) => String((each as { id?: unknown } | null)?.id));
  const ids = new Set(known === undefined ? named : [...named, known]);
  const found = await Promise.all([...ids].map((id) => readPreference(ask, reference, id)));
  const preferences = found.flatMap((each) => (typeof each === 'object' ? [each] : []));
  if (found.includes('unknown')) return 'unknown';
  return preferences.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
};

/** Reads a preference by its id. Returns undefined if it does not exist or belongs to another sale. */
const readPreference = async (
  ask: Ask,
  reference: string,
  id: string,
): Promise<Preference | undefined | 'unknown'> => {
  const reply = await fetchPreference(ask, id);
  if (typeof reply === 'string') return 'unknown';
  if (reply.status === 404) return undefined;
  const page = reply.status === 200 ? preferenceIn(reply.body) : undefined;
  if (page === undefined) return 'unknown';
  if (page.reference !== reference) return undefined;
  const payments = await paymentsOf(ask, id);
  return payments === 'unknown' ? 'unknown' : { ...page, payments };
};

/** The preference in an answer, which does not show its payments; undefined: it cannot be read. */
export const preferenceIn = (body: unknown): Preference | undefined => {
  const shown = (body ?? {}) as Record<string, unknown>;
  const { id, external_reference: reference, init_point: url, items } = shown;
  const [item] = (Array.isArray(items) ? items : []) as { unit_price?: unknown }[];
  const amount = item?.unit_price;
  const createdAt = readInstant(shown['date_created']);
  const until = readInstant(shown['expiration_date_to']);
  if (typeof id !== 'string' || typeof reference !== 'string') return undefined;
  if (typeof url !== 'string' || typeof amount !== 'number') return undefined;
  if (createdAt === undefined || until === undefined) return undefined;
  return { id, reference, amount, url, createdAt, until, payments: new Set() };
};

/** The payments that were made on a page: its merchant orders name them. */
const paymentsOf = async (
  ask: Ask,
  preference: string,
): Promise<ReadonlySet<number> | 'unknown'> => {
  const path = `/merchant_orders/search?preference_id=${at(preference)}`;
  const orders = partOf(await ask({ ...READING, path }), 'elements');
  // Without an order yet, the list is null.
  if (orders === null) return new Set();
  if (!Array.isArray(orders)) return 'unknown';
  const ids = orders.flatMap((order: { payments?: { id?: unknown }[] | null } | null) =>
    (order?.payments ?? []).map((each) => each?.id),
  );
  return ids.every((id) => isPaymentId(String(id))) ? new Set(ids.map(Number)) : 'unknown';
};

/** The payment with what only other addresses show of it. */
const completed = async (
  ask: Ask,
  paid: MercadoPagoPayment,
): Promise<MercadoPagoPayment | 'unknown'> => {
  if (paid.status === 'charged_back') {
    const path = `/v1/chargebacks/search?payment_id=${at(paid.id)}`;
    const results = partOf(await ask({ ...READING, path }), 'results');
    if (!Array.isArray(results)) return 'unknown';
    const { amount, date_documentation_deadline: deadline } = results[0] ?? {};
    const respondBy = readInstant(deadline);
    return {
      ...paid,
      chargeback: {
        ...(typeof amount === 'number' && amount > 0 && { amount }),
        ...(respondBy && { respondBy }),
      },
    };
  }
  if (paid.payment_type_id !== 'bank_transfer' || paid.status !== 'approved') return paid;
  const path = `/v1/payments/${at(paid.id)}/refunds`;
  const reply = await ask({ ...READING, path, headers: SHOW_PENDING_REFUNDS });
  if (typeof reply === 'string' || !isRefunds(reply.body)) return 'unknown';
  const hidden = reply.body.filter(({ status }) => status === 'in_process');
  const isListed = (paid.refunds ?? []).some(({ status }) => status === 'in_process');
  return isListed ? paid : { ...paid, pendingRefunds: hidden };
};
