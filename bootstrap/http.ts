import type { Logger } from 'pino';
import type { MetricsRouteParts } from '../adapters/http/admin/metrics-route.ts';
import { createHttpApp, type HttpApp } from '../adapters/http/http-app.ts';
import { readBearerToken } from '../adapters/http/pipeline/bearer-access.ts';
import type { Step } from '../adapters/http/pipeline/context.ts';
import type { FinishParts, RunRequest } from '../adapters/http/pipeline/finish-request.ts';
import type { TrustProxy } from '../adapters/http/pipeline/request-origin.ts';
import type { Fingerprint } from '../adapters/http/sales/idempotency.ts';
import type { SandboxGateway } from '../adapters/payment/sandbox/sandbox-gateway.ts';
import { createSandboxRoutes } from '../adapters/payment/sandbox/sandbox-routes.ts';
import { type Ports, pickPorts } from './ports.ts';
import type { UseCases } from './use-cases.ts';

/** What the API is built from. */
export interface HttpService extends Ports {
  readonly useCases: UseCases;
  readonly log: Logger;
  readonly runRequest: RunRequest;
  readonly trustProxy: TrustProxy;
  readonly fingerprint: Fingerprint;
  readonly environment: 'test' | 'production';
  /** Whether likely typos in bodies are refused: in the test environment. */
  readonly refusesUnknown: boolean;
  /** The public keys of access tokens and of evidence, as a JWK set. */
  readonly keySet: () => Promise<object>;
  /** @throws Error when the service cannot do its work. */
  readonly checkReady: () => Promise<void>;
  readonly observeRequest?: FinishParts['observeRequest'];
  readonly readMetrics?: MetricsRouteParts['readMetrics'];
  /** The sandbox payment gateway; undefined where a real one is configured. */
  readonly sandbox: SandboxGateway | undefined;
}

/** Builds the API from the use-cases; with the sandbox gateway, its payment pages as well. */
export const composeHttp = (service: HttpService): HttpApp => {
  const { useCases, log, runRequest, trustProxy, fingerprint, refusesUnknown } = service;
  const { keySet, checkReady, environment, noticeReader, payments, counters, requestsPerMinute } =
    service;
  const { observeRequest, readMetrics } = service;

  return createHttpApp({
    ...pickPorts(service),
    ...useCases,
    log,
    runRequest,
    trustProxy,
    fingerprint,
    environment,
    refusesUnknown,
    keySet,
    checkReady,
    observeRequest,
    readMetrics,
    gateway: noticeReader.gateway,
    cardNeedsAddress: payments.needsCardAddress ?? false,
    limits: { counters, perMinute: requestsPerMinute },
    pages: sandboxPages(service),
  });
};

const sandboxPages = ({ sandbox: gateway, clock, publicUrl, sales, useCases }: HttpService) => {
  if (gateway === undefined) return undefined;

  const mayRead = async (authorization: string, saleId: number): Promise<boolean | undefined> => {
    const caller = await useCases.authenticate(readBearerToken(authorization) ?? '');
    if (caller === undefined || caller.channelLink === null)
      return caller?.scopes.includes('admin');
    return saleId > 0 && (await sales.find(caller.channelLink, saleId)) !== undefined;
  };
  return createSandboxRoutes({ gateway, clock, publicUrl, mayRead }) as Step;
};
