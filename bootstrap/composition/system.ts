import { ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import { AjvAttributeSchemas } from '../../adapters/json-schema/ajv-attribute-schemas.ts';
import {
  SystemClock,
  systemTimers,
  UlidIdentifiers,
} from '../../adapters/system/clock-and-identifiers.ts';
import { currentRequestId, LoggedAlerts } from '../../adapters/system/log.ts';
import type { Config } from '../settings/config.ts';
import * as own from './infrastructure.ts';
import { alertNotes } from './observed.ts';
import { builder, maybe } from './part.ts';
import * as ports from './ports.ts';

export type ServiceConfig = Config & { readonly publicUrl: string };

/** Settings, and what the machine gives: time, chance, the log. */
export const systemModule = (config: ServiceConfig, log: Logger, group: number): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const build = builder(bind);
    const isTest = config.environment === 'test';
    bind(own.log).toConstantValue(log);
    bind(own.environment).toConstantValue(config.environment);
    bind(own.consoleOpenId).toConstantValue(config.consoleOpenId);
    bind(own.fourEyesAbove).toConstantValue(config.fourEyesAbove);
    bind(own.securityContact).toConstantValue(config.securityContact);
    bind(own.trustProxy).toConstantValue(config.trustProxy);
    bind(own.refusesUnknown).toConstantValue(isTest);
    bind(ports.isTest).toConstantValue(isTest);
    bind(ports.publicUrl).toConstantValue(config.publicUrl);
    bind(ports.linkUrl).toConstantValue(config.publicUrl + (group === 0 ? '' : `/g${group}`));
    bind(ports.requestsPerMinute).toConstantValue(config.rateLimit);
    bind(ports.documentLinkSeconds).toConstantValue(config.documentLinkTtl);
    bind(ports.mailsPerMinute).toConstantValue(config.mailsPerMinute);
    bind(ports.clock).toConstantValue(new SystemClock());
    bind(ports.defaultGateway).toConstantValue(config.gateways.standard);
    bind(ports.timers).toConstantValue(systemTimers);
    bind(ports.chance).toConstantValue(Math.random);
    bind(ports.identifiers).toConstantValue(new UlidIdentifiers());
    bind(ports.currentRequestId).toConstantValue(currentRequestId);
    bind(ports.attributeSchemas).toConstantValue(new AjvAttributeSchemas());
    build(
      ports.alerts,
      { metrics: maybe(own.metrics), alertNotes },
      (given) => new LoggedAlerts(given.metrics?.countAlerts(log) ?? log, given.alertNotes),
    );
  });
