import { type Cents, reais } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type {
  ChargeOrder,
  GatewayAnswer,
  Payments,
  RefundOrder,
} from '../../../application/payments/payments.ts';
import {
  type AsaasPayment,
  chargeIdOf,
  isPayment,
  reportsOfAll,
  returnedOfAll,
} from './asaas-payments.ts';
import { customerBody, paymentBody } from './asaas-requests.ts';

/** A reply of Asaas; `unknown`: it may have heard; `failed`: it has, and says that it failed; `unreached`: it has not. */
type Reply =
  | { readonly status: number; readonly body: unknown }
  | 'unknown'
  | 'failed'
  | 'unreached';

/** Asks Asaas over HTTP. */
type Ask = (question: {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly within: number;
  readonly repeatable: boolean;
}) => Promise<Reply>;

/** Milliseconds. A card is asked of its bank meanwhile; Asaas itself takes up to a minute, and what comes later is found. */
const CARD_PATIENCE = 30_000;
const PATIENCE = 5_000;

/** The most that a list has on one page. */
const PAGE = 100;

/** Nobody charges more often for one sale. */
const MOST_PAGES = 3;

const OPTIONS = { within: PATIENCE, repeatable: true } as const;

/** The card's bank said no; the documentation and the test environment use different codes for it. */
const CARD_DECLINED = /^(invalid_creditCard|invalid_action)$/;

/**
 * Asaas, API v3. It has no idempotency key: our reference goes with every charge as `externalReference`, and charges are
 * looked for by it. Only replies that cannot have done anything count as certain.
 */
export class AsaasGateway implements Payments {
  readonly name = 'asaas';
  readonly needsCardAddress = true;
  readonly #ask: Ask;
  readonly #clock: Clock;

