import { createHash, randomUUID } from 'node:crypto';
import { type Cents, type Instant, type PaymentReport, toReais } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type {
  ChargeAnswer,
  ChargeOrder,
  GatewayAnswer,
  ListedCharge,
  ListedDays,
  Payments,
  RefundOrder,
} from '../../../application/payments/payments.ts';
import type { Ask } from '../../kit/remote/provider-client.ts';
import { declinedOnCapture, isHeld } from '../held-cards.ts';
import {
  CHANGING,
  type Found,
  fetchPayment,
  fetchPreference,
  findByReference,
  isPaymentId,
  preferenceIn,
  SHOW_PENDING_REFUNDS,
} from './mercado-pago-api.ts';
import { listCharges } from './mercado-pago-list.ts';
import {
  isDisputed,
  isPayment,
  type MercadoPagoPayment,
  orderedOf,
  reportPayment,
} from './mercado-pago-payments.ts';
import { begunOn, chargedOn, reportFound } from './mercado-pago-reports.ts';
import { buildCardToken, buildPayment, buildPreference } from './mercado-pago-requests.ts';

/** Max time for a card charge, in ms: the bank answers in the meantime. It is sent twice at most. */
const CARD_TIMEOUT_MS = 20_000;

const TIMEOUT_MS = 5_000;

/**
 * Payment gateway Mercado Pago: the API of payments (`/v1/payments`) and Checkout Pro.
 *
 * An order of a payment or refund carries an idempotency key, so that it is sent again where the answer
 * is lost. A preference has none: it is looked up by its reference.
 */
export class MercadoPagoGateway implements Payments {
  readonly name = 'mercadopago';
  /** No document says how installments are captured. */
  readonly authorizesUpTo = 1;
  readonly #ask: Ask;
  readonly #clock: Clock;
  readonly #notifyAt: string;

  /** @param notifyAt the address to which Mercado Pago sends notices of new charges */
  constructor(ask: Ask, clock: Clock, notifyAt: string) {
    this.#ask = ask;
    this.#clock = clock;
    this.#notifyAt = notifyAt;
  }

  async charge(order: ChargeOrder): Promise<ChargeAnswer> {
    if (order.card === undefined && order.method !== 'boleto') return this.#openPage(order);
    const token = order.card && (await this.#tokenOf(order));
    if (typeof token === 'object') return declineOrder(order, token.status);

    const reply = await this.#order({
      path: '/v1/payments',
      body: buildPayment(order, this.#notifyAt, token),
      headers: { 'X-Idempotency-Key': randomUUID() },
      timeoutMs: order.card === undefined ? TIMEOUT_MS : CARD_TIMEOUT_MS,
    });
    if (typeof reply === 'string') return reply;
    if (!isSuccess(reply.status)) return declineOrder(order, reply.status);
    // A repeated order may be answered without the payment.
    if (!isPayment(reply.body)) return this.find(order.reference);
    const reports = reportPayment(reply.body);
    return reply.body.external_reference === order.reference ? reports : { unnamed: reports };
  }

