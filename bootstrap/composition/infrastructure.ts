import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { Cents } from '#domain';
import type { OpenIdSettings } from '../../adapters/console/openid.ts';
import type { GroupApi } from '../../adapters/http/groups/group-apis.ts';
import type { HttpApp } from '../../adapters/http/http-app.ts';
import type { AddOpenRoutes, AddPages } from '../../adapters/http/open-routes.ts';
import type { Route } from '../../adapters/http/routes/route.ts';
import type { Fingerprint } from '../../adapters/http/sales/idempotency.ts';
import type { JobContext } from '../../adapters/jobs/job-context.ts';
import type { JobQueue } from '../../adapters/jobs/queue.ts';
import type { Delivery, JobOutcome, Workers } from '../../adapters/jobs/workers.ts';
import type { FinishParts, RunRequest } from '../../adapters/kit/web/pipeline/request-log.ts';
import type { TrustProxy } from '../../adapters/kit/web/pipeline/request-origin.ts';
import type { ServiceMetrics } from '../../adapters/metrics/service-metrics.ts';
import type { SandboxGateway } from '../../adapters/payment/sandbox/sandbox-gateway.ts';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import type { DatabasePartnerEvents } from '../../adapters/persistence/events/partner-events.ts';
import type { TermsOf } from '../../adapters/persistence/search/search-index.ts';
import type { JwtAccessTokens } from '../../adapters/security/jwt-access-tokens.ts';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import type { Mailer, PlainMailer } from '../../application/mail/mailer.ts';
import type { OneTimeCodes, Passphrases } from '../../application/people/proofs.ts';
import type { QuoteSecrets } from '../../application/selling/quote-seal.ts';
import { part } from './part.ts';

// What adapters share with each other, and what the API and the processes need of them.

export const log = part<Logger>('log');
export const environment = part<'test' | 'production'>('environment');
export const securityContact = part<string | undefined>('securityContact');

export const database = part<Database>('database');
export const jobs = part<JobQueue>('jobs');
/** Gives events their places in the feed. */
export const eventPlaces = part<Pick<DatabasePartnerEvents, 'givePlaces'>>('eventPlaces');
export const jobContext = part<JobContext>('jobContext');
export const signingKey = part<KeyObject>('signingKey');
export const secretsKey = part<KeyObject>('secretsKey');
export const jwtTokens = part<JwtAccessTokens>('jwtTokens');
export const quoteSecrets = part<QuoteSecrets>('quoteSecrets');

/** Does the jobs of a process that listens at `address`, where the sandbox delivers its notices. */
export const workers = part<(address: string) => Workers>('workers');

/** Sends the mails to the insured, and those to operators. */
export const mailServer = part<Mailer & PlainMailer>('mailServer');

/** Bound where metrics are kept, or traces sent. */
export const metrics = part<ServiceMetrics>('metrics');
export const tracing = part<Tracing>('tracing');
/** Reads the metrics of all processes. */
export const readAllMetrics = part<() => Promise<string>>('readAllMetrics');

/** The sandbox gateway, and how its notices reach the service at an address. */
export const sandbox = part<SandboxGateway>('sandbox');
export const deliverNotice =
  part<(address: string) => (delivery: Delivery) => Promise<JobOutcome>>('deliverNotice');

/** The keyed hash under which a sale is found. */
export const searchTerms = part<TermsOf>('searchTerms');

/** Bound with the use-cases of people, which not every process loads. */
export const passphrases = part<Passphrases>('passphrases');
export const oneTimeCodes = part<OneTimeCodes>('oneTimeCodes');

/** The provider at which people sign in to the console; undefined: with a passphrase only. */
export const consoleOpenId = part<OpenIdSettings | undefined>('consoleOpenId');

/** What the console pays back above it needs a second person, in cents. */
export const fourEyesAbove = part<Cents>('fourEyesAbove');

export const httpApp = part<HttpApp>('httpApp');
export const routes = part<readonly Route[]>('routes');
export const openRoutes = part<AddOpenRoutes>('openRoutes');
/** Pages that links open: each group of channels has its own. */
export const linkPages = part<AddPages>('linkPages');
/** The API of a group beside group 0. */
export const groupApi = part<GroupApi>('groupApi');
export const runRequest = part<RunRequest>('runRequest');
export const trustProxy = part<TrustProxy>('trustProxy');
export const fingerprint = part<Fingerprint>('fingerprint');
/** Whether likely typos in bodies are refused: in the test environment. */
export const refusesUnknown = part<boolean>('refusesUnknown');
/** The public keys of access tokens and of evidence, as a JWK set. */
export const keySet = part<() => Promise<object>>('keySet');
/** @throws Error when the service cannot do its work. */
export const checkReady = part<() => Promise<void>>('checkReady');
export const observeRequest = part<NonNullable<FinishParts['observeRequest']>>('observeRequest');
/** Reads what `readAllMetrics` reads, where the API serves it. */
export const readMetrics = part<() => Promise<string>>('readMetrics');
