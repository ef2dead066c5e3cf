import { ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import { channelUseCasesModule } from './channel-use-cases.ts';
import { type Composed, compose, type Fakes } from './compose.ts';
import { mailModule, webhooksModule } from './delivery.ts';
import { metrics, tracing } from './infrastructure.ts';
import { issuanceModule } from './issuance.ts';
import { jobsModule } from './jobs.ts';
import { callObservers, observedModule } from './observed.ts';
import type { OpenGroups } from './open-groups.ts';
import { controlModule, groupModule } from './persistence.ts';
import { saleUseCasesModule } from './sale-use-cases.ts';
import { securityModule } from './security.ts';
import { sharedModule } from './shared.ts';
import { type ServiceConfig, systemModule } from './system.ts';
import { viewsModule } from './views.ts';

interface Composition {
  readonly config: ServiceConfig;
  readonly database: Database;
  readonly log: Logger;
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** The other groups of this process; none by default. */
  readonly groups?: OpenGroups;
  /** Modules that only a command has. */
  readonly more?: readonly ContainerModule[];
  /** What a test puts in the place of adapters, by the names of their ports. */
  readonly fakes?: Fakes;
}

/**
 * Composes the service that the settings describe, and loads the adapters of its role only. Its database
 * is the control database and that of group 0.
 */
export const composeService = async (given: Composition): Promise<Composed> =>
  compose(await modulesOf(given), given.fakes);

export const modulesOf = async (given: Composition): Promise<readonly ContainerModule[]> => {
  const { config, database, more = [] } = given;
  const shared = [controlModule(database, config), securityModule(config)];
  const sending = [mailModule(config), webhooksModule(config)];
  return [...shared, ...sending, ...(await ownModules(given, 0)), ...more];
};

interface CompositionOfGroup extends Composition {
  /** What `composeService` has composed. */
  readonly service: Composed;
  readonly group: number;
}

/** Composes the service of another group of channels, on its own database. */
export const composeGroup = async (given: CompositionOfGroup): Promise<Composed> =>
  compose(await modulesOfGroup(given), given.fakes);

export const modulesOfGroup = async (
  given: CompositionOfGroup,
): Promise<readonly ContainerModule[]> => [
  sharedModule(given.service),
  ...(await ownModules(given, given.group)),
  ...(given.more ?? []),
];

/** What is built for each group: its stores, jobs, notes and use-cases, and the API over them. */
const ownModules = async (given: Composition, group: number): Promise<ContainerModule[]> => {
  const { config, database, log } = given;
  return [
    ...[systemModule(config, log, group), observedModule, channelUseCasesModule],
    ...[saleUseCasesModule, groupModule(database), jobsModule, issuanceModule(config, group)],
    viewsModule(group, group === 0 ? given.groups : undefined),
    ...(await chosenModules(given)),
  ];
};

/** The modules that not every process has. The others do not even load their files. */
const chosenModules = async ({
  config,
  tracing: traces,
  service,
}: Composition & Partial<CompositionOfGroup>): Promise<ContainerModule[]> => {
  const { gateways, hasMetrics, metricsPort, servesHttp, doesJobs } = config;
  const chosen: ContainerModule[] = [];
  const { asaas, mercadoPago, hasSandbox } = gateways;
  if (asaas !== undefined) chosen.push((await import('./asaas.ts')).asaasModule(asaas));
  if (mercadoPago !== undefined)
    chosen.push((await import('./mercado-pago.ts')).mercadoPagoModule(mercadoPago));
  if (hasSandbox) chosen.push((await import('./sandbox.ts')).sandboxModule);
  if (servesHttp) {
    const { groupApiModule, httpModule, linkPagesModule, requestsModule } = await import(
      './http.ts'
    );
    chosen.push(linkPagesModule, (await import('./routes.ts')).routesModule);
    if (service === undefined) chosen.push(httpModule, requestsModule);
    else chosen.push(groupApiModule);
    if (hasSandbox) chosen.push((await import('./sandbox-pages.ts')).sandboxPagesModule);
  }
  if (doesJobs) chosen.push((await import('./workers.ts')).workersModule);
  if (hasMetrics) {
    const { measuringModule, readingModule } = await import('./metrics.ts');
    chosen.push(measuringModule(service?.get(metrics)), readingModule(metricsPort));
  }
  if (traces) chosen.push(tracesModule(traces));
  return chosen;
};

const tracesModule = (traces: Tracing): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(tracing).toConstantValue(traces);
    bind(callObservers).toConstantValue(traces.observeCall);
  });
