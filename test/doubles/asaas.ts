import { randomBytes, randomUUID } from 'node:crypto';
import { parseTaxId } from '#domain';
import { inDays } from '../support/today.ts';
import { faultsOfPayment, faultsOfRequest } from './asaas-schema.ts';
import { type Asked, type Body, Double, serveAlone, type Told } from './http.ts';

/** Cards that Asaas' own test environment declines. */
const DECLINED = new Set(['5184019740373151', '4916561358240741']);

/** `after`: what was asked for is done, and the answer never comes; `before`: it is not done. */
type AsaasHabit =
  | 'hang-after'
  | 'hang-before'
  | 'cut-after'
  | 'cut-before'
  | '500-after'
  | '500-before'
  | '502-after';

export interface AsaasSettings {
  /** Habits of the next POSTs of payments and refunds, one each. */
  habits?: AsaasHabit[];
  /** Whether refunds are done at once, or wait for `finishRefunds`; default: at once. */
  refunds?: 'done' | 'pending' | 'refused';
  /** Whether the bank takes captures of authorised cards; default: yes. */
  captures?: 'done' | 'refused';
  /** The domain of the account, the only one to which a charge may lead back. */
  domain?: string;
  /** Whether nothing is answered at all. */
  down?: boolean;
  /** Where to send notices, how often each, and whether the last comes first. */
  webhook?: string;
  copies?: number;
  reversed?: boolean;
}

interface Payment extends Record<string, unknown> {
  readonly id: string;
  status: string;
  value: number;
  billingType: string;
  externalReference: string | null;
  deleted: boolean;
  refunds: { status: string; value: number }[] | null;
  installment?: string;
}

const error = (status: number, code: string, description: string): Told => ({
  status,
  body: { errors: [{ code, description }] },
});

const number = (): string => randomBytes(8).toString('hex');

const cents = (value: number): number => Math.round(value * 100);

/**
 * Asaas, as its documentation and captures of its test environment show it: API v3, one error at a time, optional fields
 * that are null or missing, no idempotency, declines as 400 without a charge, lists newest first, notices at least once.
 */
export class AsaasDouble {
  readonly key = 'asaas-key-of-the-tests';
  readonly webhookToken = 'asaas-webhook-token-of-the-tests';
  readonly payments: Payment[] = [];
  readonly asked: Pick<Asked, 'method' | 'path' | 'headers'>[] = [];
  /** The phones of the holders of charged cards. */
  readonly holderPhones: string[] = [];
  /** Where a request, or this double, differs from Asaas's document. */
  readonly faults: string[] = [];
  readonly #double = new Double((asked) => this.#answer(asked));
  #settings: AsaasSettings = {};
  #notices: object[] = [];
  #delivering: Promise<void> = Promise.resolve();

  async start(port?: number): Promise<string> {
    return this.#double.start(port);
  }

  stop(): void {
    this.#double.stop();
  }

  set(settings: AsaasSettings): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  /** The payer pays what is open; `value`: another amount, as with interest. */
  async pay(id: string, billingType = 'PIX', value?: number): Promise<void> {
    const payment = this.payments.find((each) => each.id === id);
    if (payment === undefined || payment.deleted || payment.status !== 'PENDING') return;
    const method = payment.billingType === 'UNDEFINED' ? billingType : payment.billingType;
    Object.assign(payment, {
      // A boleto is confirmed before its money is received.
      status: 'CONFIRMED',
      billingType: method,
      clientPaymentDate: payment['dateCreated'],
      ...(value !== undefined && { value, originalValue: payment.value }),
    });
    this.#note('PAYMENT_CONFIRMED', payment);
    payment.status = 'RECEIVED';
    this.#note('PAYMENT_RECEIVED', payment);
    await this.deliver();
  }

  /**
   * A chargeback of a payment or of all payments in installments, with the statuses and fields of
   * the document's `PaymentChargebackResponseDTO`. A lost one is `DONE` under an unchanged payment.
   */
  dispute(chargeId: string, stage: 'opened' | 'won' | 'lost'): void {
    const chargeback = { opened: 'REQUESTED', won: 'REVERSED', lost: 'DONE' }[stage];
    const deadlineToSendDisputeDocuments = inDays(10);
    for (const payment of this.payments) {
      if (payment.id !== chargeId && payment.installment !== chargeId) continue;
      Object.assign(payment, {
        status: stage === 'opened' ? 'CHARGEBACK_REQUESTED' : 'CONFIRMED',
        chargeback: { status: chargeback, value: payment.value, deadlineToSendDisputeDocuments },
      });
      this.#note(stage === 'opened' ? 'PAYMENT_CHARGEBACK_REQUESTED' : 'PAYMENT_UPDATED', payment);
    }
  }

