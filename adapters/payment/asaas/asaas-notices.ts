import { createHash, timingSafeEqual } from 'node:crypto';
import type { NoticeReader, NoticeReading } from '../../../application/payments/notices.ts';

const HEADER = 'asaas-access-token';

/** Events after which the money, or what may become of it, is another. */
const OF_INTEREST = new RegExp(
  `^PAYMENT_(${[
    ...[
      'CONFIRMED',
      'RECEIVED',
      'OVERDUE',
      'DELETED',
      'RESTORED',
      'REFUNDED',
      'PARTIALLY_REFUNDED',
      'REFUND_IN_PROGRESS',
    ],
    ...[
      'CREDIT_CARD_CAPTURE_REFUSED',
      'APPROVED_BY_RISK_ANALYSIS',
      'REPROVED_BY_RISK_ANALYSIS',
      'RECEIVED_IN_CASH_UNDONE',
    ],
    ...[
      'CHARGEBACK_REQUESTED',
      'CHARGEBACK_DISPUTE',
      'AWAITING_CHARGEBACK_REVERSAL',
      'REFUND_DENIED',
    ],
  ].join('|')})$`,
);

const isPlain = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Reads Asaas' notices, which bear a token that was agreed with it, and no signature. */
export class AsaasNotices implements NoticeReader {
  readonly gateway = 'asaas';
  readonly #token: Buffer;

  constructor(token: string) {
    this.#token = digest(token);
  }

  isOfInterest(event: string): boolean {
    return OF_INTEREST.test(event);
  }

  read(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: string,
  ): NoticeReading {
    const token = headers[HEADER];
    if (typeof token !== 'string' || !timingSafeEqual(digest(token), this.#token)) return 'forged';
    try {
      const { id, event, payment } = JSON.parse(body);
      if (!isPlain(id) || !isPlain(event)) return 'unreadable';
      const { externalReference: reference, id: chargeId } = payment ?? {};
      return {
        id,
        event,
        ...(isPlain(reference) && { reference }),
        ...(isPlain(chargeId) && { chargeId }),
      };
    } catch {
      return 'unreadable';
    }
  }
}
