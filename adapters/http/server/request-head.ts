import type { IncomingMessage } from 'node:http';

/** Largest body, once it is decompressed, KiB. */
export const MAX_BODY_KIB = 256;

/**
 * These endpoints take bodies of any length: one keeps their start (`webhooks/notice-body.ts`), the
 * others read them line by line (`books/read-lines.ts`).
 */
const UNLIMITED_PATH =
  /^(?:\/api)?\/(webhooks\/payments\/[^/?]+|private\/integration\/(sales\/import|reconciliation))(?:\?|$)/;

/** The host of an absolute target takes the place of the header's (RFC 9112, section 3.2.2). */
export const withTarget = (request: IncomingMessage): IncomingMessage => {
  const { url = '', headers } = request;
  if (url.startsWith('/') || !/^https?:/i.test(url) || !URL.canParse(url)) return request;
  const { host, pathname, search } = new URL(url);
  headers.host = host;
  return Object.assign(request, { url: `${pathname}${search}` });
};

/** The status that refuses a request by its head alone, or undefined if the head is acceptable. */
export const findHeadRefusal = (request: IncomingMessage): 400 | 413 | 501 | undefined => {
  const hostHeaders = countHostHeaders(request);
  if (hostHeaders > 1 || (hostHeaders === 0 && request.httpVersion !== '1.0')) return 400;

  const { 'transfer-encoding': transferEncoding, 'content-length': length } = request.headers;
  // Node would hand over a body in another coding undecoded (RFC 9112, section 6.1).
  if (transferEncoding !== undefined && !/^chunked$/i.test(transferEncoding)) return 501;
  const isTooLarge = Number(length ?? 0) > MAX_BODY_KIB * 1024;
  const isUnlimited = request.method === 'POST' && UNLIMITED_PATH.test(request.url ?? '');
  return isTooLarge && !isUnlimited ? 413 : undefined;
};

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host';

/** Several `Host` headers are an error: a proxy may read another one than we (RFC 9112, 3.2). */
const countHostHeaders = ({ rawHeaders }: IncomingMessage): number => {
  let count = 0;
  // Names at even positions, values at odd ones.
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (isHost(rawHeaders[index] as string)) count += 1;
  return count;
};