  /** Sends the notices that are to be sent, until each has been answered with 200. */
  deliver(): Promise<void> {
    const { webhook, copies = 1, reversed = false } = this.#settings;
    const due = this.#notices;
    this.#notices = [];
    if (webhook === undefined) return Promise.resolve();
    const ordered = (reversed ? due.reverse() : due).flatMap((notice) =>
      Array.from({ length: copies }, () => notice),
    );
    this.#delivering = this.#delivering.then(() => this.#sendAll(ordered));
    return this.#delivering;
  }

  async #sendAll(notices: readonly object[]): Promise<void> {
    for (const notice of notices) {
      for (let tries = 0; tries < 200; tries += 1) {
        const headers = {
          'Content-Type': 'application/json',
          'asaas-access-token': this.webhookToken,
        };
        const init = {
          method: 'POST',
          headers,
          body: JSON.stringify(notice),
          signal: AbortSignal.timeout(10_000),
        };
        const answer = await fetch(this.#settings.webhook ?? '', init).catch(() => undefined);
        if (answer?.status === 200) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  #note(event: string, payment: Payment): void {
    this.faults.push(...faultsOfPayment(payment));
    this.#notices.push({
      id: `evt_${number()}&${this.payments.length}`,
      event,
      dateCreated: '2026-11-20 12:00:00',
      payment: { ...payment },
    });
  }

  async #answer(asked: Asked): Promise<Told> {
    const { method, path, headers, body } = asked;
    if (path.startsWith('/control')) return this.#control(path, body);
    this.asked.push({ method, path, headers });
    this.faults.push(...faultsOfRequest(method, path, body));
    if (this.#settings.down === true) return 'cut';
    if (asked.headers['access_token'] !== this.key)
      return error(401, 'invalid_access_token', 'A chave de API fornecida é inválida');
    if (method !== 'POST' || path === '/v3/customers') return this.#do(asked);
    const habit = this.#settings.habits?.shift();
    if (habit === undefined) return this.#do(asked);
    if (habit.endsWith('after')) await this.#do(asked);
    if (habit.startsWith('hang')) return 'hang';
    return habit.startsWith('cut') ? 'cut' : { status: Number(habit.slice(0, 3)), body: {} };
  }

