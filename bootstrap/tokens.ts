import type Koa from 'koa';
import type { Logger } from 'pino';
import type { RateLimit } from '../adapters/http/access.ts';
import type { State } from '../adapters/http/context.ts';
import type { Database } from '../adapters/persistence/database.ts';
import type { Catalogue } from '../application/catalogue/catalogue.ts';
import type { Clock } from '../application/clock.ts';
import type { Identifiers } from '../application/identifiers.ts';
import type { AccessTokens } from '../application/identity/access-tokens.ts';
import type { Authenticate } from '../application/identity/authenticate.ts';
import type { Clients } from '../application/identity/clients.ts';
import type { CreateClient } from '../application/identity/create-client.ts';
import type { GrantTokens } from '../application/identity/grant-tokens.ts';
import type { RefreshTokens } from '../application/identity/refresh-tokens.ts';
import type { Secrets } from '../application/identity/secrets.ts';
import type { ExamineSale } from '../application/sales/examine-sale.ts';
import type { RegisterSale } from '../application/sales/register-sale.ts';
import type { Sales } from '../application/sales/sales.ts';
import { Token } from './token.ts';

/** The ports. */
export const CLOCK = new Token<Clock>('Clock');
export const IDENTIFIERS = new Token<Identifiers>('Identifiers');
export const SALES = new Token<Sales>('Sales');
export const CATALOGUE = new Token<Catalogue>('Catalogue');
export const CLIENTS = new Token<Clients>('Clients');
export const REFRESH_TOKENS = new Token<RefreshTokens>('RefreshTokens');
export const ACCESS_TOKENS = new Token<AccessTokens>('AccessTokens');
export const SECRETS = new Token<Secrets>('Secrets');

/** The use-cases. */
export const EXAMINE_SALE = new Token<ExamineSale>('ExamineSale');
export const REGISTER_SALE = new Token<RegisterSale>('RegisterSale');
export const GRANT_TOKENS = new Token<GrantTokens>('GrantTokens');
export const AUTHENTICATE = new Token<Authenticate>('Authenticate');
export const CREATE_CLIENT = new Token<CreateClient>('CreateClient');

/** What the outside brings. */
export const DATABASE = new Token<Database>('Database');
export const LOG = new Token<Logger>('Log');
export const RATE_LIMIT = new Token<RateLimit>('RateLimit');
/** The public address, without `/api`: what tokens name as their issuer. */
export const PUBLIC_URL = new Token<string>('PublicUrl');
export const CHECK_READY = new Token<() => Promise<void>>('CheckReady');
export const HTTP_APP = new Token<Koa<State>>('HttpApp');
