import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, type IContainer, Secret, Service } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import { type Config, readConfig } from '../../../bootstrap/settings/config.ts';
import { VARIABLES } from '../../../bootstrap/settings/variables.ts';
import { temporaryFolder } from '../../support/children.ts';
import { readDockerfile } from '../../support/dockerfile.ts';

const FOLDER = new URL('../../../.docker/', import.meta.url).pathname;
const MANIFEST = readFileSync(join(FOLDER, 'kubernetes.yaml'), 'utf8');

const MODELS = { ConfigMap, Deployment, NetworkPolicy, PodDisruptionBudget, Secret, Service };

/** Largest memory of one process after a rush, MB: see the operator's guide. */
const PROCESS_MB = 560;

/** Connections that commands may take, and that PostgreSQL keeps for its superuser. */
const [FOR_COMMANDS, FOR_SUPERUSER] = [4, 3];

/** A copy whose fields tell when they are read. @param unread gets the paths of all its fields */
const watch = (value: unknown, path: string, unread: Set<string>): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const [name, field] of Object.entries(value)) {
    const here = `${path}.${name}`;
    const watched = watch(field, here, unread);
    unread.add(here);
    const get = (): unknown => {
      unread.delete(here);
      return watched;
    };
    Object.defineProperty(copy, name, { enumerable: true, get });
  }
  return copy;
};

/**
 * Checks the types of the fields against the API of Kubernetes. The library ignores fields that the
 * API does not have, so those that its check never read are reported as well.
 */
const faultsOf = (content: { readonly kind: string }): readonly string[] => {
  const unread = new Set<string>();
  const Model = MODELS[content.kind as keyof typeof MODELS];
  const object = new Model(content as never);
  const watched = watch(content, content.kind, unread) as object;
  Object.defineProperties(object, Object.getOwnPropertyDescriptors(watched));
  try {
    object.validate();
  } catch (error) {
    return [(error as Error).message];
  }
  return [...unread].map((path) => `${path} is unknown`);
};

/** The contents of a file, in YAML 1.1 as kubectl reads it. */
const readContents = (text: string) =>
  parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJSON());

const readObjects = (text: string): readonly InstanceType<(typeof MODELS)[keyof typeof MODELS]>[] =>
  readContents(text).map((content) => new MODELS[content.kind as keyof typeof MODELS](content));

const objects = readObjects(MANIFEST);
const deployments = objects.filter((each) => each instanceof Deployment);
const [configMap] = objects.filter((each) => each instanceof ConfigMap);
const budgets = objects.filter((each) => each instanceof PodDisruptionBudget);
const SECRETS = readFileSync(join(FOLDER, 'kubernetes-secrets.example.yaml'), 'utf8');
const secrets = readObjects(SECRETS) as readonly Secret[];

const containerOf = ({ spec }: IDeployment): IContainer =>
  spec?.template.spec?.containers[0] as IContainer;

const nameOf = (object: { readonly metadata?: { readonly name?: string } }): string =>
  object.metadata?.name ?? '';

const secretNamed = (name: string): Readonly<Record<string, string>> =>
  secrets.find((each) => nameOf(each) === name)?.stringData ?? {};

/** The environment of a pod, with keys that exist here in the place of the mounted ones. */
const environmentOf = (deployment: Deployment): Record<string, string> => {
  const { env = [], envFrom = [] } = containerOf(deployment);
  const folder = temporaryFolder();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys: Readonly<Record<string, string>> = {
    'signing-key.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'secrets-key': randomBytes(32).toString('base64'),
  };
  for (const name of Object.keys(secretNamed('sales-keys')))
    writeFileSync(join(folder, name), keys[name] ?? '');
  const given = envFrom.map(({ configMapRef, secretRef }) =>
    configMapRef ? configMap?.data : secretNamed(secretRef?.name ?? ''),
  );
  const named = env.map(({ name, value = '' }) => [name, value]);
  const all: Record<string, string> = Object.assign({}, ...given, Object.fromEntries(named));
  const mounted = containerOf(deployment).volumeMounts?.[0]?.mountPath ?? '';
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, value.replace(mounted, folder)]),
  );
};

