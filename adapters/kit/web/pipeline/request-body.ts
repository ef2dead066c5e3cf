import bodyParser from 'koa-bodyparser';
import { LRUCache } from 'lru-cache';
import { type AnswerError, standardError } from '../../contract/answer-error.ts';
import { MAX_BODY_KIB } from '../server/request-limits.ts';
import type { Context } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import { Form } from './form.ts';
import { noteRoute } from './request-log.ts';

/** Largest form, and largest JSON body, of an endpoint without authentication, KiB. */
export const MAX_FORM_KIB = 16;
export const MAX_PUBLIC_BODY_KIB = 128;

/** The character that the decoder puts in place of bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = '\uFFFD';

const createJsonParser = (maxKib: number) =>
  bodyParser({
    enableTypes: ['json'],
    jsonLimit: `${maxKib}kb`,
    // `createBodyReader` refuses JSON values that are not objects, with its own message.
    strict: false,
    // `createBodyReader` has checked the media type.
    detectJSON: () => true,
    // `__proto__` is a field like any other: validation refuses or ignores it as unknown.
    onProtoPoisoning: 'ignore',
  } as bodyParser.Options);

const createFormParser = (maxKib: number) =>
  bodyParser({
    enableTypes: ['form'],
    formLimit: `${maxKib}kb`,
    // `readFormFields` and `Form` parse the text, so that its faults become answers.
    qs: { parse: (text: string) => text },
  } as bodyParser.Options);

const parseForm = createFormParser(MAX_FORM_KIB);

const MAX_FORM_FIELDS = 64;
/** The same of a page with a caller, which may list what a product has. */
const MAX_CALLERS_FORM_FIELDS = 2_000;

const invalidForm = (message: string): AnswerError =>
  standardError(400, 'invalid_request', message);

const requireFewFields = (form: string, most: number): void => {
  if (form.split('&', most + 1).length > most)
    throw invalidForm(`O formulário tem mais de ${most} campos.`);
};

const invalidEncoding = (status: 400 | 415, message: string): AnswerError =>
  standardError(status, 'invalid_encoding', message);

/**
 * The fields of a form, flat: brackets and dots in names do not nest. A field without a value
 * counts as absent, and a repeated one is refused (RFC 6749, section 3.2).
 */
const readFormFields = (form: string): Record<string, string> => {
  requireFewFields(form, MAX_FORM_FIELDS);
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(form)) {
    if (fields.has(name))
      throw invalidForm(`O campo ${name.slice(0, 100)} foi informado mais de uma vez.`);
    fields.set(name, value);
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''));
};

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPES = ['application/json', 'application/*+json'];

type ReadBody = (ctx: Context) => Promise<void>;

/** Stands in place of the `next` that the parser would call: `readBody` checks the body first. */
const doNothing = async (): Promise<void> => {};

/**
 * Creates the function that reads the body into `request.body`. It refuses other media types before
 * it reads. Without a body, `request.body` is an empty object.
 *
 * @param mediaTypes the accepted ones.
 * @param typeNames the same for the message to the caller.
 */
const createBodyReader = (
  mediaTypes: string[],
  typeNames: string,
  maxJsonKib: number,
): ReadBody => {
  const parseJson = createJsonParser(maxJsonKib);
  const readType = rememberTypes(mediaTypes);

  return async function readBody(ctx) {
    const { request } = ctx;
    const { type, charset } = readType(request);
    if (type === null) request.body = {};
    if (type === false)
      throw standardError(
        415,
        'unsupported_media_type',
        `O corpo da requisição deve ser ${typeNames}.`,
      );
    if (!/^(utf-?8)?$/i.test(charset))
      throw invalidEncoding(415, 'O corpo da requisição deve estar em UTF-8.');

    const isForm = type === FORM;
    if (type !== null) {
      try {
        await (isForm ? parseForm : parseJson)(ctx as never, doNothing);
      } catch (error) {
        throw unreadableBody(error, isForm ? MAX_FORM_KIB : maxJsonKib);
      }
    }

    noteRoute(ctx.state.route);
    checkBody(ctx, isForm);
  };
};

interface BodyType {
  /** Null if there is no body; false if it has another type than those accepted. */
  readonly type: string | false | null;
  readonly charset: string;
}

const MAX_REMEMBERED_TYPES = 100;

/** Reads the media type of a body, once for each text: most requests have the same. */
const rememberTypes = (mediaTypes: string[]): ((request: Context['request']) => BodyType) => {
  const known = new LRUCache<string, BodyType>({ max: MAX_REMEMBERED_TYPES });

  return function readType(request) {
    const { 'content-length': length, 'content-type': sent } = request.headers;
    if (length === undefined || length === '0')
      return {
        type: request.length === 0 ? null : request.is(mediaTypes),
        charset: request.charset,
      };
    const recalled = known.get(sent ?? '');
    if (recalled !== undefined) return recalled;
    const read = { type: request.is(mediaTypes), charset: request.charset };
    known.set(sent ?? '', read);
    return read;
  };
};

