import { createHmac, randomUUID } from 'node:crypto';
import { type Asked, Double, type Told } from './http.ts';

/** Cards that this double's bank declines: of Mercado Pago's own test cards the holder's name decides. */
const DECLINED: Readonly<Record<string, string>> = {
  '4000000000000002': 'cc_rejected_other_reason',
  '4000000000009995': 'cc_rejected_insufficient_amount',
};

/** `after`: what was asked for is done, and the answer never comes; `before`: it is not done. */
type Habit = 'hang-after' | 'cut-after' | '500-after' | '502-after' | 'cut-before' | '429' | '409';

export interface MercadoPagoSettings {
  /** Habits of the next POSTs of payments, refunds and preferences, one each. */
  habits?: Habit[];
  /** Whether the bank takes captures of authorised cards; default: yes. */
  captures?: 'done' | 'refused' | 'limited';
  /** What becomes of a refund; default: done at once. `pending`: the central bank is not reached. */
  refunds?: 'approved' | 'pending' | 'no_money';
  /** Whether payments made just now are not found by search; default: they are. */
  isSearchLate?: boolean;
  down?: boolean;
}

interface Refund {
  readonly id: number;
  status: string;
  readonly amount: number;
  readonly isHidden: boolean;
}

interface Payment {
  readonly id: number;
  status: string;
  status_detail: string;
  transaction_amount: number;
  external_reference: string | null;
  readonly date_created: string;
  date_approved: string | null;
  readonly refunds: Refund[];
  readonly preference?: string;
  readonly more: Record<string, unknown>;
}

interface Preference extends Record<string, unknown> {
  readonly id: string;
  readonly external_reference: string;
  readonly items: readonly { readonly unit_price: number }[];
  expiration_date_to: string;
}

const error = (status: number, code: number | string, description: string): Told => ({
  status,
  body: { message: description, error: 'bad_request', status, cause: [{ code, description }] },
});

const NOT_FOUND = error(404, 2000, 'Payment not found');
const WRONG_STATE = error(400, 2063, 'The action requested is not valid for the current state');

/** Times as Mercado Pago writes them: in UTC-4. */
const timeOf = (date = new Date()): string =>
  new Date(date.getTime() - 4 * 3_600_000).toISOString().replace('Z', '-04:00');

const sum = (refunds: readonly Refund[], ...statuses: string[]): number =>
  refunds
    .filter(({ status }) => statuses.includes(status))
    .reduce((total, { amount }) => total + amount, 0);

/**
 * Mercado Pago, as its documents and captured answers of others show it: see the facts and their sources
 * in `adapters/payment/README.md`.
 */
export class MercadoPagoDouble {
  readonly token = 'APP_USR-of-the-tests';
  readonly secret = 'secret of the notices in the tests';
  readonly payments: Payment[] = [];
  readonly preferences: Preference[] = [];
  readonly chargebacks: { payment: number; amount: number; deadline: string }[] = [];
  /** Where a request differs from what the documents ask for. */
  readonly faults: string[] = [];
  readonly asked: Pick<Asked, 'method' | 'path' | 'headers' | 'body'>[] = [];
  readonly #double = new Double((asked) => this.#answer(asked));
  readonly #tokens = new Map<string, { number: string; isUsed: boolean }>();
  /** Answers by idempotency key. */
  readonly #answered = new Map<string, { body: string; told: Told }>();
  #settings: MercadoPagoSettings = {};
  #nextId = 145_377_190_682;

  start(port?: number): Promise<string> {
    return this.#double.start(port);
  }

  stop(): void {
    this.#double.stop();
  }

  set(settings: MercadoPagoSettings): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  /** The payer pays a boleto, or on the page of a preference; `reais`: another amount. */
  pay(chargeId: string, type = 'bank_transfer', reais?: number): Payment | undefined {
    const boleto = this.payments.find(({ id }) => String(id) === chargeId);
    if (boleto !== undefined) {
      if (boleto.status === 'pending') this.#approve(boleto, reais);
      return boleto;
    }
    const page = this.preferences.find(({ id }) => id === chargeId);
    if (page === undefined || Date.parse(page.expiration_date_to) <= Date.now()) return undefined;
    const paid = this.begin(chargeId, type);
    this.#approve(paid, reais);
    return paid;
  }

  /** The payer makes a Pix or a boleto on the page, and does not pay it yet. */
  begin(preference: string, type = 'ticket'): Payment {
    const page = this.preferences.find(({ id }) => id === preference) as Preference;
    return this.#add(
      {
        ...{ status: 'pending', status_detail: 'pending_waiting_payment', preference },
        transaction_amount: page.items[0]?.unit_price ?? 0,
        external_reference: page.external_reference,
      },
      { payment_type_id: type, order: { id: '9', type: 'mercadopago' }, ...this.#ticket() },
    );
  }

