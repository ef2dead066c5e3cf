import { type Cents, type PaymentReport, type ReturnReport, toReais, ZERO } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import {
  type ChargeAnswer,
  type ChargeOrder,
  type GatewayAnswer,
  hasReports,
  type ListedCharge,
  type ListedDays,
  type Payments,
  type RefundOrder,
} from '../../../application/payments/payments.ts';
import { declinedOnCapture, isHeld } from '../held-cards.ts';
import { type AskAsaas, fetchPayment, listPayments, REPEATABLE, TIMEOUT_MS } from './asaas-api.ts';
import { listCharges } from './asaas-list.ts';
import {
  type AsaasPayment,
  canReturn,
  chargeIdOf,
  isPayment,
  reportPayments,
  sumOrdered,
} from './asaas-payments.ts';
import { buildCustomer, buildPayment, hasWayBack } from './asaas-requests.ts';

/**
 * Max time for a card charge, in ms: the bank answers in the meantime. Asaas itself may take up to
 * 60 s. A charge that it makes later is found by its reference.
 */
const CARD_TIMEOUT_MS = 30_000;

/**
 * The card was declined. The documentation and the test environment use different codes. Asaas
 * gives no reason: it answers every declined card with the same error, so that stolen cards cannot
 * be tried out (docs.asaas.com, "Cobranças via cartão de crédito").
 */
const CARD_DECLINED = /^(invalid_creditCard|invalid_action)$/;

/**
 * Payment gateway Asaas, API v3.
 *
 * Asaas has no idempotency key. Each charge carries our reference as `externalReference`, and
 * charges are looked up by it. An order whose outcome is uncertain is never sent again: only a
 * reply that proves that Asaas did nothing counts as `unreached`.
 */
export class AsaasGateway implements Payments {
  readonly name = 'asaas';
  readonly cardNeeds = { address: true, brazilianPhone: true };
  /** No document says how installments are captured. */
  readonly authorizesUpTo = 1;
  readonly #ask: AskAsaas;
  readonly #clock: Clock;

