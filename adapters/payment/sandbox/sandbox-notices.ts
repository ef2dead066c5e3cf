import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../application/clock.ts';
import {
  isPlainText,
  type Notice,
  type NoticeReader,
  type NoticeReading,
} from '../../../application/payments/notices.ts';
import type { SandboxEvent } from './sandbox-gateway.ts';

/** Max age of a signature, and max time that it may lie in the future, in seconds. */
const TOLERANCE_SECONDS = 300;

const HEADER = 'sandbox-signature';

const EVENTS_OF_INTEREST =
  /^charge\.(paid|refused|closed|refunded|refund_requested|refund_undone|disputed)$/;

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

/** Builds the body of a notice and the header that signs it, with the time of the signature. */
export const signNotice = (
  id: string,
  { event, reference, chargeId }: SandboxEvent,
  secret: string,
  now: string,
) => {
  const body = JSON.stringify({ id, event, charge: { id: chargeId, reference } });
  const time = Math.floor(Date.parse(now) / 1_000);
  return { body, headers: { [HEADER]: `t=${time},v1=${hmac(secret, `${time}.${body}`)}` } };
};

/** Reads the notices of the sandbox. Rejects wrong and old signatures as forged. */
export class SandboxNotices implements NoticeReader {
  readonly gateway = 'sandbox';
  readonly #secret: string;
  readonly #clock: Clock;

  constructor(secret: string, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  isOfInterest(event: string): boolean {
    return EVENTS_OF_INTEREST.test(event);
  }

  read(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: string,
  ): NoticeReading {
    const [, time = '', signature = ''] =
      /^t=(\d{1,12}),v1=([\da-f]{64})$/.exec(String(headers[HEADER])) ?? [];
    const expected = hmac(this.#secret, `${time}.${body}`);
    const isOurs =
      signature.length === expected.length &&
      timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
    const ageSeconds = Date.parse(this.#clock.now()) / 1_000 - Number(time);
    const isFresh = Math.abs(ageSeconds) <= TOLERANCE_SECONDS;
    return isOurs && isFresh ? parseNotice(body) : 'forged';
  }
}

const parseNotice = (body: string): Notice | 'unreadable' => {
  try {
    const { id, event, charge } = JSON.parse(body);
    const fields = [id, event, charge.id, charge.reference];
    if (!fields.every(isPlainText)) return 'unreadable';
    return { id, event, reference: charge.reference, chargeId: charge.id };
  } catch {
    return 'unreadable';
  }
};
