import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from '../pipeline/context.ts';
import { PAGE_POLICY } from './frame.ts';

/**
 * The path of the public URL, without a slash at its end: empty for most services. A proxy may
 * serve the service below a path; links must carry it.
 */
export const publicPath = (publicUrl: string): string =>
  new URL(publicUrl).pathname.replace(/\/+$/, '');

/** Bytes as they are sent, plain and compressed. */
export interface Sent {
  readonly type: string;
  readonly plain: Uint8Array;
  readonly gzipped: Uint8Array;
  /** The first digits of the content's SHA-256. */
  readonly hash: string;
}

const HASH_LENGTH = 12;

const compress = promisify(gzip);

/** Compresses bytes, outside the thread that answers requests, and names their content. */
export const prepareSent = async (type: string, plain: Uint8Array): Promise<Sent> => ({
  type,
  plain,
  gzipped: await compress(plain),
  hash: createHash('sha256').update(plain).digest('hex').slice(0, HASH_LENGTH),
});

const PAGE_HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  // Other sites never see the URL. With `no-referrer`, as answers to programs have it, browsers send
  // `Origin: null` with a form of the page.
  'Referrer-Policy': 'same-origin',
  // Search engines list no page.
  'X-Robots-Tag': 'noindex',
};

/** Answers with a page. */
export const sendPage = (ctx: Context, status: number, page: string | Buffer): void => {
  ctx.status = status;
  ctx.set(PAGE_HEADERS);
  ctx.type = 'html';
  ctx.body = page;
};

/** Programs that accept anything, such as curl, get JSON. */
export const prefersHtml = (ctx: Context): boolean => ctx.accepts('json', 'html') === 'html';

/** Answers 200, or 304 to a caller that has the content. */
export const sendKept = (ctx: Context, sent: Sent, cacheControl: string): void => {
  ctx.status = 200;
  // Weak, because it names both encodings.
  ctx.set({ 'Cache-Control': cacheControl, ETag: `W/"${sent.hash}"` });
  setPageHeaders(ctx, sent);
  if (ctx.fresh) {
    ctx.vary('Accept-Encoding');
    ctx.status = 304;
  } else writeBody(ctx, sent);
};

/** Answers with a page that no browser keeps. */
export const sendOnce = (ctx: Context, status: number, sent: Sent): void => {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  setPageHeaders(ctx, sent);
  writeBody(ctx, sent);
};

const setPageHeaders = (ctx: Context, { type }: Sent): void => {
  if (type.startsWith('text/html')) ctx.set(PAGE_HEADERS);
};

const writeBody = (ctx: Context, { type, plain, gzipped }: Sent): void => {
  ctx.vary('Accept-Encoding');
  ctx.set('Content-Type', type);
  const isGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isGzip) ctx.set('Content-Encoding', 'gzip');
  const { buffer, byteOffset, byteLength } = isGzip ? gzipped : plain;
  ctx.body = Buffer.from(buffer, byteOffset, byteLength);
};
