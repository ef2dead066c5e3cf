import { expect } from 'chai';
import { ContainerModule } from 'inversify';
import { pino } from 'pino';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import * as channel from '../../bootstrap/composition/channel-use-cases.ts';
import { type Composed, compose } from '../../bootstrap/composition/compose.ts';
import { PEOPLE_NEEDS } from '../../bootstrap/composition/console-needs.ts';
import { operatorModules } from '../../bootstrap/composition/group-databases.ts';
import * as own from '../../bootstrap/composition/infrastructure.ts';
import { MEMORY_MODULES, memoryService } from '../../bootstrap/composition/memory.ts';
import { API_MODULES } from '../../bootstrap/composition/memory-api.ts';
import { alertNotes } from '../../bootstrap/composition/observed.ts';
import * as operator from '../../bootstrap/composition/operator-use-cases.ts';
import {
  all,
  builder,
  type Given,
  known,
  maybe,
  type Part,
  part,
} from '../../bootstrap/composition/part.ts';
import * as people from '../../bootstrap/composition/people.ts';
import * as ports from '../../bootstrap/composition/ports.ts';
import * as sale from '../../bootstrap/composition/sale-use-cases.ts';
import { modulesOf, modulesOfGroup } from '../../bootstrap/composition/service.ts';
import { GROUP_VIEW } from '../../bootstrap/composition/views.ts';
import { FIRST_RUN } from '../../bootstrap/processes/first-run.ts';
import { GROUP_HOUSEKEEPING, HOUSEKEEPING } from '../../bootstrap/processes/housekeeping.ts';
import { NOTES } from '../../bootstrap/processes/store-notes.ts';
import { type Config, readConfig } from '../../bootstrap/settings/config.ts';
import { asaasAt, combine, insurerAt, KEYS, smtpAt } from '../support/combinations.ts';
import { findUnfitParts } from '../support/unfit-parts.ts';

const port = part<number>('port');
const host = part<string>('host');
const address = part<string>('address');
const NEEDS = { host, port };

type Bind = ConstructorParameters<typeof ContainerModule>[0];

/** Modules that bind `address`, a host and a port. */
const modulesWith = (change: Bind = () => {}, omit?: Part<unknown>): ContainerModule[] => [
  new ContainerModule(({ bind }) => {
    if (omit !== port) bind(port).toConstantValue(80);
    bind(host).toConstantValue('localhost');
    builder(bind)(address, NEEDS, (given) => `${given.host}:${given.port.toFixed()}`);
  }),
  new ContainerModule(change),
];

const composed = (change?: Bind): Composed => compose(modulesWith(change));

interface Looking {
  readonly omit?: Part<unknown>;
  readonly roots?: readonly Part<unknown>[];
  readonly isWhole?: boolean;
}

const unfit = (change?: Bind, { omit, roots = [address], isWhole = true }: Looking = {}) => [
  ...findUnfitParts({ modules: modulesWith(change, omit), roots, isWhole }),
];

describe('the composition', () => {
  it('builds a part once, from what it needs by name', () => {
    const { get, pick } = composed();
    expect(get(address)).to.equal('localhost:80');
    expect(pick({ address, port })).to.deep.equal({ address: 'localhost:80', port: 80 });
    let built = 0;
    const counted = part<object>('counted');
    const again = composed(({ bind }) => {
      builder(bind)(counted, {}, () => {
        built += 1;
        return { built };
      });
    });
    expect([again.get(counted), again.get(counted), built]).to.deep.equal([
      { built: 1 },
      { built: 1 },
      1,
    ]);
  });

  it('gives undefined for an optional part that is missing, and lists in the order of binding', () => {
    const tags = part<string>('tags');
    const seen = part<string>('seen');
    const bindAll: Bind = ({ bind }) => {
      bind(tags).toConstantValue('first');
      bind(tags).toConstantValue('second');
      const needs = { tags: all(tags), absent: maybe(part<number>('absent')) };
      builder(bind)(seen, needs, (given) => `${given.tags.join()} ${given.absent}`);
    };
    expect(composed(bindAll).get(seen)).to.equal('first,second undefined');
    expect(unfit(bindAll, { roots: [address, seen] })).to.deep.equal([]);
  });

  it('fails where a part is missing or bound twice, at the first request for it', () => {
    expect(() => compose(modulesWith(undefined, port)).get(address)).to.throw('port');
    expect(() => composed(({ bind }) => void bind(port).toConstantValue(81)).get(port)).to.throw(
      'port',
    );
  });

  it('names the parts of a circle', () => {
    const egg = part<string>('egg');
    const hen = part<string>('hen');
    const { get } = composed(({ bind }) => {
      builder(bind)(egg, { hen }, (given) => given.hen);
      builder(bind)(hen, { egg }, (given) => given.egg);
    });
    expect(() => get(hen)).to.throw(/[Cc]ircular.*(egg|hen)/s);
  });

  it('closes what was built, and nothing else', async () => {
    const [built, idle] = [part<string>('built'), part<string>('idle')];
    const closed: string[] = [];
    const { get, close } = composed(({ bind }) => {
      for (const each of [built, idle])
        builder(bind)(each, { host }, (given) => `${given.host} ${String(each)}`).onDeactivation(
          (made) => void closed.push(made),
        );
    });
    get(built);
    await close();
    expect(closed).to.deep.equal(['localhost Symbol(built)']);
  });

  it('names each part as the code does', () => {
    for (const [name, each] of Object.entries({ ...ports, ...own }))
      expect(String(each)).to.equal(`Symbol(${name})`);
  });

  it('does not compile with a part of another type', () => {
    composed(({ bind }) => {
      const build = builder(bind);
      // @ts-expect-error a text is no number
      build(part<number>('a'), { host }, (given) => given.host);
      // @ts-expect-error the host is a text
      build(part<number>('b'), { host }, (given: { host: number }) => given.host);
      // @ts-expect-error a number is no clock
      bind(ports.clock).toConstantValue(80);
    });
  });
});

