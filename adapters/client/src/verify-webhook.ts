import type { PartnerEvent } from './lists.ts';

/** How far the time of a webhook may be from the clock, in seconds. */
const TOLERANCE_SECONDS = 300;

/** Why a webhook is refused: answer it with 401, or 400 if its body is no event. */
export type WebhookFault =
  | 'missing_header'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'invalid_body';

export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** The headers of a request: of `fetch`, or of Node.js. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** `CryptoKey`, which not every platform declares as a global type. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const textEncoder = new TextEncoder();

const headerIn = (headers: WebhookHeaders, name: string): string => {
  // Not `instanceof`: libraries have a `Headers` of their own.
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? '';
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.join(' ') ?? '');
};

/** The signatures of a header. Repeated headers are joined with commas, which signatures have, too. */
const signaturesIn = (header: string): readonly string[] =>
  header.trim().split(/[ ,]+(?=v\d+[a-z]*,)/);

/** @throws TypeError if the body is not as it came */
const bytesOfBody = (body: string | Uint8Array | ArrayBuffer): Uint8Array => {
  if (typeof body === 'string') return textEncoder.encode(body);
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body);
  throw new TypeError('rawBody must be the text or the bytes of the body as it came, not parsed');
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** @throws TypeError if the secret is not one of the service */
const importSecret = (secret: string): Promise<HmacKey> => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError('A webhook secret is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
};

const requireRecent = (timestamp: string, nowMs: number): void => {
  const ageSeconds = nowMs / 1_000 - Number(timestamp);
  if (ageSeconds > TOLERANCE_SECONDS) throw new WebhookError('too_old', 'The webhook is too old');
  if (ageSeconds < -TOLERANCE_SECONDS)
    throw new WebhookError('too_new', 'The webhook is of a time to come: check the clocks');
};

const joinBytes = (head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(head.length + body.length);
  joined.set(head);
  joined.set(body, head.length);
  return joined;
};

/** Whether one of the signatures is made with one of the secrets. Compares in constant time. */
const isSigned = async (
  secrets: readonly string[],
  signatures: readonly string[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const keys = await Promise.all(secrets.map(importSecret));
  for (const signature of signatures) {
    const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : undefined;
    if (bytes === undefined) continue;
    for (const key of keys)
      if (await crypto.subtle.verify('HMAC', key, bytes, content)) return true;
  }
  return false;
};

const parseEvent = (body: Uint8Array): PartnerEvent => {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof event === 'object' && event !== null && 'type' in event && 'data' in event)
      return event as PartnerEvent;
  } catch {
    // Refused below.
  }
  throw new WebhookError('invalid_body', 'The body of the webhook is not an event');
};

/**
 * Checks that the service has sent a webhook (Standard Webhooks, `v1`), and reads its event.
 *
 * @param secrets the secret of the endpoint; while it is changed, the old and the new one
 * @param rawBody the body as it came: JSON that was parsed and written again differs
 * @param now ms since 1970
 * @throws WebhookError if the webhook must not be trusted
 * @throws TypeError if a secret cannot be read, or the body is neither text nor bytes
 */
export const verifyWebhook = async (
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  rawBody: string | Uint8Array | ArrayBuffer,
  now: number = Date.now(),
): Promise<PartnerEvent> => {
  const body = bytesOfBody(rawBody);
  const id = headerIn(headers, 'webhook-id');
  const timestamp = headerIn(headers, 'webhook-timestamp');
  const signatures = signaturesIn(headerIn(headers, 'webhook-signature'));
  if (id === '' || !/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('missing_header', 'webhook-id or webhook-timestamp is missing or wrong');
  requireRecent(timestamp, now);

  const content = joinBytes(textEncoder.encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned([secrets].flat(), signatures, content)))
    throw new WebhookError('wrong_signature', 'No signature of the webhook is right');
  return parseEvent(body);
};
