import { createSecretKey, randomBytes } from 'node:crypto';
import { ContainerModule } from 'inversify';
import { pino } from 'pino';
import { MemoryRecords } from '../../adapters/memory/operations/provider-records.ts';
import { MemoryQuoteSecrets } from '../../adapters/memory/operations/quote-secrets.ts';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import { DatabaseAuditLog } from '../../adapters/persistence/operations/audit-log.ts';
import { DatabaseRecords } from '../../adapters/persistence/operations/provider-records.ts';
import {
  CONTROL_TABLES,
  TABLES_OF_BOTH,
} from '../../adapters/persistence/schema/control-tables.ts';
import { TABLES } from '../../adapters/persistence/schema/tables.ts';
import { createTerms } from '../../adapters/security/keyed-hash.ts';
import { SystemClock } from '../../adapters/system/clock-and-identifiers.ts';
import type { AuditLog } from '../../application/audit/audit-log.ts';
import type { MailClaim, Mailings } from '../../application/mail/mailings.ts';
import type { MailingName } from '../../application/mailing-name.ts';
import type { Records } from '../../application/records.ts';
import type { QuoteSecrets } from '../../application/selling/quote-seal.ts';
import { compose, lazy } from '../../bootstrap/composition/compose.ts';
import * as own from '../../bootstrap/composition/infrastructure.ts';
import { jobsModule } from '../../bootstrap/composition/jobs.ts';
import { memoryService } from '../../bootstrap/composition/memory.ts';
import type { Given } from '../../bootstrap/composition/part.ts';
import { controlModule, groupModule } from '../../bootstrap/composition/persistence.ts';
import * as ports from '../../bootstrap/composition/ports.ts';
import { rowsIn } from './postgres.ts';
import { openEmptyEmbedded, sharedPostgres } from './shared.ts';

/** Every port that stores something, on one store, as the service is composed with it. */
export interface Store extends Given<typeof ports> {
  readonly quoteSecrets: QuoteSecrets;
  records<Content>(book: string): Records<Content>;
  /** The sales and notices in the job queue. */
  due(): Promise<{ readonly sales: readonly number[]; readonly notices: readonly string[] }>;
  /** Gives the new events their places. */
  givePlaces(): Promise<void>;
  /** Claims the mailings that are due, for a year. @returns their names */
  handedOver(): Promise<readonly MailingName[]>;
  close(): Promise<void>;
}

const claimAll = async (mailings: Mailings): Promise<readonly MailingName[]> => {
  const claim = {
    now: '2026-12-31T00:00:00.000Z',
    until: '2027-12-31T00:00:00.000Z',
    limit: 1_000,
  };
  const claimed = await mailings.claim(claim as MailClaim);
  return claimed.map(({ saleId, number }) => ({ saleId, number }));
};

const memory = async (): Promise<Store> => {
  const service = memoryService({ clock: new SystemClock() });
  const { sales, notices, mailings } = service;
  const kept = new Map<string, MemoryRecords<never>>();
  const records = (book: string) => {
    const found = kept.get(book) ?? new MemoryRecords<never>();
    kept.set(book, found);
    return found;
  };
  return Object.assign(service, {
    due: async () => ({ sales: [...sales.due], notices: notices.due.map(({ id }) => id) }),
    handedOver: () => claimAll(mailings),
    givePlaces: async () => {},
    records: (book: string) => records(book),
    quoteSecrets: new MemoryQuoteSecrets(),
    close: async () => {},
  });
};

/** The entries of a group, and those of the control database. */
const bothLogs = (group: Database, control: Database): AuditLog => {
  const [ofGroup, ofControl] = [new DatabaseAuditLog(group), new DatabaseAuditLog(control)];
  return {
    append: (entry) => ofGroup.append(entry),
    list: async (query) => [...(await ofGroup.list(query)), ...(await ofControl.list(query))],
  };
};

