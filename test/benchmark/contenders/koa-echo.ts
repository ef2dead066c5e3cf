import type { Server } from 'node:http';
import { Ajv } from 'ajv';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { quoteBody } from '../../../adapters/http/generic/quote-route.ts';
import { FORMATS } from '../../../adapters/kit/contract/formats.ts';
import { announce } from './common.ts';

/** Bare Koa: reads a quote's body, validates it, and sends it back. No token, no log, no price. */
const ajv = new Ajv({ keywords: ['x-personal'] });
// A stand-in for each of the project's formats.
for (const name of Object.keys(FORMATS)) ajv.addFormat(name, true);
const isValid = ajv.compile(quoteBody);

const app = new Koa();
app.use(bodyParser());
app.use((ctx) => {
  const { body } = ctx.request;
  ctx.status = isValid(body) ? 200 : 422;
  ctx.body = body;
});

const server: Server = app.listen(0, '127.0.0.1', () => announce(server));