const configOf = (deployment: Deployment): Config => readConfig(environmentOf(deployment));

const poolOf = ({ database }: Config): number =>
  database.kind === 'postgres' ? database.pool : Number.NaN;

describe('kubernetes.yaml', () => {
  it('holds objects that the API of Kubernetes accepts', () => {
    for (const content of [...readContents(MANIFEST), ...readContents(SECRETS)])
      expect(faultsOf(content), content.kind).to.deep.equal([]);
    expect(objects.map(({ kind }) => kind)).to.have.members([
      'ConfigMap',
      ...['Deployment', 'Deployment', 'Service'],
      ...['PodDisruptionBudget', 'PodDisruptionBudget', 'NetworkPolicy'],
    ]);
  });

  for (const [field, wrong, fault] of [
    ['timeoutSeconds: 2', 'timeoutSecond: 2', /startupProbe\.timeoutSecond is unknown/],
    ['runAsNonRoot: true', 'runAsNonRoot: yes please', /runAsNonRoot/],
    ['replicas: 3', 'replicas: three', /replicas/],
  ] as const)
    it(`would not pass this test with ${wrong}`, () => {
      const faults = readContents(MANIFEST.replace(field, wrong)).flatMap(faultsOf);
      expect(faults.join()).to.match(fault);
    });

  it('holds no secret', () => {
    expect(MANIFEST).not.to.match(/kind: Secret/);
    for (const { stringData = {} } of secrets)
      for (const [name, value] of Object.entries(stringData))
        if (name !== 'BOOTSTRAP_ADMIN_CLIENT_ID') expect(value, name).to.include('replace-me');
  });

  for (const deployment of deployments) {
    const container = containerOf(deployment);
    const pod = deployment.spec?.template.spec;

    it(`gives ${nameOf(deployment)} settings of production that the service accepts, and no others`, () => {
      const environment = environmentOf(deployment);
      expect(Object.keys(environment).filter((each) => !(each in VARIABLES))).to.deep.equal([]);
      const config = configOf(deployment);
      expect(config.environment).to.equal('production');
      expect(config.signingKey && config.secretsKey).not.to.equal(undefined);
      const megabytes = Number(
        /^(\d+)Mi$/.exec(String(container.resources?.limits?.['memory']))?.[1],
      );
      expect(megabytes).to.be.above(config.processes * PROCESS_MB);
    });

    it(`stops ${nameOf(deployment)} with time to drain and to finish`, () => {
      const { drainMs } = configOf(deployment);
      expect(pod?.terminationGracePeriodSeconds).to.be.at.least(drainMs / 1_000 + 45);
    });

    it(`runs ${nameOf(deployment)} with few rights, as the user of the image`, () => {
      const stages = readDockerfile(readFileSync(join(FOLDER, 'Dockerfile'), 'utf8'));
      const user = stages.at(-1)?.instructions.find(({ keyword }) => keyword === 'USER')?.text;
      const { runAsUser, runAsGroup, runAsNonRoot, seccompProfile } = pod?.securityContext ?? {};
      expect(`${runAsUser}:${runAsGroup}`).to.equal(user);
      expect([runAsNonRoot, seccompProfile?.type]).to.deep.equal([true, 'RuntimeDefault']);
      expect(container.securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod?.automountServiceAccountToken).to.equal(false);
      expect(container.image).not.to.match(/:latest$|^[^:]+$/);
    });

    it(`finds the keys of ${nameOf(deployment)} where it mounts them`, () => {
      const [mount] = container.volumeMounts ?? [];
      const volume = pod?.volumes?.find(({ name }) => name === mount?.name);
      const files = Object.keys(secretNamed(volume?.secret?.secretName ?? ''));
      const { SIGNING_KEY, SECRETS_KEY } = configMap?.data ?? {};
      expect(files.map((file) => join(mount?.mountPath ?? '', file))).to.have.members([
        SIGNING_KEY,
        SECRETS_KEY,
      ]);
      // Owned by root; the user of the image reads it as a member of its group.
      expect(volume?.secret?.defaultMode).to.equal(0o440);
      expect(pod?.securityContext?.fsGroup).to.equal(pod?.securityContext?.runAsGroup);
    });

    it(`keeps one of ${nameOf(deployment)} running while nodes are emptied and versions change`, () => {
      const labels = deployment.spec?.template.metadata?.labels;
      expect(deployment.spec?.selector.matchLabels).to.deep.equal(labels);
      const budget = budgets.find(({ metadata }) => metadata?.name === nameOf(deployment));
      expect(budget?.spec?.selector?.matchLabels).to.deep.equal(labels);
      const replicas = deployment.spec?.replicas ?? 0;
      expect(budget?.spec?.minAvailable).to.be.within(1, replicas - 1);
      expect(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable).to.equal(0);
      for (const { labelSelector } of pod?.topologySpreadConstraints ?? [])
        expect(labelSelector?.matchLabels).to.deep.equal(labels);
    });
  }

  it('notices a stopping pod before it stops to serve', () => {
    const web = deployments.find((each) => nameOf(each) === 'sales-web') as Deployment;
    const { readinessProbe, livenessProbe, startupProbe } = containerOf(web);
    const { periodSeconds = 10, failureThreshold = 3 } = readinessProbe ?? {};
    expect(periodSeconds * failureThreshold * 1_000).to.be.below(configOf(web).drainMs);
    expect(readinessProbe?.httpGet?.path).to.equal('/health/ready');
    // A migration or a lost database must not have the pod killed.
    for (const probe of [livenessProbe, startupProbe])
      expect(probe?.httpGet?.path).to.equal('/health/live');
  });

  it('restarts a worker that hangs, which takes no port but that of its metrics', () => {
    const worker = deployments.find((each) => nameOf(each) === 'sales-worker') as Deployment;
    const { ports = [], livenessProbe, startupProbe } = containerOf(worker);
    for (const probe of [livenessProbe, startupProbe])
      expect(probe?.httpGet).to.include({ path: '/metrics', port: 'metrics' });
    for (const deployment of deployments) {
      const metrics = containerOf(deployment).ports?.find(({ name }) => name === 'metrics');
      expect(String(metrics?.containerPort)).to.equal(configMap?.data?.['METRICS_PORT']);
    }
    expect(ports).to.have.length(1);
  });

  it('needs no more connections than it says, also during a rolling update', () => {
    const pods = deployments.map((deployment) => {
      const { replicas = 1, strategy } = deployment.spec ?? {};
      const config = configOf(deployment);
      const count = replicas + Number(strategy?.rollingUpdate?.maxSurge);
      return count * config.processes * (poolOf(config) + 1);
    });
    const needed = pods.reduce((sum, each) => sum + each, FOR_COMMANDS);
    const [, said, most] = /= (\d+) of max_connections = (\d+)/.exec(MANIFEST) ?? [];
    expect(needed).to.equal(Number(said));
    expect(needed).to.be.at.most(Number(most) - FOR_SUPERUSER);
  });

  it('sends requests to the pods that serve HTTP', () => {
    const [service] = objects.filter((each) => each instanceof Service);
    const web = deployments.find((each) => nameOf(each) === 'sales-web') as Deployment;
    expect(service?.spec?.selector).to.deep.equal(web.spec?.template.metadata?.labels);
    const ports = containerOf(web).ports ?? [];
    expect(ports.find(({ name }) => name === service?.spec?.ports?.[0]?.targetPort)).to.include({
      containerPort: configOf(web).port,
    });
  });
});