  #control(path: string, body: Body): Told | Promise<Told> {
    if (path === '/control/settings') this.set(body);
    if (path === '/control/pay')
      return this.pay(body.id, body.billingType).then(() => ({ status: 200, body: {} }));
    if (path === '/control/forget') {
      const forgotten = this.payments.findIndex(({ id }) => id === body.id);
      if (forgotten >= 0) this.payments.splice(forgotten, 1);
    }
    return { status: 200, body: { payments: this.payments } };
  }

  async #do({ method, path, query, body }: Asked): Promise<Told> {
    const [, , kind, id = '', ...rest] = path.split('/');
    const what = [method, kind, ...(id === '' ? [] : ['one']), ...rest].join(' ');
    if (what === 'POST customers') return this.#customer(body);
    if (what === 'POST payments') return this.#order(body);
    if (what === 'GET payments') return this.#list(query);
    const found = this.payments.filter((each) => each.id === id || each.installment === id);
    const [payment] = found;
    if (payment === undefined) return { status: 404 };
    this.faults.push(...faultsOfPayment(payment));
    if (what === 'GET payments one') return { status: 200, body: payment };
    if (what === 'DELETE payments one') return this.#remove(payment);
    if (what === 'POST payments one captureAuthorizedPayment') return this.#capture(payment);
    if (what === 'POST payments one bankSlip refund') return this.#refundBoleto(payment);
    if (/^POST (payments|installments) one refund$/.test(what)) return this.#refund(found, body);
    return { status: 404 };
  }

  #customer({ name, cpfCnpj }: Body): Told {
    // Since 2024-08-05 Asaas takes only valid CPFs and CNPJs.
    if (typeof name !== 'string' || parseTaxId(String(cpfCnpj)) === undefined)
      return error(400, 'invalid_object', 'O CPF/CNPJ informado é inválido.');
    return {
      status: 200,
      body: {
        object: 'customer',
        id: `cus_${number()}`,
        name,
        cpfCnpj,
        company: null,
        phone: null,
        deleted: false,
      },
    };
  }

  #order(body: Body): Told {
    const {
      customer,
      billingType,
      value,
      totalValue,
      installmentCount = 1,
      dueDate,
      externalReference = null,
      description,
      callback,
      authorizeOnly,
    } = body;
    if (typeof customer !== 'string')
      return error(400, 'invalid_customer', 'Customer inválido ou não informado.');
    if (callback !== undefined && new URL(callback.successUrl).hostname !== this.#settings.domain)
      return error(400, 'invalid_object', 'Não há nenhum domínio configurado em sua conta.');
    const total = installmentCount > 1 ? totalValue : value;
    if (!(total >= 5))
      return error(400, 'invalid_object', 'O valor da cobrança não pode ser menor que R$ 5,00.');
    if (billingType === 'CREDIT_CARD') {
      const { creditCard: card, creditCardHolderInfo: holder, remoteIp } = body;
      if (!card?.ccv || !card.holderName || !/^\d{4}$/.test(card.expiryYear))
        return error(400, 'invalid_creditCard', 'Cartão inválido.');
      const isReachable =
        /^\d{10,11}$/.test(holder?.phone ?? '') && /^\d{8}$/.test(holder?.postalCode ?? '');
      if (!holder?.cpfCnpj || !holder.email || !remoteIp || !isReachable)
        return error(400, 'invalid_holderInfo', 'Titular inválido.');
      this.holderPhones.push(holder.phone);
      if (DECLINED.has(card.number))
        return error(400, 'invalid_creditCard', 'Transação não autorizada.');
    }
    const installment = installmentCount > 1 ? randomUUID() : undefined;
    const part = Math.floor(cents(total) / installmentCount);
    const made = Array.from({ length: installmentCount }, (_, index) => {
      const isLast = index === installmentCount - 1;
      const own = isLast ? cents(total) - part * (installmentCount - 1) : part;
      return this.#made(
        { customer, billingType, dueDate, externalReference, description, authorizeOnly },
        own / 100,
        installment,
        index + 1,
      );
    });
    this.payments.push(...made);
    for (const payment of made) this.#note('PAYMENT_CREATED', payment);
    const event = authorizeOnly ? 'PAYMENT_AUTHORIZED' : 'PAYMENT_CONFIRMED';
    if (billingType === 'CREDIT_CARD') for (const payment of made) this.#note(event, payment);
    setImmediate(() => void this.deliver());
    return { status: 200, body: made[0] };
  }

  #made(
    { authorizeOnly: isHeld, ...about }: Body,
    value: number,
    installment: string | undefined,
    installmentNumber: number,
  ): Payment {
    const id = `pay_${number()}`;
    const isCard = about.billingType === 'CREDIT_CARD';
    const today = inDays(0);
    return {
      object: 'payment',
      ...about,
      id,
      value,
      dateCreated: today,
      netValue: value,
      status: isHeld ? 'AUTHORIZED' : isCard ? 'CONFIRMED' : 'PENDING',
      ...(isCard && {
        confirmedDate: isHeld ? null : today,
        creditCard: {
          creditCardNumber: '1111',
          creditCardBrand: 'VISA',
          creditCardToken: randomUUID(),
        },
      }),
      paymentDate: null,
      clientPaymentDate: isCard && !isHeld ? today : null,
      installmentNumber: installment === undefined ? null : installmentNumber,
      ...(installment !== undefined && { installment }),
      invoiceUrl: `https://sandbox.asaas.com/i/${id}`,
      bankSlipUrl: about.billingType === 'BOLETO' ? `https://sandbox.asaas.com/b/pdf/${id}` : null,
      deleted: false,
      refunds: null,
    };
  }

  #list(query: URLSearchParams): Told {
    const [limit, offset] = [Number(query.get('limit') ?? 10), Number(query.get('offset') ?? 0)];
    const reference = query.get('externalReference');
    const [from, to] = [query.get('dateCreated[ge]'), query.get('dateCreated[le]')];
    const found = this.payments
      .filter(
        ({ deleted, externalReference, dateCreated }) =>
          !deleted &&
          (reference === null || externalReference === reference) &&
          (from === null || String(dateCreated) >= from) &&
          (to === null || String(dateCreated) <= to),
      )
      .reverse();
    const data = found.slice(offset, offset + limit);
    return {
      status: 200,
      body: {
        object: 'list',
        hasMore: offset + data.length < found.length,
        totalCount: found.length,
        limit,
        offset,
        data,
      },
    };
  }

  #capture(payment: Payment): Told {
    if (payment.status !== 'AUTHORIZED' || this.#settings.captures === 'refused')
      return error(400, 'invalid_action', 'Não foi possível capturar a cobrança.');
    const today = inDays(0);
    Object.assign(payment, { status: 'CONFIRMED', confirmedDate: today, clientPaymentDate: today });
    this.#note('PAYMENT_CONFIRMED', payment);
    setImmediate(() => void this.deliver());
    return { status: 200, body: payment };
  }

  /** The card is released; the bank does so by itself after three days. */
  release(payment: Payment): Told {
    payment.status = 'REFUNDED';
    this.#note('PAYMENT_REFUNDED', payment);
    setImmediate(() => void this.deliver());
    return { status: 200, body: payment };
  }

  #remove(payment: Payment): Told {
    if (payment.status !== 'PENDING')
      return error(400, 'invalid_action', 'Só é possível remover cobranças pendentes ou vencidas.');
    payment.deleted = true;
    this.#note('PAYMENT_DELETED', payment);
    setImmediate(() => void this.deliver());
    return { status: 200, body: { deleted: true, id: payment.id } };
  }

  #refund(payments: readonly Payment[], body: Body): Told {
    const [held] = payments;
    if (held?.status === 'AUTHORIZED') return this.release(held);
    if (this.#settings.refunds === 'refused')
      return error(400, 'invalid_action', 'Prazo de 90 dias para o estorno excedido.');
    const left = payments.map(
      (each) =>
        cents(each.value) -
        (each.refunds ?? [])
          .filter(({ status }) => status !== 'CANCELLED')
          .reduce((sum, { value }) => sum + cents(value), 0),
    );
    const all = left.reduce((sum, each) => sum + each, 0);
    let missing = body?.value === undefined ? all : cents(body.value);
    if (
      missing <= 0 ||
      missing > all ||
      payments.some(({ status }) => !/^(RECEIVED|CONFIRMED|REFUNDED)$/.test(status))
    )
      return error(400, 'invalid_object', 'O valor do estorno é inválido.');
    for (const [index, payment] of payments.entries()) {
      const own = Math.min(missing, left[index] ?? 0);
      if (own === 0) continue;
      missing -= own;
      const isDone = this.#settings.refunds !== 'pending';
      const status = isDone ? 'DONE' : 'PENDING';
      payment.refunds = [...(payment.refunds ?? []), { status, value: own / 100 }];
      const isWhole = own === left[index];
      if (isWhole) payment.status = isDone ? 'REFUNDED' : 'REFUND_IN_PROGRESS';
      if (isDone) this.#note(isWhole ? 'PAYMENT_REFUNDED' : 'PAYMENT_PARTIALLY_REFUNDED', payment);
      else this.#note('PAYMENT_REFUND_IN_PROGRESS', payment);
    }
    setImmediate(() => void this.deliver());
    return { status: 200, body: payments[0] };
  }

  /** The whole alone. The payer names an account on a page; until then nothing is listed. */
  #refundBoleto(payment: Payment): Told {
    if (payment.status !== 'RECEIVED')
      return error(400, 'invalid_action', 'A cobrança não pode ser estornada.');
    payment.status = 'REFUND_REQUESTED';
    this.#note('PAYMENT_REFUND_REQUESTED', payment);
    setImmediate(() => void this.deliver());
    return { status: 200, body: { requestUrl: `https://sandbox.asaas.com/refund/${payment.id}` } };
  }

  /** The bank takes a refund back that was done: the payment is received again. */
  undoRefund(id: string): void {
    for (const payment of this.payments.filter((each) => each.id === id)) {
      payment.refunds = (payment.refunds ?? []).map((each) => ({ ...each, status: 'CANCELLED' }));
      payment.status = 'RECEIVED';
      this.#note('PAYMENT_REFUND_DENIED', payment);
    }
  }

  /** The bank has carried out, or has cancelled, what was on its way. */
  finishRefunds(as: 'DONE' | 'CANCELLED'): void {
    for (const payment of this.payments.filter(({ status }) => /^REFUND_/.test(status))) {
      payment.refunds = (payment.refunds ?? [{ status: as, value: payment.value }]).map((each) =>
        each.status === 'PENDING' ? { ...each, status: as } : each,
      );
      payment.status = as === 'DONE' ? 'REFUNDED' : 'RECEIVED';
      this.#note(as === 'DONE' ? 'PAYMENT_REFUNDED' : 'PAYMENT_REFUND_DENIED', payment);
    }
  }
}

if (import.meta.main) await serveAlone(new AsaasDouble());