  constructor(ask: Ask, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  async charge(order: ChargeOrder): Promise<GatewayAnswer> {
    const customer = await this.#customer(order);
    if (typeof customer !== 'object') return customer;
    if (customer.id === undefined) return refusedBy(order, customer.codes);
    const isCard = order.card !== undefined;
    const body = { customer: customer.id, ...paymentBody(order) };
    const within = isCard ? CARD_PATIENCE : PATIENCE;
    const reply = await this.#ask({
      method: 'POST',
      path: '/v3/payments',
      body,
      within,
      repeatable: false,
    });
    if (typeof reply === 'string') return reply;
    if (reply.status === 200 && isPayment(reply.body)) {
      // Of a purchase in installments only the first payment is shown.
      return order.installments > 1 ? this.find(order.reference) : this.#reports([reply.body]);
    }
    if (reply.status === 400) return refusedBy(order, codesIn(reply.body));
    return isCertain(reply.status) ? 'unreached' : 'unknown';
  }

  async find(reference: string, chargeId?: string): Promise<GatewayAnswer> {
    const found = await this.#payments(reference, chargeId);
    return typeof found === 'string' ? found : this.#reports(found);
  }

  async withdraw(reference: string, chargeId: string): Promise<GatewayAnswer> {
    const reply = await this.#ask({
      ...OPTIONS,
      method: 'DELETE',
      path: `/v3/payments/${encodeURIComponent(chargeId)}`,
    });
    // A charge that was paid meanwhile is not removed; either way, the charges themselves tell.
    return typeof reply === 'string' ? reply : this.find(reference, chargeId);
  }

  async refund({ reference, chargeId, upTo }: RefundOrder): Promise<GatewayAnswer> {
    const found = await this.#payments(reference, chargeId);
    if (typeof found === 'string') return found;
    const purchase = found.filter((each) => chargeIdOf(each) === chargeId);
    const [first] = purchase;
    const missing = upTo - returnedOfAll(purchase);
    if (first === undefined || missing <= 0) return this.#reports(found);
    const isInstallments = first.id !== chargeId;
    const what = isInstallments ? 'installments' : 'payments';
    // The payer of a boleto says at an address of Asaas' to which account the money shall go.
    const how = first.billingType === 'BOLETO' ? 'bankSlip/refund' : 'refund';
    const body = {
      value: reais(missing as Cents),
      ...(!isInstallments && { description: reference }),
    };
    const path = `/v3/${what}/${encodeURIComponent(chargeId)}/${how}`;
    const reply = await this.#ask({
      method: 'POST',
      path,
      body,
      within: PATIENCE,
      repeatable: false,
    });
    return typeof reply === 'string' ? reply : this.find(reference, chargeId);
  }

  async trace(chargeId: string): Promise<string | undefined | 'unknown'> {
    const reply = await this.#ask({
      ...OPTIONS,
      method: 'GET',
      path: `/v3/payments/${encodeURIComponent(chargeId)}`,
    });
    if (typeof reply === 'string' || (reply.status !== 200 && reply.status !== 404))
      return 'unknown';
    if (reply.status === 404) return undefined;
    return isPayment(reply.body) ? (reply.body.externalReference ?? undefined) : 'unknown';
  }

  async #customer(order: ChargeOrder) {
    const body = customerBody(order);
    // A second customer of the same name does no harm: nothing is charged to it.
    const reply = await this.#ask({ ...OPTIONS, method: 'POST', path: '/v3/customers', body });
    // Whatever is wrong here, no charge has been ordered.
    if (typeof reply === 'string') return 'unreached';
    const { id } = (reply.body ?? {}) as { id?: unknown };
    if (reply.status === 200 && typeof id === 'string') return { id, codes: [] };
    return reply.status === 400 ? { id: undefined, codes: codesIn(reply.body) } : 'unreached';
  }

  /** All payments under a reference, the newest first; with the one that is known, which is not listed once it was removed. */
  async #payments(
    reference: string,
    chargeId?: string,
  ): Promise<readonly AsaasPayment[] | 'unknown'> {
    const found = new Map<string, AsaasPayment>();
    for (let page = 0, isMore = true; isMore; page += 1) {
      const query = new URLSearchParams({
        externalReference: reference,
        limit: String(PAGE),
        offset: String(page * PAGE),
      });
      const reply = await this.#ask({ ...OPTIONS, method: 'GET', path: `/v3/payments?${query}` });
      if (typeof reply === 'string' || reply.status !== 200 || page >= MOST_PAGES) return 'unknown';
      const { data, hasMore } = (reply.body ?? {}) as { data?: unknown; hasMore?: unknown };
      if (!Array.isArray(data) || !data.every(isPayment)) return 'unknown';
      for (const each of data) {
        if (each.externalReference !== reference || found.has(each.id)) return 'unknown';
        found.set(each.id, each);
      }
      isMore = hasMore === true && data.length === PAGE;
    }
    const all = [...found.values()];
    if (chargeId === undefined || all.some((each) => chargeIdOf(each) === chargeId)) return all;
    const reply = await this.#ask({
      ...OPTIONS,
      method: 'GET',
      path: `/v3/payments/${encodeURIComponent(chargeId)}`,
    });
    if (typeof reply === 'string' || (reply.status === 200 && !isPayment(reply.body)))
      return 'unknown';
    return isPayment(reply.body) && reply.body.externalReference === reference
      ? [...all, reply.body]
      : all;
  }

  #reports(payments: readonly AsaasPayment[]): GatewayAnswer {
    return reportsOfAll(payments, this.#clock.today());
  }
}

const codesIn = (body: unknown): readonly string[] => {
  const { errors } = (body ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? errors.map((each: { code?: unknown }) => String(each?.code)) : [];
};

/** Asaas has looked at the order and will not charge: a 400 leaves no charge. */
const refusedBy = ({ amount, card }: ChargeOrder, codes: readonly string[]): GatewayAnswer => {
  const isDeclined = card !== undefined && codes.some((code) => CARD_DECLINED.test(code));
  return [{ status: 'declined', amount, reason: isDeclined ? 'declined' : 'gateway_refused' }];
};

/** Not let in, not found, or told to wait: nothing was done. */
const isCertain = (status: number): boolean => [401, 403, 404, 429].includes(status);