describe('what does not fit together', () => {
  it('is a part that is missing, with what needs it', () => {
    expect(unfit(undefined, { omit: port })).to.deep.equal([
      '"port" is needed by "address" and bound nowhere',
    ]);
    expect(unfit(undefined, { roots: [address, part('asked')] })).to.deep.equal([
      '"asked" is needed by the process and bound nowhere',
    ]);
  });

  it('is a part that two modules bind', () => {
    expect(unfit(({ bind }) => void bind(port).toConstantValue(81))).to.deep.equal([
      '"port" is bound 2 times',
    ]);
  });

  it('is a part that nothing needs, unless the process does a part of the work', () => {
    const idle: Bind = ({ bind }) => void bind(part('idle')).toConstantValue(1);
    expect(unfit(idle)).to.deep.equal(['"idle" is bound and needed by nothing']);
    expect(unfit(idle, { isWhole: false })).to.deep.equal([]);
  });
});

/** What a process asks the composition for. */
const rootsOf = ({ servesHttp, doesJobs, hasMetrics }: Config): readonly Part<unknown>[] => [
  ...[...Object.values({ ...FIRST_RUN, ...HOUSEKEEPING, ...NOTES }), own.jobs, ports.clock],
  ...(servesHttp ? [own.httpApp] : []),
  ...(doesJobs ? [own.workers] : []),
  ...(hasMetrics ? [own.readAllMetrics] : []),
];

/** What it asks the composition of another group for. */
const rootsOfGroup = ({ servesHttp, doesJobs }: Config): readonly Part<unknown>[] => [
  ...Object.values({ ...GROUP_HOUSEKEEPING, ...NOTES, ...GROUP_VIEW }),
  ...[own.jobs, ...(servesHttp ? [own.groupApi] : []), ...(doesJobs ? [own.workers] : [])],
];

describe('all parts fit together: none is missing, bound twice or needed by nothing', () => {
  const settings = combine(
    { 'that does all': {}, 'that serves': { ROLE: 'web' }, 'that works': { ROLE: 'worker' } },
    { sandbox: {}, Asaas: asaasAt('http://asaas.test') },
    { 'local insurer': {}, 'HTTP insurer': insurerAt('http://insurer.test') },
    { 'mail files': {}, SMTP: smtpAt(25) },
    { metrics: {}, 'metrics on a port': { METRICS_PORT: '9090' }, unmeasured: { METRICS: 'off' } },
  );
  it(`in ${settings.length} services, with and without the commands of operators`, async () => {
    const { operatorModule: _, groupDatabases: __, ...commands } = operator;
    for (const [name, variables] of settings) {
      const DATABASE_URL = 'postgres://db.test/sales';
      const PUBLIC_URL = 'http://sales.test';
      const environment = { DATABASE_URL, PUBLIC_URL, DATA_DIR: 'memory:', ...KEYS, ...variables };
      const config = { ...readConfig(environment), publicUrl: PUBLIC_URL };
      const given = { config, database: {} as Database, log: pino({ level: 'silent' }) };
      const roots = rootsOf(config);
      const isWhole = config.servesHttp && config.doesJobs;
      const modules = await modulesOf(given);
      expect([...findUnfitParts({ modules, roots, isWhole })], name).to.deep.equal([]);
      const service = { get: () => undefined } as unknown as Composed;
      const ofGroup = await modulesOfGroup({ ...given, service, group: 1 });
      const group = { modules: ofGroup, roots: rootsOfGroup(config), isWhole: false };
      expect([...findUnfitParts(group)], name).to.deep.equal([]);
      const more = { modules: [...modules, ...operatorModules(config)], isWhole };
      const asked = [...roots, ...Object.values(commands)];
      expect([...findUnfitParts({ ...more, roots: asked })], name).to.deep.equal([]);
    }
  });

  it('in the API over memory', () => {
    const modules = [...MEMORY_MODULES, ...API_MODULES];
    const { saleUseCasesModule: _, ...ofSales } = sale;
    const { channelUseCasesModule: __, ...ofChannels } = channel;
    const roots = [...Object.values({ ...ofSales, ...ofChannels }), alertNotes, own.httpApp];
    expect([...findUnfitParts({ modules, roots, isWhole: true })]).to.deep.equal([]);
  });
});

describe('the parts of the console', () => {
  it('fit together, over what each service has', () => {
    const borrowed = known(PEOPLE_NEEDS, memoryService() as Given<typeof PEOPLE_NEEDS>);
    const { composePeople: _, PEOPLE_MODULES: modules, ...roots } = people;
    const all = [borrowed, ...modules];
    const asked = [...Object.values(roots), own.oneTimeCodes];
    expect([...findUnfitParts({ modules: all, roots: asked, isWhole: true })]).to.deep.equal([]);
  });
});

describe('a fake in the place of an adapter', () => {
  it('is one argument, of the type of its port, and what needs the port gets it', async () => {
    const alerts = { raise: () => {}, raiseStored: () => {} };
    const memory = memoryService({ alerts, publicUrl: 'https://fake.example' });
    expect(memory.alerts).to.equal(alerts);
    expect(memory.publicUrl).to.equal('https://fake.example');
    // @ts-expect-error a gateway has more than a name
    memoryService({ payments: { name: 'mine' } });
    // @ts-expect-error there is no such port
    expect(() => memoryService({ harbour: 1 })).to.throw('there is no part "harbour"');
  });
});
