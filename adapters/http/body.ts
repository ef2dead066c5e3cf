import bodyParser from 'koa-bodyparser';
import { refused } from './answers.ts';
import type { Step } from './context.ts';

const LIMIT = '256kb';

const parse = bodyParser({
  enableTypes: ['json', 'form'],
  jsonLimit: LIMIT,
  formLimit: LIMIT,
  extendTypes: { json: ['application/*+json'] },
  // `__proto__` is a key like any other: validation ignores or refuses it as an unknown field.
  onProtoPoisoning: 'ignore',
} as bodyParser.Options);

/** Reads a body of one of the media types; anything else is refused before it is read. */
const bodyOf =
  (types: readonly string[], named: string): Step =>
  async (ctx, next) => {
    if (ctx.request.is([...types]) === false) throw refused(415, `O corpo da requisição deve ser ${named}.`);
    return parse(ctx as never, async () => {
      const { body } = ctx.request;
      if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        throw refused(400, 'O corpo da requisição deve ser um objeto JSON.');
      }
      return next();
    });
  };

const JSON_TYPES = ['application/json', 'application/*+json'];

export const jsonBody: Step = bodyOf(JSON_TYPES, 'application/json');

export const jsonOrFormBody: Step = bodyOf(
  [...JSON_TYPES, 'application/x-www-form-urlencoded'],
  'application/json ou application/x-www-form-urlencoded',
);
