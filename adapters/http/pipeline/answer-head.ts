import type { ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Context, State } from './context.ts';

/** Names and values of headers, by their names in small letters. */
type Head = Map<string, readonly [name: string, value: string | readonly string[]]>;

interface Collecting {
  readonly res: ServerResponse;
  readonly headerSent: boolean;
  head?: Head;
  /** Whether Koa's own writer has the headers: further ones go to Node. */
  isHandedOver?: true;
}

const headOf = (response: Collecting): Head => {
  response.head ??= new Map();
  return response.head;
};

/**
 * Koa without a listener on each answer: only what Koa itself writes, such as files, can fail later.
 */
export class KoaApp extends Koa<State> {
  handleRequest(ctx: Context, run: (ctx: Context) => Promise<void>): Promise<void> {
    ctx.res.statusCode = 404;
    const { handleRequest } = Koa.prototype as unknown as Pick<KoaApp, 'handleRequest'>;
    return run(ctx).then(
      () => {
        if (ctx.respond === false) return undefined;
        const { statusCode } = ctx.res;
        return handleRequest.call(this, ctx, async () => {
          ctx.res.statusCode = statusCode;
        });
      },
      (error: Error) => ctx.onerror(error),
    );
  }
}

/**
 * Lets Koa collect the headers of an answer, in the place of handing each to Node: they are written
 * with one call. It took more time than router and parser together.
 */
export const collectHeaders = (app: Koa<State>): void => {
  Object.defineProperty(app.response, 'header', {
    get(this: Collecting) {
      const collected = [...(this.head ?? [])].map(([key, [, value]]) => [key, value]);
      return { ...this.res.getHeaders(), ...Object.fromEntries(collected) };
    },
  });
  Object.assign(app.response, {
    get(this: Collecting, name: string) {
      return this.head?.get(name.toLowerCase())?.[1] ?? this.res.getHeader(name);
    },
    has(this: Collecting, name: string) {
      return this.head?.has(name.toLowerCase()) === true || this.res.hasHeader(name);
    },
    set(this: Collecting, given: string | object, value?: unknown) {
      if (this.headerSent) return;
      const entries: [string, unknown][] =
        typeof given === 'string' ? [[given, value]] : Object.entries(given);
      for (const [name, each] of entries) {
        const text = Array.isArray(each) ? each : String(each);
        if (this.isHandedOver) this.res.setHeader(name, text);
        else headOf(this).set(name.toLowerCase(), [name, text]);
      }
    },
    remove(this: Collecting, name: string) {
      if (this.headerSent) return;
      this.head?.delete(name.toLowerCase());
      this.res.removeHeader(name);
    },
  });
};

/** @param everywhere the headers that every answer has, unless a route sets another value */
export const makeWriteAnswer = (everywhere: ReadonlyMap<string, string>) => {
  const common = [...everywhere].map(([name, value]) => [name.toLowerCase(), name, value] as const);

  /** Writes an answer of JSON at once; hands the headers of any other over to Koa's own writer. */
  return function writeAnswer(ctx: Context): void {
    const { res, body } = ctx;
    const response = ctx.response as unknown as Collecting;
    const head = headOf(response);
    for (const [key, name, value] of common) if (!head.has(key)) head.set(key, [name, value]);
    if (!isJson(ctx, body)) {
      for (const [name, value] of head.values()) res.setHeader(name, value);
      response.isHandedOver = true;
      return;
    }

    const text = JSON.stringify(body);
    const length = Buffer.byteLength(text);
    head.set('content-length', ['Content-Length', String(length)]);
    const list: (string | readonly string[])[] = [];
    for (const [name, value] of head.values()) list.push(name, value);
    res.writeHead(ctx.status, list as string[]);
    // A text of one byte per character goes into the same write as the head.
    res.end(text, length === text.length ? 'latin1' : 'utf8');
    ctx.respond = false;
  };
};

const isJson = ({ method, res }: Context, body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Buffer.isBuffer(body) &&
  !('pipe' in body) &&
  !(body instanceof Blob) &&
  !(body instanceof ReadableStream) &&
  !(body instanceof Response) &&
  method !== 'HEAD' &&
  !res.headersSent;
