import bodyParser from 'koa-bodyparser';
import { refused } from '../contract/answer-error.ts';
import type { Step } from './context.ts';
import { noteRoute } from '../server/event-loop-watch.ts';

/** KiB of a body once it is decompressed, at most. */
export const LARGEST_BODY_KB = 256;

/** What the decoder leaves where bytes are no UTF-8. */
const NOT_UTF8 = '\uFFFD';

const jsonReader = (largestKb: number) =>
  bodyParser({
    enableTypes: ['json'],
    jsonLimit: `${largestKb}kb`,
    // Other values of JSON are refused below, for what they are.
    strict: false,
    // Asked only where the media type has been found to be one of JSON.
    detectJSON: () => true,
    // `__proto__` is a key like any other: validation ignores or refuses it as an unknown field.
    onProtoPoisoning: 'ignore',
  } as bodyParser.Options);

/** KiB of a form, and of a JSON body of an endpoint that anyone may call, at most. */
const LARGEST_FORM_KB = 16;
const LARGEST_OPEN_KB = 128;

/** KiB of a notice of a payment gateway, at most. */
const LARGEST_NOTICE_KB = 64;

const readForm = bodyParser({
  enableTypes: ['form'],
  formLimit: `${LARGEST_FORM_KB}kb`,
  // Taken apart below, where a fault becomes an answer.
  qs: { parse: (text: string) => text },
} as bodyParser.Options);

/** More fields than any form of this API has. */
const MOST_FIELDS = 64;

/**
 * The fields of a form, flat: no nesting by brackets or dots. A field without a value counts as absent, and a repeated one
 * is refused (RFC 6749, section 3.2).
 */
const fieldsOf = (form: string): Record<string, string> => {
  if (form.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    throw refused(400, `O formulário tem mais de ${MOST_FIELDS} campos.`);
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(form)) {
    if (fields.has(name))
      throw refused(400, `O campo ${name.slice(0, 100)} foi informado mais de uma vez.`);
    fields.set(name, value);
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''));
};

const FORM = 'application/x-www-form-urlencoded';

/** Reads a body of one of the media types; anything else is refused before it is read. No body is an empty one. */
const bodyOf = (types: string[], named: string, largestJsonKb: number): Step => {
  const readJson = jsonReader(largestJsonKb);
  return async (ctx, next) => {
    const { request } = ctx;
    const type = request.length === 0 ? null : request.is(types);
    if (type === null) request.body = {};
    if (type === false) throw refused(415, `O corpo da requisição deve ser ${named}.`);
    if (!/^(utf-?8)?$/i.test(request.charset))
      throw refused(415, 'O corpo da requisição deve estar em UTF-8.');
    const isForm = type === FORM;
    const [read, largest] = isForm ? [readForm, LARGEST_FORM_KB] : [readJson, largestJsonKb];
    if (type !== null)
      await read(ctx as never, async () => {}).catch((error: unknown) =>
        refuseUnreadable(error, largest),
      );
    noteRoute(ctx.state.route);
    const { rawBody } = request;
    if (rawBody === '') request.body = {};
    else if (isForm) request.body = fieldsOf(rawBody as string);
    if (typeof rawBody === 'string' && rawBody.includes(NOT_UTF8))
      throw refused(400, 'O corpo da requisição deve estar em UTF-8.');
    const { body } = request;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw refused(400, 'O corpo da requisição deve ser um objeto JSON.');
    }
    await next();
  };
};

/** The parser's own error holds the body; it goes no further. */
const refuseUnreadable = (error: unknown, largest: number): never => {
  const { status, code } = error as { status?: unknown; code?: unknown };
  // The rest of the body is not read: the connection ends with this answer.
  if (status === 413)
    throw refused(413, `O corpo da requisição excede ${largest} KiB.`, {}, { Connection: 'close' });
  if (status === 415) throw refused(415, 'A codificação do corpo não é suportada.');
  if (typeof code === 'string' && code.startsWith('Z_'))
    throw refused(
      400,
      'O corpo da requisição não está na codificação que o cabeçalho Content-Encoding indica.',
    );
  throw refused(400, 'O corpo da requisição não é um JSON válido.');
};

const JSON_TYPES = ['application/json', 'application/*+json'];

export const jsonBody: Step = bodyOf(JSON_TYPES, 'application/json', LARGEST_BODY_KB);

/** Refuses compressed bodies, for requests without credentials: a small one can become a large one. */
export const refuseEncodedBody: Step = (ctx, next) => {
  if (!/^(identity)?$/i.test(ctx.get('Content-Encoding')))
    throw refused(415, 'Este recurso não aceita Content-Encoding: envie o corpo sem compressão.');
  return next();
};

/** For endpoints that anyone may call. */
export const openJsonBody: readonly Step[] = [
  refuseEncodedBody,
  bodyOf(JSON_TYPES, 'application/json', LARGEST_OPEN_KB),
];

export const openJsonOrFormBody: readonly Step[] = [
  refuseEncodedBody,
  bodyOf(
    [...JSON_TYPES, FORM],
    'application/json ou application/x-www-form-urlencoded',
    LARGEST_OPEN_KB,
  ),
];

/** For what a payment gateway writes. */
export const noticeBody: readonly Step[] = [
  refuseEncodedBody,
  bodyOf(JSON_TYPES, 'application/json', LARGEST_NOTICE_KB),
];
