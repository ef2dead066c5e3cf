import { createHash, timingSafeEqual } from 'node:crypto';
import {
  isPlainText,
  type NoticeReader,
  type NoticeReading,
} from '../../../application/payments/notices.ts';

const HEADER = 'asaas-access-token';

/** Events that change a payment or its refund. */
const EVENTS_OF_INTEREST: readonly string[] = [
  'PAYMENT_AUTHORIZED',
  'PAYMENT_CONFIRMED',
  'PAYMENT_RECEIVED',
  'PAYMENT_OVERDUE',
  'PAYMENT_DELETED',
  'PAYMENT_RESTORED',
  'PAYMENT_REFUNDED',
  'PAYMENT_PARTIALLY_REFUNDED',
  'PAYMENT_REFUND_REQUESTED',
  'PAYMENT_REFUND_IN_PROGRESS',
  'PAYMENT_CREDIT_CARD_CAPTURE_REFUSED',
  'PAYMENT_APPROVED_BY_RISK_ANALYSIS',
  'PAYMENT_REPROVED_BY_RISK_ANALYSIS',
  'PAYMENT_RECEIVED_IN_CASH_UNDONE',
  'PAYMENT_CHARGEBACK_REQUESTED',
  'PAYMENT_CHARGEBACK_DISPUTE',
  'PAYMENT_AWAITING_CHARGEBACK_REVERSAL',
  'PAYMENT_REFUND_DENIED',
  // A chargeback may end under an unchanged status.
  'PAYMENT_UPDATED',
];

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Reads the notices of Asaas. They carry an agreed token, and no signature. */
export class AsaasNotices implements NoticeReader {
  readonly gateway = 'asaas';
  readonly #token: Buffer;

  constructor(token: string) {
    this.#token = digest(token);
  }

  isOfInterest(event: string): boolean {
    return EVENTS_OF_INTEREST.includes(event);
  }

  /** A Pix that its bank suspects of fraud (docs.asaas.com, "Eventos para bloqueio de saldo"). */
  isBlock(event: string): boolean {
    return event === 'BALANCE_VALUE_BLOCKED';
  }

  read(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: string,
  ): NoticeReading {
    const token = headers[HEADER];
    if (typeof token !== 'string' || !timingSafeEqual(digest(token), this.#token)) return 'forged';
    try {
      const { id, event, payment } = JSON.parse(body);
      if (!isPlainText(id) || !isPlainText(event)) return 'unreadable';
      const { externalReference: reference, id: chargeId } = payment ?? {};
      return {
        id,
        event,
        ...(isPlainText(reference) && { reference }),
        ...(isPlainText(chargeId) && { chargeId }),
      };
    } catch {
      return 'unreadable';
    }
  }
}
