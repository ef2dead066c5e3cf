import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  isPlainText,
  type NoticeReader,
  type NoticeReading,
} from '../../../application/payments/notices.ts';

type Headers = Parameters<NoticeReader['read']>[0];

/**
 * Reads the notices of Mercado Pago. A notice names a payment and nothing else: its state and its
 * reference are asked for. A repeated notice has another id and signature, and is processed again.
 */
export class MercadoPagoNotices implements NoticeReader {
  readonly gateway = 'mercadopago';
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  isOfInterest(event: string): boolean {
    return event.startsWith('payment.');
  }

  read(headers: Headers, body: string): NoticeReading {
    const notice = parse(body);
    const { id: chargeId } = (notice?.data ?? {}) as { id?: unknown };
    const requestId = headers['x-request-id'];
    // What the signature is made of is in the body: without it, nothing can be verified.
    if (!isPlainText(String(chargeId ?? '')) || !this.#isSigned(headers, String(chargeId)))
      return 'forged';
    const { action, type } = notice ?? {};
    if (!isPlainText(action) || !isPlainText(type)) return 'unreadable';
    const id = isPlainText(requestId) ? requestId : (headers['x-signature'] as string);
    const isPayment = type === 'payment';
    return {
      id,
      event: isPayment ? action : `${type} ${action}`,
      ...(isPayment && { chargeId: String(chargeId) }),
    };
  }

  /** HMAC-SHA256 over what is there of the id, the request's id and the time ("Webhooks", developers). */
  #isSigned(headers: Headers, dataId: string): boolean {
    const signature = headers['x-signature'];
    if (typeof signature !== 'string') return false;
    const parts = new Map(
      signature.split(',').map((part) => part.trim().split('=', 2) as [string, string]),
    );
    const [ts, told] = [parts.get('ts'), parts.get('v1')];
    const requestId = headers['x-request-id'];
    if (ts === undefined || told === undefined) return false;
    const manifest = [
      `id:${dataId};`,
      ...(typeof requestId === 'string' ? [`request-id:${requestId};`] : []),
      `ts:${ts};`,
    ].join('');
    const expected = createHmac('sha256', this.#secret).update(manifest).digest();
    const given = Buffer.from(told, 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

interface Body {
  readonly action?: unknown;
  readonly type?: unknown;
  readonly data?: unknown;
}

const parse = (body: string): Body | undefined => {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
};