  dispute(chargeId: string, stage: 'opened' | 'won' | 'lost', deadline: string): void {
    const paid = this.payments.find(({ id }) => String(id) === chargeId);
    if (paid === undefined) return;
    paid.status = 'charged_back';
    paid.status_detail = { opened: 'in_process', won: 'reimbursed', lost: 'settled' }[stage];
    if (stage === 'opened')
      this.chargebacks.push({ payment: paid.id, amount: paid.transaction_amount, deadline });
  }

  /** The bank takes the refunds of a payment back, or makes those that wait. */
  endRefunds(chargeId: string, status: 'approved' | 'cancelled'): void {
    const paid = this.payments.find(({ id }) => String(id) === chargeId);
    if (paid === undefined) return;
    for (const each of paid.refunds) each.status = status;
    paid.status = 'approved';
    this.#follow(paid);
  }

  /** A notice as it is sent: its body and headers. */
  notice(chargeId: string | number, action = 'payment.updated') {
    const [requestId, ts] = [randomUUID(), String(Date.now())];
    const manifest = `id:${chargeId};request-id:${requestId};ts:${ts};`;
    const v1 = createHmac('sha256', this.secret).update(manifest).digest('hex');
    const about = { id: Number(ts), live_mode: true, type: 'payment', user_id: 44_444 };
    const body = { ...about, api_version: 'v1', action, data: { id: String(chargeId) } };
    return {
      body: JSON.stringify(body),
      headers: { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': requestId },
    };
  }

  async #answer(asked: Asked): Promise<Told> {
    const { method, path, headers, body } = asked;
    this.asked.push({ method, path, headers, body });
    if (this.#settings.down) return 'cut';
    if (headers.authorization !== `Bearer ${this.token}`)
      return error(401, 5, 'Must provide your access_token to proceed');
    if (method !== 'POST' || path === '/v1/card_tokens') return this.#serve(asked);
    const habit = this.#settings.habits?.shift();
    if (habit === 'cut-before') return 'cut';
    if (habit === '429' || habit === '409') return error(Number(habit), habit, 'not now');
    const told = this.#serveOnce(asked);
    if (habit === undefined) return told;
    if (habit === 'hang-after') return 'hang';
    return habit === 'cut-after' ? 'cut' : { status: Number.parseInt(habit, 10), body: {} };
  }

  /** A repeated key gives the first answer; of a refund without its body (measured by others). */
  #serveOnce(asked: Asked): Told {
    if (asked.path === '/checkout/preferences') return this.#serve(asked);
    const key = asked.headers['x-idempotency-key'];
    if (typeof key !== 'string') return error(400, 4292, "Header X-Idempotency-Key can't be null");
    const sent = JSON.stringify([asked.path, asked.body]);
    const known = this.#answered.get(key);
    if (known !== undefined && known.body !== sent)
      return error(409, 2032, 'X-Idempotency-Key already used');
    if (known !== undefined) return asked.path.endsWith('/refunds') ? { status: 200 } : known.told;
    const told = this.#serve(asked);
    this.#answered.set(key, { body: sent, told });
    return told;
  }