  constructor(ask: AskAsaas, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  async charge(order: ChargeOrder): Promise<ChargeAnswer> {
    const customer = await this.#createCustomer(order);
    if (typeof customer !== 'object') return customer;
    if (customer.id === undefined) return declineOrder(order, customer.codes);

    const first = await this.#order(customer.id, order);
    // Asaas takes the way back only to the domain of our own account, and refuses the whole order
    // otherwise (docs.asaas.com, "Redirecionamento após o pagamento"). A 400 leaves no charge, so
    // that the order can be sent again without it.
    const isRefused = typeof first !== 'string' && first.status === 400 && hasWayBack(order);
    const reply = isRefused
      ? await this.#order(customer.id, { ...order, returnUrl: undefined })
      : first;
    if (typeof reply === 'string') return reply;
    if (reply.status === 200 && isPayment(reply.body)) {
      const { externalReference } = reply.body;
      if (externalReference !== order.reference)
        return { unnamed: reportPayments([reply.body], this.#clock.today()) };
      // For installments, the reply shows only the first payment.
      return order.installments > 1 ? this.find(order.reference) : this.#report([reply.body]);
    }
    if (reply.status === 400) return declineOrder(order, readErrorCodes(reply.body));
    return isRejectedUnprocessed(reply.status) ? 'unreached' : 'unknown';
  }

  async find(reference: string, chargeId?: string): Promise<GatewayAnswer> {
    const found = await listPayments(this.#ask, reference, chargeId);
    return typeof found === 'string' ? found : this.#report(found);
  }

  async capture(reference: string, chargeId: string): Promise<GatewayAnswer> {
    const reply = await this.#act(chargeId, 'captureAuthorizedPayment', CARD_TIMEOUT_MS);
    if (typeof reply === 'string') return reply;
    const reports = await this.find(reference, chargeId);
    if (reply.status !== 400 || !isHeld(reports, chargeId)) return reports;
    // The bank has declined: nothing is taken, and the card must not stay blocked.
    const released = await this.#release(reference, chargeId);
    return declinedOnCapture(released, chargeId);
  }

  async withdraw(reference: string, chargeId: string): Promise<GatewayAnswer> {
    const path = `/v3/payments/${encodeURIComponent(chargeId)}`;
    const reply = await this.#ask({ ...REPEATABLE, method: 'DELETE', path });
    // Asaas does not delete a charge that was paid meanwhile. The look-up reports either outcome.
    if (typeof reply === 'string') return reply;
    const reports = await this.find(reference, chargeId);
    return isHeld(reports, chargeId) ? this.#release(reference, chargeId) : reports;
  }

  /** Releases an authorised card: its refund, before it is captured. */
  async #release(reference: string, chargeId: string): Promise<GatewayAnswer> {
    const reply = await this.#act(chargeId, 'refund', TIMEOUT_MS);
    return typeof reply === 'string' ? reply : this.find(reference, chargeId);
  }

  /** An act on a charge that is done once, however often it is asked for. */
  #act(chargeId: string, act: string, timeoutMs: number): ReturnType<AskAsaas> {
    const path = `/v3/payments/${encodeURIComponent(chargeId)}/${act}`;
    return this.#ask({ method: 'POST', path, body: {}, timeoutMs, repeatable: false });
  }

  async refund({ reference, chargeId, upTo }: RefundOrder): Promise<GatewayAnswer> {
    const found = await listPayments(this.#ask, reference, chargeId);
    if (typeof found === 'string') return found;

    const purchase = found.filter((each) => chargeIdOf(each) === chargeId);
    const [first] = purchase;
    const missing = upTo - sumOrdered(purchase);
    if (first === undefined || missing <= 0 || !canReturn(purchase, missing))
      return this.#report(found);

    const isInstallments = first.id !== chargeId;
    const isBoleto = first.billingType === 'BOLETO';
    const collection = isInstallments ? 'installments' : 'payments';
    const action = isBoleto ? 'bankSlip/refund' : 'refund';
    const about = isInstallments ? {} : { description: reference };
    const reply = await this.#ask({
      method: 'POST',
      path: `/v3/${collection}/${encodeURIComponent(chargeId)}/${action}`,
      ...(!isBoleto && { body: { value: toReais(missing as Cents), ...about } }),
      timeoutMs: TIMEOUT_MS,
      repeatable: false,
    });
    if (typeof reply === 'string') return reply;
    if (isRejectedUnprocessed(reply.status)) return 'unreached';
    const reports = await this.find(reference, chargeId);
    if (reply.status >= 300)
      return hasReports(reports) ? [...reports, refusedRefund(chargeId, missing, reply)] : reports;
    // Taken, but not shown yet: another order now would refund twice.
    if (!isBoleto) return showsOrder(reports, chargeId, upTo) ? reports : 'unknown';
    const url = readPage(reply.body);
    return url === undefined ? reports : withPage(url, chargeId, reports, this.#report(found));
  }

  async trace(chargeId: string): Promise<string | undefined | 'unknown'> {
    const reply = await fetchPayment(this.#ask, chargeId);
    if (typeof reply === 'string') return 'unknown';
    if (reply.status === 404) return undefined;
    if (reply.status !== 200 || !isPayment(reply.body)) return 'unknown';
    return reply.body.externalReference ?? undefined;
  }

  listCharges(days: ListedDays): AsyncIterable<ListedCharge> {
    return listCharges(this.#ask, days, this.#clock.today());
  }

  #order(customer: string, order: ChargeOrder): ReturnType<AskAsaas> {
    return this.#ask({
      method: 'POST',
      path: '/v3/payments',
      body: { customer, ...buildPayment(order) },
      timeoutMs: order.card === undefined ? TIMEOUT_MS : CARD_TIMEOUT_MS,
      repeatable: false,
    });
  }

  /** Any failure here means `unreached`, because no charge was ordered yet. */
  async #createCustomer(order: ChargeOrder) {
    // This request may be repeated: a duplicate customer has no charges.
    const path = '/v3/customers';
    const body = buildCustomer(order);
    const reply = await this.#ask({ ...REPEATABLE, method: 'POST', path, body });
    if (typeof reply === 'string') return 'unreached';
    const { id } = (reply.body ?? {}) as { id?: unknown };
    if (reply.status === 200 && typeof id === 'string') return { id, codes: [] };
    return reply.status === 400
      ? { id: undefined, codes: readErrorCodes(reply.body) }
      : 'unreached';
  }

