import type { Container } from 'inversify';
import { httpApp } from '../adapters/http/app.ts';
import { bind } from './token.ts';
import * as t from './tokens.ts';

/** The API over whatever use-cases the container holds. */
export const bindHttp = (container: Container): void => {
  const needs = {
    sales: t.SALES,
    clock: t.CLOCK,
    registerSale: t.REGISTER_SALE,
    examineSale: t.EXAMINE_SALE,
    authenticate: t.AUTHENTICATE,
    grantTokens: t.GRANT_TOKENS,
    createClient: t.CREATE_CLIENT,
    checkReady: t.CHECK_READY,
    log: t.LOG,
    rateLimit: t.RATE_LIMIT,
    publicUrl: t.PUBLIC_URL,
  };
  bind(container, t.HTTP_APP, needs, ({ publicUrl, ...parts }) => httpApp({ ...parts, baseUrl: `${publicUrl}/api` }));
};