  #serve({ method, path, query, headers, body }: Asked): Told {
    const [, root, id, act] =
      /^\/(?:v1\/|checkout\/)?([a-z_]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(path) ?? [];
    const route = `${method} ${root}${id === undefined ? '' : id === 'search' ? '/search' : '/id'}${act === undefined ? '' : `/${act}`}`;
    const showsPending = headers['x-render-in-process-refunds'] === 'true';
    const payment = this.payments.find((each) => String(each.id) === id);
    const preference = this.preferences.find((each) => each.id === id);
    switch (route) {
      case 'POST card_tokens':
        return this.#tokenise(body);
      case 'POST payments':
        return this.#charge(body);
      case 'GET payments/search':
        return { status: 200, body: this.#search(query) };
      case 'GET payments/id':
        return payment ? { status: 200, body: this.#show(payment) } : NOT_FOUND;
      case 'PUT payments/id':
        return payment ? this.#change(payment, body) : NOT_FOUND;
      case 'POST payments/id/refunds':
        return payment ? this.#refund(payment, body, showsPending) : NOT_FOUND;
      case 'GET payments/id/refunds':
        return payment
          ? { status: 200, body: payment.refunds.filter((each) => showsPending || !each.isHidden) }
          : NOT_FOUND;
      case 'GET chargebacks/search':
        return { status: 200, body: this.#searchChargebacks(query) };
      case 'POST preferences':
        return this.#prefer(body);
      case 'GET preferences/search': {
        const reference = query.get('external_reference');
        const elements = this.preferences
          .filter((each) => each.external_reference === reference)
          .map(({ id: found }) => ({ id: found, external_reference: reference }));
        return { status: 200, body: { elements, next_offset: 0, total: elements.length } };
      }
      case 'GET preferences/id':
        if (preference !== undefined) return { status: 200, body: preference };
        return id?.includes('-')
          ? error(404, 404, 'not found')
          : error(400, 'invalid_id', 'preference_id not found');
      case 'PUT preferences/id':
        return preference
          ? { status: 200, body: Object.assign(preference, body) }
          : error(404, 404, 'not found');
      case 'GET merchant_orders/search':
        return { status: 200, body: this.#searchOrders(query) };
      default:
        this.faults.push(`unknown: ${route} (${path})`);
        return error(404, 404, 'not found');
    }
  }

  #tokenise(body: Asked['body']): Told {
    if (!/^\d{13,19}$/.test(body.card_number)) return error(400, 'E301', 'invalid card number');
    const id = randomUUID().replaceAll('-', '');
    this.#tokens.set(id, { number: body.card_number, isUsed: false });
    return { status: 201, body: { id, status: 'active', luhn_validation: true, live_mode: true } };
  }

  #charge(body: Asked['body']): Told {
    const { transaction_amount: amount, payer, token, payment_method_id: method } = body;
    if (typeof amount !== 'number' || amount <= 0 || !payer?.email)
      return error(400, 4037, 'Invalid transaction_amount');
    if (String(body.external_reference).length > 64)
      this.faults.push('external_reference is longer than 64 characters');
    const about = { transaction_amount: amount, external_reference: body.external_reference };
    if (method === 'bolbradesco') {
      const { address } = payer;
      const needed = ['zip_code', 'street_name', 'street_number', 'neighborhood', 'city'];
      if (!needed.every((name) => address?.[name]) || !/^[A-Z]{2}$/.test(address.federal_unit))
        return error(400, '7521', 'To generate a registered boleto the address is required');
      const waiting = { status: 'pending', status_detail: 'pending_waiting_payment' };
      const more = { payment_type_id: 'ticket', date_of_expiration: body.date_of_expiration };
      return this.#made(this.#add({ ...about, ...waiting }, { ...more, ...this.#ticket() }));
    }
    const card = this.#tokens.get(token);
    if (card === undefined) return error(400, 2006, 'Card Token not found');
    if (card.isUsed) return error(400, 3003, 'Card token was used, please generate new');
    card.isUsed = true;
    const refusal = DECLINED[card.number];
    const more = { payment_type_id: 'credit_card', installments: body.installments };
    const state =
      refusal !== undefined
        ? { status: 'rejected', status_detail: refusal }
        : body.capture === false
          ? { status: 'authorized', status_detail: 'pending_capture' }
          : { status: 'approved', status_detail: 'accredited' };
    const paid = this.#add({ ...about, ...state }, more);
    if (paid.status === 'approved') this.#approve(paid);
    return this.#made(paid);
  }

  #made(payment: Payment): Told {
    return { status: 201, body: this.#show(payment) };
  }

  #add(
    about: Pick<
      Payment,
      'status' | 'status_detail' | 'transaction_amount' | 'external_reference'
    > & {
      preference?: string;
    },
    more: Record<string, unknown>,
  ): Payment {
    this.#nextId += 7;
    const times = { date_created: timeOf(), date_approved: null };
    const payment: Payment = { id: this.#nextId, ...about, ...times, refunds: [], more };
    this.payments.push(payment);
    return payment;
  }

  #ticket(): Record<string, unknown> {
    return {
      transaction_details: {
        external_resource_url: 'https://www.mercadopago.com.br/payments/1/ticket?hash=1',
      },
      point_of_interaction: { type: 'UNSPECIFIED', transaction_data: {} },
    };
  }

  #approve(payment: Payment, reais = payment.transaction_amount): void {
    payment.transaction_amount = reais;
    Object.assign(payment, { status: 'approved', status_detail: 'accredited' });
    payment.date_approved = timeOf();
  }

