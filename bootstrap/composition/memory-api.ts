import { ContainerModule } from 'inversify';
import { pino } from 'pino';
import { cents } from '#domain';
import type { HttpApp } from '../../adapters/http/http-app.ts';
import { NO_PROXY } from '../../adapters/kit/web/pipeline/request-origin.ts';
import type { MemoryMailer } from '../../adapters/memory/certificate-delivery.ts';
import { createKeyedHash } from '../../adapters/security/keyed-hash.ts';
import { withRequestId } from '../../adapters/system/log.ts';
import type { Fakes } from './compose.ts';
import { httpModule, linkPagesModule } from './http.ts';
import * as own from './infrastructure.ts';
import { composeMemory, type Replaced } from './memory.ts';
import { builder } from './part.ts';
import { mailer } from './ports.ts';
import { routesModule } from './routes.ts';
import { sandboxPagesModule } from './sandbox-pages.ts';

interface MemoryApi<Faked extends Fakes> {
  readonly memory: Replaced<Faked>;
  readonly app: HttpApp;
}

/** The whole API over in-memory adapters. It listens nowhere, and logs nothing. */
export const memoryApi = <Faked extends Fakes>(fakes: Faked): MemoryApi<Faked> => {
  const { service, get } = composeMemory(fakes, API_MODULES);
  return { memory: service, app: get(own.httpApp) };
};

const quietModule = new ContainerModule(({ bind }) => {
  bind(own.log).toConstantValue(pino({ level: 'silent' }));
  bind(own.runRequest).toConstantValue(withRequestId);
  bind(own.trustProxy).toConstantValue(NO_PROXY);
  bind(own.fingerprint).toConstantValue(createKeyedHash('of the memory'));
  bind(own.environment).toConstantValue('test');
  bind(own.consoleOpenId).toConstantValue(undefined);
  bind(own.fourEyesAbove).toConstantValue(cents(100_000));
  bind(own.securityContact).toConstantValue(undefined);
  bind(own.refusesUnknown).toConstantValue(true);
  bind(own.keySet).toConstantValue(async () => ({ keys: [] }));
  bind(own.checkReady).toConstantValue(async () => {});
  bind(own.readMetrics).toConstantValue(async () => '');
  builder(bind)(own.mailServer, { mailer }, (given) => given.mailer as MemoryMailer);
});

export const API_MODULES = [
  quietModule,
  routesModule,
  linkPagesModule,
  httpModule,
  sandboxPagesModule,
];
