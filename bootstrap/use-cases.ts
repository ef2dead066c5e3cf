import type { Container } from 'inversify';
import { authenticate } from '../application/identity/authenticate.ts';
import { createClient } from '../application/identity/create-client.ts';
import { grantTokens } from '../application/identity/grant-tokens.ts';
import { examineSale } from '../application/sales/examine-sale.ts';
import { registerSale } from '../application/sales/register-sale.ts';
import { bind } from './token.ts';
import * as t from './tokens.ts';

/** The use-cases, over whatever adapters the container holds. */
export const bindUseCases = (container: Container): void => {
  bind(container, t.EXAMINE_SALE, { catalogue: t.CATALOGUE, clock: t.CLOCK }, examineSale);
  const toRegister = { sales: t.SALES, examineSale: t.EXAMINE_SALE, clock: t.CLOCK, identifiers: t.IDENTIFIERS };
  bind(container, t.REGISTER_SALE, toRegister, registerSale);

  const toCreate = { clients: t.CLIENTS, secrets: t.SECRETS, identifiers: t.IDENTIFIERS, clock: t.CLOCK };
  bind(container, t.CREATE_CLIENT, toCreate, createClient);
  bind(container, t.GRANT_TOKENS, { ...toCreate, accessTokens: t.ACCESS_TOKENS, refreshTokens: t.REFRESH_TOKENS }, grantTokens);
  bind(container, t.AUTHENTICATE, { accessTokens: t.ACCESS_TOKENS, clients: t.CLIENTS }, authenticate);
};
