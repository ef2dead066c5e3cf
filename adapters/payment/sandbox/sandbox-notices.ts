import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../application/clock.ts';
import type { Notice, NoticeReader, NoticeReading } from '../../../application/payments/notices.ts';
import type { SandboxEvent } from './sandbox-gateway.ts';

/** A signature is good for so many seconds before and after its time. */
const TOLERANCE = 300;

const HEADER = 'sandbox-signature';

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

/** A notice as it goes over the wire: its body, and a header that proves who wrote it, and when. */
export const signedNotice = (
  id: string,
  { event, reference, chargeId }: SandboxEvent,
  secret: string,
  now: string,
) => {
  const body = JSON.stringify({ id, event, charge: { id: chargeId, reference } });
  const time = Math.floor(Date.parse(now) / 1_000);
  return { body, headers: { [HEADER]: `t=${time},v1=${hmac(secret, `${time}.${body}`)}` } };
};

/** Reads the sandbox's notices; a signature by anybody else, or an old one, is a forgery. */
export class SandboxNotices implements NoticeReader {
  readonly gateway = 'sandbox';
  readonly #secret: string;
  readonly #clock: Clock;

  constructor(secret: string, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  isOfInterest(event: string): boolean {
    return /^charge\.(paid|refused|closed|refunded)$/.test(event);
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
    const isFresh = Math.abs(Date.parse(this.#clock.now()) / 1_000 - Number(time)) <= TOLERANCE;
    return isOurs && isFresh ? noticeIn(body) : 'forged';
  }
}

const noticeIn = (body: string): Notice | 'unreadable' => {
  try {
    const { id, event, charge } = JSON.parse(body);
    const named = [id, event, charge.id, charge.reference];
    if (named.some((each) => typeof each !== 'string')) return 'unreadable';
    return { id, event, reference: charge.reference, chargeId: charge.id };
  } catch {
    return 'unreadable';
  }
};
