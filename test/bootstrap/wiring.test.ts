import { expect } from 'chai';
import { ContainerModule } from 'inversify';
import { pino } from 'pino';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import { type Composed, compose } from '../../bootstrap/composition/compose.ts';
import * as own from '../../bootstrap/composition/infrastructure.ts';
import { memoryService } from '../../bootstrap/composition/memory.ts';
import { memoryApi } from '../../bootstrap/composition/memory-api.ts';
import {
  all,
  builder,
  manyParts,
  maybe,
  type Part,
  part,
} from '../../bootstrap/composition/part.ts';
import * as ports from '../../bootstrap/composition/ports.ts';
import { composeService } from '../../bootstrap/composition/service.ts';
import { rootsOf } from '../../bootstrap/processes/open-service.ts';
import { readConfig } from '../../bootstrap/settings/config.ts';
import { asaasAt, combine, insurerAt, KEYS, smtpAt } from '../support/combinations.ts';

const port = part<number>('port');
const host = part<string>('host');
const address = part<string>('address');
const NEEDS = { host, port };

type Bind = ConstructorParameters<typeof ContainerModule>[0];

/** Composes `address` of a host and a port. */
const composed = (
  change: Bind = () => {},
  { omit, roots = [address], isWhole = true }: Omitting = {},
): Composed => {
  const usual = new ContainerModule(({ bind }) => {
    if (omit !== port) bind(port).toConstantValue(80);
    bind(host).toConstantValue('localhost');
    builder(bind)(address, NEEDS, (given) => `${given.host}:${given.port.toFixed()}`);
  });
  return compose({ modules: [usual, new ContainerModule(change)], roots, isWhole });
};

interface Omitting {
  readonly omit?: Part<unknown>;
  readonly roots?: readonly Part<unknown>[];
  readonly isWhole?: boolean;
}

describe('the composition', () => {
  it('builds a part once, from what it needs by name', () => {
    const { get, pick } = composed();
    expect(get(address)).to.equal('localhost:80');
    expect(pick({ address, port })).to.deep.equal({ address: 'localhost:80', port: 80 });
    let built = 0;
    const counted = part<object>('counted');
    const again = composed(
      ({ bind }) => {
        builder(bind)(counted, {}, () => {
          built += 1;
          return { built };
        });
      },
      { roots: [address, counted] },
    );
    expect([again.get(counted), again.get(counted), built]).to.deep.equal([
      { built: 1 },
      { built: 1 },
      1,
    ]);
  });

  it('gives undefined for an optional part that is missing, and lists in the order of binding', () => {
    const tags = manyParts<string>('tags');
    const seen = part<string>('seen');
    const { get } = composed(
      ({ bind }) => {
        bind(tags).toConstantValue('first');
        bind(tags).toConstantValue('second');
        const needs = { tags: all(tags), absent: maybe(part<number>('absent')) };
        builder(bind)(seen, needs, (given) => `${given.tags.join()} ${given.absent}`);
      },
      { roots: [address, seen] },
    );
    expect(get(seen)).to.equal('first,second undefined');
  });

  it('does not start where a binding is missing, and names it and who needs it', () => {
    expect(() => composed(undefined, { omit: port })).to.throw(
      'the parts of the service do not fit together:\n  - "port" is needed by "address" and bound nowhere',
    );
    const asked = { roots: [address, part('asked')] };
    expect(() => composed(undefined, asked)).to.throw('"asked" is needed by the process');
  });

  it('does not start where two modules bind a part, and names it', () => {
    expect(() => composed(({ bind }) => void bind(port).toConstantValue(81))).to.throw(
      '"port" is bound 2 times',
    );
  });

  it('does not start where a binding is needed by nothing, unless the process does a part of the work', () => {
    const idle: Bind = ({ bind }) => void bind(part('idle')).toConstantValue(1);
    expect(() => composed(idle)).to.throw('"idle" is bound and needed by nothing');
    expect(composed(idle, { isWhole: false }).get(port)).to.equal(80);
  });

  it('names the parts of a circle', () => {
    const egg = part<string>('egg');
    const hen = part<string>('hen');
    const { get } = composed(
      ({ bind }) => {
        builder(bind)(egg, { hen }, (given) => given.hen);
        builder(bind)(hen, { egg }, (given) => given.egg);
      },
      { roots: [address, hen] },
    );
    expect(() => get(hen)).to.throw(/[Cc]ircular.*(egg|hen)/s);
  });

  it('closes what was built, and nothing else', async () => {
    const [built, idle] = [part<string>('built'), part<string>('idle')];
    const closed: string[] = [];
    const { get, close } = composed(
      ({ bind }) => {
        for (const each of [built, idle])
          builder(bind)(each, { host }, (given) => `${given.host} ${String(each)}`).onDeactivation(
            (made) => void closed.push(made),
          );
      },
      { roots: [address, built, idle] },
    );
    get(built);
    await close();
    expect(closed).to.deep.equal(['localhost Symbol(built)']);
  });

  it('names each part as the code does', () => {
    for (const [name, each] of Object.entries({ ...ports, ...own }))
      expect(String(each)).to.equal(`Symbol(${name})`);
  });

  it('does not compile with a part of another type', () => {
    composed(
      ({ bind }) => {
        const build = builder(bind);
        // @ts-expect-error a text is no number
        build(part<number>('a'), { host }, (given) => given.host);
        // @ts-expect-error the host is a text
        build(part<number>('b'), { host }, (given: { host: number }) => given.host);
        // @ts-expect-error a number is no clock
        bind(ports.clock).toConstantValue(80);
      },
      { isWhole: false },
    );
  });
});

describe('all parts fit together: none is missing, bound twice or needed by nothing', () => {
  const settings = combine(
    { 'that does all': {}, 'that serves': { ROLE: 'web' }, 'that works': { ROLE: 'worker' } },
    { sandbox: {}, Asaas: asaasAt('http://asaas.test') },
    { 'local insurer': {}, 'HTTP insurer': insurerAt('http://insurer.test') },
    { 'mail files': {}, SMTP: smtpAt(25) },
    { metrics: {}, 'metrics on a port': { METRICS_PORT: '9090' }, unmeasured: { METRICS: 'off' } },
  );
  it(`in ${settings.length} services`, async () => {
    for (const [name, variables] of settings) {
      const DATABASE_URL = 'postgres://db.test/sales';
      const PUBLIC_URL = 'http://sales.test';
      const environment = { DATABASE_URL, PUBLIC_URL, DATA_DIR: 'memory:', ...KEYS, ...variables };
      const config = { ...readConfig(environment), publicUrl: PUBLIC_URL };
      const given = { config, database: {} as Database, log: pino({ level: 'silent' }) };
      const service = await composeService({ ...given, roots: rootsOf(config) });
      expect(service, name).to.have.property('get');
    }
  });

  it('in the API over memory', () => {
    expect(memoryApi({}).app).to.have.property('answer');
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