  #show({ more, preference: _, refunds, ...payment }: Payment): object {
    const returned = Math.round(sum(refunds, 'approved') * 100) / 100;
    return {
      ...{ order: {}, captured: payment.status !== 'authorized', currency_id: 'BRL' },
      ...payment,
      ...more,
      transaction_amount_refunded: returned,
      refunds: refunds.filter(({ isHidden }) => !isHidden),
      // Only shown where money has moved.
      payer: { id: '1521948234', email: null, identification: null },
    };
  }

  #search(query: URLSearchParams): object {
    const [limit, offset] = [Number(query.get('limit') ?? 30), Number(query.get('offset') ?? 0)];
    const reference = query.get('external_reference');
    const within = (name: string, past: boolean) => {
      const at = Date.parse(query.get(name) ?? '');
      return Number.isNaN(at) ? (past ? 0 : Number.MAX_SAFE_INTEGER) : at;
    };
    const [from, to] = [within('begin_date', true), within('end_date', false)];
    if (query.get('range') !== 'date_created') this.faults.push('a search without its range');
    const found = this.#settings.isSearchLate
      ? []
      : this.payments.filter(({ external_reference, date_created }) => {
          const at = Date.parse(date_created);
          return (reference === null || external_reference === reference) && at >= from && at <= to;
        });
    return {
      paging: { total: found.length, limit, offset },
      results: found.slice(offset, offset + limit).map((each) => this.#show(each)),
    };
  }

  #searchChargebacks(query: URLSearchParams): object {
    const results = this.chargebacks
      .filter(({ payment }) => String(payment) === query.get('payment_id'))
      .map(({ payment, amount, deadline }) => ({
        ...{ id: '217000087654321000', payments: [payment], currency: 'BRL', amount },
        ...{ coverage_elegible: true, date_documentation_deadline: deadline },
      }));
    return { paging: { total: results.length, limit: 30, offset: 0 }, results };
  }

  #searchOrders(query: URLSearchParams): object {
    const preference = query.get('preference_id');
    const payments = this.payments.filter((each) => each.preference === preference);
    if (payments.length === 0) return { elements: [{ id: 9, payments: null }], total: 1 };
    const shown = payments.map(({ id, status }) => ({ id, status }));
    return { elements: [{ id: 9, preference_id: preference, payments: shown }], total: 1 };
  }

  #change(payment: Payment, body: Asked['body']): Told {
    if (body.status === 'cancelled') {
      if (!['pending', 'in_process', 'authorized'].includes(payment.status)) return WRONG_STATE;
      Object.assign(payment, { status: 'cancelled', status_detail: 'by_collector' });
    } else if (body.capture === true) {
      if (payment.status !== 'authorized') return WRONG_STATE;
      const { captures } = this.#settings;
      if (captures === 'refused') return error(400, 2057, 'The bank has declined');
      if (captures === 'limited') return error(429, 429, 'Too many requests');
      this.#approve(payment);
    }
    return { status: 200, body: this.#show(payment) };
  }

  #refund(payment: Payment, body: Asked['body'], showsPending: boolean): Told {
    const { refunds = 'approved' } = this.#settings;
    const isWon = payment.status_detail === 'reimbursed';
    if (payment.status !== 'approved' && !isWon) return WRONG_STATE;
    const left = payment.transaction_amount - sum(payment.refunds, 'approved', 'in_process');
    const amount = body?.amount ?? left;
    if (amount > left + 1e-9) return error(400, 2017, 'Invalid transaction_amount for update');
    if (refunds === 'no_money') return error(400, 2031, "Collector hasn't enough available money");
    const isHidden = refunds === 'pending';
    const refund = { id: payment.id + payment.refunds.length + 1, amount, isHidden };
    payment.refunds.push({ ...refund, status: isHidden ? 'in_process' : 'approved' });
    this.#follow(payment);
    // Without the header, a refund that waits looks refused.
    if (isHidden && !showsPending) return error(400, 2084, 'does not support to be refunded');
    return { status: 201, body: payment.refunds.at(-1) };
  }

  #follow(payment: Payment): void {
    const returned = sum(payment.refunds, 'approved');
    if (payment.status !== 'approved') return;
    if (returned >= payment.transaction_amount - 1e-9)
      Object.assign(payment, { status: 'refunded', status_detail: 'refunded' });
    else payment.status_detail = returned > 0 ? 'partially_refunded' : 'accredited';
  }

  #prefer(body: Asked['body']): Told {
    if (body.auto_return && !body.back_urls?.success)
      return { status: 400, body: { error: 'invalid_auto_return', status: 400, cause: null } };
    const id = `1144556609-${randomUUID()}`;
    const preference = {
      ...body,
      ...{ id, date_created: timeOf(), site_id: 'MLB' },
      init_point: `https://www.mercadopago.com.br/checkout/v1/redirect?pref_id=${id}`,
    };
    this.preferences.push(preference);
    return { status: 201, body: preference };
  }
}