  async find(reference: string, chargeId?: string): Promise<GatewayAnswer> {
    const found = await findByReference(this.#ask, reference, chargeId);
    if (found === 'unknown') return found;
    await this.#closePaidPages(found);
    return this.#report(found);
  }

  async capture(reference: string, chargeId: string): Promise<GatewayAnswer> {
    const reply = await this.#change(chargeId, { capture: true }, CARD_TIMEOUT_MS);
    if (typeof reply === 'string') return reply;
    if (isUnprocessed(reply.status)) return 'unreached';
    const reports = await this.find(reference, chargeId);
    if (isSuccess(reply.status) || !isHeld(reports, chargeId)) return reports;
    if (reply.status !== 400) return 'unknown';
    // The bank has declined: nothing is taken, and the card must not stay blocked.
    const released = await this.withdraw(reference, chargeId);
    return declinedOnCapture(released, chargeId);
  }

  async withdraw(reference: string, chargeId: string): Promise<GatewayAnswer> {
    if (!isPaymentId(chargeId)) return this.#closePage(reference, chargeId);
    const reply = await this.#change(chargeId, { status: 'cancelled' });
    // Mercado Pago does not cancel what was paid meanwhile. The look-up reports either outcome.
    return typeof reply === 'string' ? reply : this.find(reference, chargeId);
  }

  async refund({ reference, chargeId, upTo }: RefundOrder): Promise<GatewayAnswer> {
    const found = await findByReference(this.#ask, reference, chargeId);
    if (found === 'unknown') return found;
    const paid = chargedOn(found, chargeId);
    const missing = paid === undefined ? 0 : upTo - orderedOf(paid);
    if (paid === undefined || missing <= 0 || isDisputed(paid)) return this.#report(found);

    const reply = await this.#order({
      path: `/v1/payments/${paid.id}/refunds`,
      body: { amount: toReais(missing as Cents) },
      headers: {
        ...SHOW_PENDING_REFUNDS,
        'X-Idempotency-Key': keyOf(paid, upTo, this.#clock.now()),
      },
      timeoutMs: TIMEOUT_MS,
    });
    if (typeof reply === 'string') return reply;
    if (isUnprocessed(reply.status)) return 'unreached';
    const after = await findByReference(this.#ask, reference, chargeId);
    if (after === 'unknown') return after;
    const reports = this.#report(after);
    if (reply.status === 400) return [...reports, refusedRefund(chargeId, missing, reply)];
    // Taken, but not shown yet: another order now would refund twice.
    const now = chargedOn(after, chargeId);
    return now !== undefined && orderedOf(now) >= upTo ? reports : 'unknown';
  }

  async trace(chargeId: string): Promise<string | undefined | 'unknown'> {
    const fetch = isPaymentId(chargeId) ? fetchPayment : fetchPreference;
    const reply = await fetch(this.#ask, chargeId);
    if (typeof reply === 'string') return 'unknown';
    if (reply.status === 404) return undefined;
    const { external_reference: reference } = (reply.body ?? {}) as {
      external_reference?: string | null;
    };
    return reply.status === 200 ? (reference ?? undefined) : 'unknown';
  }

  listCharges(days: ListedDays): AsyncIterable<ListedCharge> {
    return listCharges(this.#ask, days);
  }

  /** Sends an order with its key, and once more where the answer is lost. */
  async #order(
    order: Pick<Parameters<Ask>[0], 'path' | 'body' | 'headers' | 'timeoutMs'>,
  ): ReturnType<Ask> {
    const question = { ...order, method: 'POST', repeatable: false } as const;
    const first = await this.#ask(question);
    if (first !== 'unknown' && first !== 'failed') return first;
    const again = await this.#ask(question);
    // Another answer is about the second try alone: the first may have been carried out.
    return typeof again !== 'string' && isSuccess(again.status) ? again : 'unknown';
  }

  /** A token of the card; the reply where Mercado Pago refuses it. No charge is ordered yet. */
  async #tokenOf({ card }: ChargeOrder): Promise<string | { readonly status: number }> {
    const reply = await this.#ask({
      ...{ method: 'POST', path: '/v1/card_tokens', timeoutMs: TIMEOUT_MS, repeatable: true },
      body: card === undefined ? {} : buildCardToken(card),
    });
    if (typeof reply === 'string') return { status: NOT_REACHED };
    const { id } = (reply.body ?? {}) as { id?: unknown };
    return isSuccess(reply.status) && typeof id === 'string' ? id : { status: reply.status };
  }

