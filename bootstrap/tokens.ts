import type Koa from 'koa';
import type { Logger } from 'pino';
import type { State } from '../adapters/http/context.ts';
import type { TrustProxy } from '../adapters/http/request.ts';
import type { Database } from '../adapters/persistence/database.ts';
import type { AuditLog } from '../application/audit/audit-log.ts';
import type { Catalogue } from '../application/catalogue/catalogue.ts';
import type { ManageCatalogue } from '../application/catalogue/manage-catalogue.ts';
import type { Clock } from '../application/clock.ts';
import type { Counters } from '../application/counters.ts';
import type { Identifiers } from '../application/identifiers.ts';
import type { AccessTokens } from '../application/identity/access-tokens.ts';
import type { Authenticate, FindLivingToken } from '../application/identity/authenticate.ts';
import type { CheckCredentials } from '../application/identity/check-credentials.ts';
import type { Clients } from '../application/identity/clients.ts';
import type { InspectTokens } from '../application/identity/inspect-tokens.ts';
import type { LogIn } from '../application/identity/log-in.ts';
import type { ManageClients } from '../application/identity/manage-clients.ts';
import type { RefreshLogin } from '../application/identity/refresh-login.ts';
import type { RefreshTokens } from '../application/identity/refresh-tokens.ts';
import type { Secrets } from '../application/identity/secrets.ts';
import type { TokenRefusals } from '../application/identity/token-refusals.ts';
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
export const AUDIT_LOG = new Token<AuditLog>('AuditLog');
export const COUNTERS = new Token<Counters>('Counters');

/** The use-cases. */
export const EXAMINE_SALE = new Token<ExamineSale>('ExamineSale');
export const REGISTER_SALE = new Token<RegisterSale>('RegisterSale');
export const LOG_IN = new Token<LogIn>('LogIn');
export const REFRESH_LOGIN = new Token<RefreshLogin>('RefreshLogin');
export const TOKEN_REFUSALS = new Token<TokenRefusals>('TokenRefusals');
export const CHECK_CREDENTIALS = new Token<CheckCredentials>('CheckCredentials');
export const INSPECT_TOKENS = new Token<InspectTokens>('InspectTokens');
export const FIND_LIVING_TOKEN = new Token<FindLivingToken>('FindLivingToken');
export const AUTHENTICATE = new Token<Authenticate>('Authenticate');
export const MANAGE_CLIENTS = new Token<ManageClients>('ManageClients');
export const MANAGE_CATALOGUE = new Token<ManageCatalogue>('ManageCatalogue');

/** What the outside brings. */
export const DATABASE = new Token<Database>('Database');
export const LOG = new Token<Logger>('Log');
/** Requests of one client. */
export const PER_MINUTE = new Token<number | 'off'>('PerMinute');
export const TRUST_PROXY = new Token<TrustProxy>('TrustProxy');
/** The public keys of the access tokens, as a JWK set. */
export const KEY_SET = new Token<() => object>('KeySet');
/** The public address, without `/api`: what tokens name as their issuer. */
export const PUBLIC_URL = new Token<string>('PublicUrl');
export const CHECK_READY = new Token<() => Promise<void>>('CheckReady');
export const HTTP_APP = new Token<Koa<State>>('HttpApp');
