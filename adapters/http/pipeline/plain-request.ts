import type { IncomingMessage } from 'node:http';
import { MAX_BODY_KIB } from '../server/request-head.ts';
import {
  FORM,
  invalidJson,
  MAX_FORM_KIB,
  MAX_PUBLIC_BODY_KIB,
  readFormText,
  readJsonText,
} from './request-body.ts';
import type { Route } from './route.ts';

/** A route whose work is one handler. */
export type HandledRoute = Extract<Route, { readonly handle: unknown }>;

/** A plain request: its route, and the parameter at the end of its path. */
export interface Match {
  readonly route: HandledRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the function that finds the route of a plain request. */
export const compileMatcher = (routes: readonly Route[]) => {
  const byPath = new Map<string, Match>();
  const byPrefix = new Map<string, { readonly route: HandledRoute; readonly name: string }>();
  for (const route of routes) {
    if (!('handle' in route)) continue;
    for (const path of [`/api${route.path}`, ...(route.alsoAtRoot ? [route.path] : [])]) {
      const [, prefix, name] = /^(.*\/)\{(\w+)\}$/.exec(path) ?? [];
      if (prefix !== undefined && name !== undefined)
        byPrefix.set(`${route.method} ${prefix}`, { route, name });
      else if (!path.includes('{')) byPath.set(`${route.method} ${path}`, { route, params: {} });
    }
  }

  return function findRoute(request: IncomingMessage): Match | undefined {
    const { method, url = '' } = request;
    if (method === 'POST') {
      const match = byPath.get(`post ${url}`);
      return match !== undefined && hasPlainBody(request, match.route) ? match : undefined;
    }
    if (method !== 'GET' || hasBody(request)) return undefined;
    const end = url.lastIndexOf('/') + 1;
    const value = url.slice(end);
    const found = byPrefix.get(`get ${url.slice(0, end)}`);
    // Any other character may be an escape, or begin a query.
    if (found === undefined || !/^[\w-]+$/.test(value)) return undefined;
    return { route: found.route, params: { [found.name]: value } };
  };
};

const JSON_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
]);

const hasPlainBody = ({ headers }: IncomingMessage, { scope, form }: HandledRoute): boolean => {
  const { 'content-type': type, 'content-length': length } = headers;
  const isForm = form === true && type === FORM;
  const maxJsonKib = scope === undefined ? MAX_PUBLIC_BODY_KIB : MAX_BODY_KIB;
  return (
    (isForm || JSON_TYPES.has(type)) &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    Number(length) > 0 &&
    Number(length) <= 1024 * (isForm ? MAX_FORM_KIB : maxJsonKib)
  );
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Reads the body of a plain request into `read`. @throws AnswerError 400 */
export const readPlainBody = async (
  request: IncomingMessage,
  read: { body?: unknown; rawBody?: string },
): Promise<void> => {
  const text = await readText(request);
  read.rawBody = text;
  read.body = request.headers['content-type'] === FORM ? readFormText(text) : readJsonText(text);
};

/** The whole body, decoded. Rejects with a 400 if the connection ends before the body does. */
const readText = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let others: Buffer[] | undefined;
    request.on('data', (chunk: Buffer) => {
      if (first === undefined) first = chunk;
      else if (others === undefined) others = [first, chunk];
      else others.push(chunk);
    });
    request.on('end', () => {
      const bytes = others === undefined ? (first as Buffer) : Buffer.concat(others);
      const text = bytes.toString();
      resolve(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
    });
    request.on('error', () => reject(invalidJson()));
  });

const BYTE_ORDER_MARK = 0xfeff;