  async #openPage(order: ChargeOrder): Promise<ChargeAnswer> {
    const reply = await this.#ask({
      ...{ method: 'POST', path: '/checkout/preferences', timeoutMs: TIMEOUT_MS },
      body: buildPreference(order, this.#notifyAt),
      repeatable: false,
    });
    if (typeof reply === 'string') return reply;
    if (!isSuccess(reply.status)) return declineOrder(order, reply.status);
    const page = preferenceIn(reply.body);
    if (page === undefined) return 'unknown';
    const reports = this.#report({ payments: [], preferences: [page] });
    return page.reference === order.reference ? reports : { unnamed: reports };
  }

  /** Closes a page, and cancels what its payer has begun there: a boleto outlives its page. */
  async #closePage(reference: string, id: string): Promise<GatewayAnswer> {
    const reply = await this.#expirePage(id);
    if (typeof reply === 'string') return reply;
    const found = await findByReference(this.#ask, reference, id);
    if (found === 'unknown') return found;
    const page = found.preferences.find((each) => each.id === id);
    const begun = page === undefined ? [] : begunOn(found, page);
    const answers = await Promise.all(begun.map((each) => this.#cancel(each)));
    const lost = answers.find((each) => typeof each === 'string');
    if (typeof lost === 'string') return lost;
    return begun.length === 0 ? this.#report(found) : this.find(reference, id);
  }

  /** A page that is paid takes no second payment. What fails here is done at the next look. */
  async #closePaidPages(found: Found): Promise<void> {
    const now = this.#clock.now();
    const paid = found.preferences.filter(
      ({ id, until }) => until > now && chargedOn(found, id) !== undefined,
    );
    for (const page of paid) {
      await this.#expirePage(page.id);
      await Promise.all(begunOn(found, page).map((each) => this.#cancel(each)));
    }
  }

  #expirePage(id: string): ReturnType<Ask> {
    const past = new Date(Date.parse(this.#clock.now()) - 60_000).toISOString();
    const path = `/checkout/preferences/${encodeURIComponent(id)}`;
    return this.#ask({ ...CHANGING, path, body: { expires: true, expiration_date_to: past } });
  }

  #cancel({ id }: MercadoPagoPayment): ReturnType<Ask> {
    return this.#change(String(id), { status: 'cancelled' });
  }

  #change(chargeId: string, body: object, timeoutMs = TIMEOUT_MS): ReturnType<Ask> {
    const path = `/v1/payments/${encodeURIComponent(chargeId)}`;
    return this.#ask({ ...CHANGING, path, body, timeoutMs });
  }

  #report(found: Found): readonly PaymentReport[] {
    return reportFound(found, this.#clock.now());
  }
}

/** In the place of a status. */
const NOT_REACHED = 0;

const isSuccess = (status: number): boolean => status === 200 || status === 201;

/** Whether Mercado Pago rejected a request before it processed it: access, rate limit, a locked key. */
const isUnprocessed = (status: number): boolean =>
  [NOT_REACHED, 401, 403, 404, 423, 429].includes(status);

/** Reports an order that was refused: a declined card is no refusal, but a payment. */
const declineOrder = ({ amount }: ChargeOrder, status: number): GatewayAnswer => {
  if (isUnprocessed(status)) return 'unreached';
  return status === 400 ? [{ status: 'declined', amount, reason: 'gateway_refused' }] : 'unknown';
};

/**
 * The same for the same order, and another after a refund that has failed, and in the next hour: Mercado
 * Pago may repeat the first answer to a key, also a refusal.
 */
const keyOf = ({ id, refunds }: MercadoPagoPayment, upTo: Cents, now: Instant): string =>
  createHash('sha256')
    .update(`refund ${id} ${upTo} ${refunds?.length ?? 0} ${now.slice(0, 13)}`)
    .digest('hex');

const refusedRefund = (
  chargeId: string,
  missing: number,
  { body }: { readonly body: unknown },
): PaymentReport => {
  const { cause, message } = (body ?? {}) as { cause?: unknown; message?: unknown };
  const [first] = (Array.isArray(cause) ? cause : []) as {
    code?: unknown;
    description?: unknown;
  }[];
  const words = first ? `${first.code}: ${first.description}` : message;
  return {
    ...{ status: 'refund_refused', chargeId, amount: missing as Cents },
    ...(typeof words === 'string' && { words }),
  };
};
