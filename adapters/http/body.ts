import bodyParser from 'koa-bodyparser';
import { refused } from './answers.ts';
import type { Step } from './context.ts';

const LIMIT = '256kb';

/** What the decoder leaves where bytes are no UTF-8. */
const NOT_UTF8 = '\uFFFD';

const parseJson = bodyParser({
  enableTypes: ['json'],
  jsonLimit: LIMIT,
  // Other values of JSON are refused below, for what they are.
  strict: false,
  // Asked only where the media type has been found to be one of JSON.
  detectJSON: () => true,
  // `__proto__` is a key like any other: validation ignores or refuses it as an unknown field.
  onProtoPoisoning: 'ignore',
} as bodyParser.Options);

const parseForm = bodyParser({
  enableTypes: ['form'],
  formLimit: LIMIT,
  // Flat, as forms are: no nesting by brackets or dots. A field that comes twice is a list, which no schema allows, and an
  // empty one is none (RFC 6749, section 3.2).
  qs: {
    parse: (text: string) => {
      const fields = new Map<string, string | string[]>();
      for (const [name, value] of new URLSearchParams(text)) {
        const known = fields.get(name);
        if (value !== '') fields.set(name, known === undefined ? value : [known, value].flat());
      }
      return Object.fromEntries(fields);
    },
  },
} as bodyParser.Options);

const FORM = 'application/x-www-form-urlencoded';

/** Reads a body of one of the media types; anything else is refused before it is read. No body is an empty one. */
const bodyOf =
  (types: string[], named: string): Step =>
  async (ctx, next) => {
    const { request } = ctx;
    const type = request.length === 0 ? null : request.is(types);
    if (type === null) request.body = {};
    if (type === false) throw refused(415, `O corpo da requisição deve ser ${named}.`);
    if (!/^(utf-?8)?$/i.test(request.charset)) throw refused(415, 'O corpo da requisição deve estar em UTF-8.');
    const parse = type === FORM ? parseForm : parseJson;
    if (type !== null) await parse(ctx as never, async () => {}).catch(refuseUnreadable);
    if (request.rawBody === '') request.body = {};
    const { body, rawBody } = request;
    if (typeof rawBody === 'string' && rawBody.includes(NOT_UTF8))
      throw refused(400, 'O corpo da requisição deve estar em UTF-8.');
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw refused(400, 'O corpo da requisição deve ser um objeto JSON.');
    }
    await next();
  };

/** The parser's own error holds the body; it goes no further. */
const refuseUnreadable = (error: unknown): never => {
  const { status, code } = error as { status?: unknown; code?: unknown };
  if (status === 413) throw refused(413, 'O corpo da requisição excede 256 KiB.');
  if (status === 415) throw refused(415, 'A codificação do corpo não é suportada.');
  if (typeof code === 'string' && code.startsWith('Z_'))
    throw refused(400, 'O corpo da requisição não está na codificação que o cabeçalho Content-Encoding indica.');
  throw refused(400, 'O corpo da requisição não é um JSON válido.');
};

const JSON_TYPES = ['application/json', 'application/*+json'];

export const jsonBody: Step = bodyOf(JSON_TYPES, 'application/json');

export const jsonOrFormBody: Step = bodyOf([...JSON_TYPES, FORM], 'application/json ou application/x-www-form-urlencoded');