/** @param control a database that has what groups share; the same one by default */
const onDatabase = async (opening: Promise<Database>, openingControl = opening): Promise<Store> => {
  const [database, control] = [await opening, await openingControl];
  await database.migrate();
  const quiet = new ContainerModule(({ bind }) => {
    bind(own.log).toConstantValue(pino({ level: 'silent' }));
    bind(ports.clock).toConstantValue(new SystemClock());
    bind(own.searchTerms).toConstantValue(createTerms(createSecretKey(randomBytes(32)), []));
  });
  const settings = { rateLimit: 'off', database: { kind: 'postgres' } } as const;
  const halves = [controlModule(control, settings), groupModule(database)];
  const modules = [...halves, jobsModule, quiet];
  const { get, pick } = compose(modules, {
    ...(control !== database && { auditLog: bothLogs(database, control) }),
  });
  const { jobs, mailings, eventPlaces, quoteSecrets } = pick({
    ...{ jobs: own.jobs, mailings: ports.mailings },
    ...{ eventPlaces: own.eventPlaces, quoteSecrets: own.quoteSecrets },
  });
  await jobs.prepare();
  return Object.assign(lazy(get, ports), {
    quoteSecrets,
    givePlaces: async () => {
      const now = new SystemClock().now();
      while ((await eventPlaces.givePlaces(now)) !== 'done');
    },
    handedOver: () => claimAll(mailings),
    records: <Content>(book: string) => new DatabaseRecords<Content>(database, book),
    due: async () => {
      const { rows } = await database.executor.executeSql(
        `select name, data from jobs.job where state = 'created' order by created_on`,
      );
      const tasks = rows as { name: string; data: { saleId?: number; noticeId?: string } }[];
      return {
        sales: tasks.flatMap(({ data }) => data.saleId ?? []),
        notices: tasks.flatMap(({ data }) => data.noticeId ?? []),
      };
    },
    close: async () => {
      await jobs.stop();
      await database.close();
      if (control !== database) await control.close();
    },
  });
};

/** The first number of the group of channels that the suites use. */
const GROUP_FIRST = 1e11 + 1;

/**
 * What groups of channels share, and one group, each in a database that lacks the tables of the other:
 * a statement or transaction that touches both fails. Numbers begin where those of the group do.
 */
const onHalves = async (): Promise<Store> => {
  const [group, control] = [
    await sharedPostgres.migratedDatabase(),
    await sharedPostgres.migratedDatabase(),
  ];
  await rowsIn(group, `drop table ${CONTROL_TABLES.join(', ')}`);
  await rowsIn(control, `drop table ${GROUP_TABLES.join(', ')} cascade`);
  for (const { sequence } of await rowsIn<{ sequence: string }>(group, SEQUENCES))
    await rowsIn(group, `alter sequence ${sequence} restart with ${GROUP_FIRST}`);
  const open = (url: string) => openPostgres({ url, pool: 10 });
  return onDatabase(open(group), open(control));
};

const GROUP_TABLES = Object.keys(TABLES).filter(
  (name) => ![...CONTROL_TABLES, ...TABLES_OF_BOTH].includes(name),
);

const SEQUENCES = `select sequencename as sequence from pg_sequences
  where schemaname = 'public' and data_type = 'bigint'::regtype`;

export const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  memory,
  PGlite: () => onDatabase(openEmptyEmbedded()),
  PostgreSQL: onHalves,
};

/** Runs a suite on every store, each empty at first. */
export const overEveryStore = (title: string, suite: (store: () => Store) => void): void => {
  for (const [name, open] of Object.entries(STORES)) {
    describe(`${title}, on ${name}`, () => {
      let store: Store | undefined;
      before(async () => {
        store = await open();
      });
      after(() => store?.close());
      suite(() => {
        if (store === undefined) throw new Error('the store is not open');
        return store;
      });
    });
  }
};

/** Max time until an answer fits, ms. No promise: a busy machine may need a hundred times as long. */
const POLL_LIMIT_MS = 120_000;

/**
 * Polls until the answer fits, or for two minutes.
 *
 * @param limitMs shorter only where the answer need not fit
 * @returns the last answer, also if it does not fit
 */
export const within = async <Answer>(
  ask: () => Promise<Answer>,
  fits: (answer: Answer) => boolean,
  limitMs = POLL_LIMIT_MS,
): Promise<Answer> => {
  const began = performance.now();
  for (;;) {
    const answer = await ask();
    const passed = performance.now() - began;
    if (fits(answer) || passed > limitMs) return answer;
    // Rarer the longer it takes: what is waited for needs the processor too.
    await new Promise((resolve) => setTimeout(resolve, Math.min(10 + passed / 20, 100)));
  }
};