/** Leaves the body's fields in `request.body`, or refuses the body. */
const checkBody = ({ request }: Context, isForm: boolean): void => {
  const { rawBody } = request;
  if (rawBody === '') request.body = {};
  else if (isForm) request.body = readFormFields(rawBody as string);

  if (typeof rawBody === 'string') requireUtf8(rawBody);
  requireObject(request.body);
};

const requireUtf8 = (text: string): void => {
  if (text.includes(REPLACEMENT_CHARACTER))
    throw invalidEncoding(400, 'O corpo da requisição deve estar em UTF-8.');
};

const requireObject = (body: unknown): void => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw standardError(400, 'invalid_json', 'O corpo da requisição deve ser um objeto JSON.');
};

const invalidJson = (): AnswerError =>
  standardError(400, 'invalid_json', 'O corpo da requisição não é um JSON válido.');

/** The answer to an error of the parser. That error holds the body, so it must not reach a log. */
const unreadableBody = (error: unknown, maxKib: number): AnswerError => {
  const { status, code } = error as { status?: unknown; code?: unknown };
  if (status === 413)
    return standardError(
      413,
      'body_too_large',
      `O corpo da requisição excede ${maxKib} KiB.`,
      {},
      // The rest of the body stays unread, so no further request can be read from this connection.
      { Connection: 'close' },
    );
  if (status === 415) return invalidEncoding(415, 'A codificação do corpo não é suportada.');
  // Errors of zlib.
  if (typeof code === 'string' && code.startsWith('Z_'))
    return invalidEncoding(
      400,
      'O corpo da requisição não está na codificação que o cabeçalho Content-Encoding indica.',
    );
  return invalidJson();
};

export const readJsonBody: ReadBody = createBodyReader(
  JSON_TYPES,
  'application/json',
  MAX_BODY_KIB,
);

/** Refuses a compressed body before authentication: a small one can expand to a large one. */
export const refuseCompressedBody = (ctx: Context): void => {
  if (!/^(identity)?$/i.test(ctx.get('Content-Encoding')))
    throw invalidEncoding(
      415,
      'Este recurso não aceita Content-Encoding: envie o corpo sem compressão.',
    );
};

const readPublicJson = createBodyReader(JSON_TYPES, 'application/json', MAX_PUBLIC_BODY_KIB);

const readPublicJsonOrForm = createBodyReader(
  [...JSON_TYPES, FORM],
  'application/json ou application/x-www-form-urlencoded',
  MAX_PUBLIC_BODY_KIB,
);

/** Reads the form of a page into `request.body`: see `formOf`. */
const createPageFormReader = (maxKib: number, maxFields: number): ReadBody => {
  const parse = createFormParser(maxKib);

  return async function readPageForm(ctx) {
    const { request } = ctx;
    if (request.length !== 0 && request.is([FORM]) === false)
      throw standardError(
        415,
        'unsupported_media_type',
        'O corpo da requisição deve ser um formulário.',
      );
    try {
      await parse(ctx as never, doNothing);
    } catch (error) {
      throw unreadableBody(error, maxKib);
    }
    const text = String(request.rawBody ?? '');
    requireUtf8(text);
    requireFewFields(text, maxFields);
    request.body = new Form(text);
  };
};

/** Reads a form of a page without authentication. */
export const readFormBody = createPageFormReader(MAX_FORM_KIB, MAX_FORM_FIELDS);

/** Reads a form of a page with a caller, which may hold the texts of a product. */
export const readCallersForm = createPageFormReader(MAX_BODY_KIB, MAX_CALLERS_FORM_FIELDS);

/** Reads bodies of endpoints with a caller that also take a flat form. */
const readJsonOrForm = createBodyReader(
  [...JSON_TYPES, FORM],
  'application/json ou application/x-www-form-urlencoded',
  MAX_BODY_KIB,
);

/** How the body of an endpoint is read; undefined: not before its handler. */
export const bodyReaderOf = ({ body, reads, scope, form }: Endpoint): ReadBody | undefined => {
  if (reads === 'itself' || (body === undefined && reads === undefined)) return undefined;
  if (scope !== undefined) {
    if (reads === 'form') return readCallersForm;
    return form ? readJsonOrForm : readJsonBody;
  }
  const publicReader = form ? readPublicJsonOrForm : readPublicJson;
  const read = reads === 'form' ? readFormBody : publicReader;
  return function readPublicBody(ctx) {
    refuseCompressedBody(ctx);
    return read(ctx);
  };
};
