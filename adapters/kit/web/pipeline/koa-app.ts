import type { ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Context, State } from './context.ts';

type Value = string | readonly string[];

/** Koa's response while it collects headers. */
interface Collecting {
  readonly res: ServerResponse;
  readonly headerSent: boolean;
  /** Headers by their names in small letters. */
  head?: Map<string, readonly [name: string, value: Value]>;
  /** Whether Koa's own writer has the headers: further ones go to Node. */
  isHandedOver?: true;
}

const setOne = (response: Collecting, name: string, given: unknown): void => {
  const value = Array.isArray(given) ? given : String(given);
  if (response.isHandedOver) response.res.setHeader(name, value);
  else {
    response.head ??= new Map();
    response.head.set(name.toLowerCase(), [name, value]);
  }
};

/**
 * Koa that listens to the end of an answer only where it writes the answer itself, such as a file:
 * what `writeAnswer` has written cannot fail later.
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
 * Lets Koa collect the headers of an answer, which are then written with one call. Handing them to
 * Node one by one takes more time than the router and the body parser together.
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
      if (typeof given === 'string') setOne(this, given, value);
      else for (const [name, each] of Object.entries(given)) setOne(this, name, each);
    },
    remove(this: Collecting, name: string) {
      if (this.headerSent) return;
      this.head?.delete(name.toLowerCase());
      if (this.res.hasHeader(name)) this.res.removeHeader(name);
    },
  });
};

/** @param everywhere the headers that every answer has, unless a route sets another value */
export const makeWriteAnswer = (everywhere: ReadonlyMap<string, string>) => {
  const common = [...everywhere].map(([name, value]) => [name.toLowerCase(), name, value] as const);
  const commonList = common.flatMap(([, name, value]) => [name, value]);

  /** Names and values of all headers, in turns. */
  const listOf = ({ head = new Map() }: Collecting): Value[] => {
    const isUsual = common.every(([key]) => !head.has(key));
    const list: Value[] = isUsual
      ? [...commonList]
      : common.flatMap(([key, name, value]) => (head.has(key) ? [] : [name, value]));
    for (const [name, value] of head.values()) list.push(name, value);
    return list;
  };

  /** Writes an answer of JSON at once; hands the headers of any other over to Koa's own writer. */
  return function writeAnswer(ctx: Context): void {
    const { res, body } = ctx;
    const response = ctx.response as unknown as Collecting;
    const list = listOf(response);
    if (!isJson(ctx, body)) {
      for (let index = 0; index < list.length; index += 2)
        res.setHeader(list[index] as string, list[index + 1] as Value);
      response.isHandedOver = true;
      return;
    }

    const text = JSON.stringify(body);
    const length = Buffer.byteLength(text);
    list.push('Content-Length', String(length));
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