  #report(payments: readonly AsaasPayment[]): GatewayAnswer {
    return reportPayments(payments, this.#clock.today());
  }
}

/** Whether the gateway shows what was ordered of a charge. */
const showsOrder = (reports: GatewayAnswer, chargeId: string, upTo: Cents): boolean =>
  hasReports(reports) &&
  reports.some(
    (each) =>
      each.status === 'returned' &&
      each.chargeId === chargeId &&
      (each.ordered ?? each.returned) >= upTo,
  );

const refusedRefund = (
  chargeId: string,
  missing: number,
  { body }: { readonly body: unknown },
): PaymentReport => {
  const words = readErrors(body).map(({ code, description }) => `${code}: ${description}`);
  return {
    status: 'refund_refused',
    chargeId,
    amount: missing as Cents,
    ...(words.length > 0 && { words: words.join('; ') }),
  };
};

/** The page on which the payer of a boleto names an account, in the answer to the order. */
const readPage = (body: unknown): string | undefined => {
  const { requestUrl: url } = (body ?? {}) as { requestUrl?: unknown };
  return typeof url === 'string' && /^https:\S{1,1000}$/.test(url) ? url : undefined;
};

/**
 * The reports with the page: no later answer has it. Where the look after the order failed, or does
 * not show the order yet, the order itself is reported.
 */
const withPage = (
  url: string,
  chargeId: string,
  after: GatewayAnswer,
  before: GatewayAnswer,
): GatewayAnswer => {
  const reports = hasReports(after) ? after : before;
  if (!hasReports(reports)) return after;
  const isRefund = (report: PaymentReport): report is ReturnReport =>
    report.status === 'returned' && report.chargeId === chargeId;
  const named = reports.map((report) =>
    isRefund(report) && report.waitsFor
      ? { ...report, waitsFor: { ...report.waitsFor, url } }
      : report,
  );
  const paid = reports.find((each) => each.status === 'approved' && each.chargeId === chargeId);
  if (reports.some(isRefund) || paid === undefined) return named;
  const { amount } = paid;
  const waitsFor = { actor: 'insured', url } as const;
  return [
    ...named,
    { status: 'returned', chargeId, amount, returned: ZERO, ordered: amount, waitsFor },
  ];
};

interface AsaasError {
  readonly code?: unknown;
  readonly description?: unknown;
}

const readErrors = (body: unknown): readonly AsaasError[] => {
  const { errors } = (body ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? errors.map((each) => ({ ...each })) : [];
};

const readErrorCodes = (body: unknown): readonly string[] =>
  readErrors(body).map(({ code }) => String(code));

/** Reports an order that Asaas refused with a 400, which leaves no charge. */
const declineOrder = ({ amount, card }: ChargeOrder, codes: readonly string[]): GatewayAnswer => {
  const isDeclined = card !== undefined && codes.some((code) => CARD_DECLINED.test(code));
  return [{ status: 'declined', amount, reason: isDeclined ? 'declined' : 'gateway_refused' }];
};

/** Whether Asaas rejected a request before it processed it: access, path or rate limit. */
const isRejectedUnprocessed = (status: number): boolean => [401, 403, 404, 429].includes(status);
