import { type AsaasPayment, chargeIdOf, isPayment } from './asaas-payments.ts';

/**
 * A reply of Asaas. `unknown`: Asaas may have processed the request. `failed`: Asaas processed it
 * and reported an error (HTTP 500). `unreached`: Asaas did not receive it.
 */
type Reply =
  | { readonly status: number; readonly body: unknown }
  | 'unknown'
  | 'failed'
  | 'unreached';

/** Sends a request to Asaas. `repeatable`: sending it twice has no further effect. */
export type AskAsaas = (question: {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly timeoutMs: number;
  readonly repeatable: boolean;
}) => Promise<Reply>;

/** Max time for a request that no bank has to answer, in ms. */
export const TIMEOUT_MS = 5_000;

export const REPEATABLE = { timeoutMs: TIMEOUT_MS, repeatable: true } as const;

/** Asaas lists at most 100 payments per page. */
export const PAGE_SIZE = 100;

/** A sale never has this many payments. A longer list is an error of Asaas. */
const MAX_PAGES = 3;

export const fetchPayment = (ask: AskAsaas, chargeId: string): Promise<Reply> =>
  ask({ ...REPEATABLE, method: 'GET', path: `/v3/payments/${encodeURIComponent(chargeId)}` });

/**
 * Lists all payments under a reference, newest first. Adds the payment `chargeId` if the list lacks
 * it, because Asaas does not list deleted payments.
 */
export const listPayments = async (
  ask: AskAsaas,
  reference: string,
  chargeId?: string,
): Promise<readonly AsaasPayment[] | 'unknown'> => {
  const listed = await listPages(ask, reference);
  if (listed === 'unknown') return 'unknown';
  if (chargeId === undefined || listed.some((each) => chargeIdOf(each) === chargeId)) return listed;

  const reply = await fetchPayment(ask, chargeId);
  if (typeof reply === 'string') return 'unknown';
  // Only 404 says that there is no such payment: 401 and 429 say nothing about it.
  if (reply.status === 404) return listed;
  if (reply.status !== 200 || !isPayment(reply.body)) return 'unknown';
  // Asaas may have dropped the reference of the order, but does not give it another sale's.
  const { externalReference } = reply.body;
  return (externalReference ?? reference) === reference ? [...listed, reply.body] : listed;
};

/** Returns `unknown` if a page contains a payment of another sale, or a payment twice. */
const listPages = async (
  ask: AskAsaas,
  reference: string,
): Promise<readonly AsaasPayment[] | 'unknown'> => {
  const found = new Map<string, AsaasPayment>();
  for (let page = 0, isMore = true; isMore; page += 1) {
    const query = new URLSearchParams({
      externalReference: reference,
      limit: String(PAGE_SIZE),
      offset: String(page * PAGE_SIZE),
    });
    const reply = await ask({ ...REPEATABLE, method: 'GET', path: `/v3/payments?${query}` });
    if (typeof reply === 'string' || reply.status !== 200 || page >= MAX_PAGES) return 'unknown';
    const { data, hasMore } = (reply.body ?? {}) as { data?: unknown; hasMore?: unknown };
    if (!Array.isArray(data) || !data.every(isPayment)) return 'unknown';
    for (const each of data) {
      if (each.externalReference !== reference || found.has(each.id)) return 'unknown';
      found.set(each.id, each);
    }
    isMore = hasMore === true && data.length === PAGE_SIZE;
  }
  return [...found.values()];
};
