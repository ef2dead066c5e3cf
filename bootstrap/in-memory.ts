import { Container } from 'inversify';
import { LocalIssuer } from '../adapters/issuance/local.ts';
import { AjvAttributeSchemas } from '../adapters/json-schema/attribute-schemas.ts';
import { MemoryAuditLog } from '../adapters/memory/audit-log.ts';
import { MemoryCatalogue } from '../adapters/memory/catalogue.ts';
import {
  MemoryDocumentLinks,
  MemoryDocuments,
  MemoryMailer,
} from '../adapters/memory/certificate-delivery.ts';
import { MemoryClients } from '../adapters/memory/clients.ts';
import { MemoryClock } from '../adapters/memory/clock.ts';
import { MemoryCounters } from '../adapters/memory/counters.ts';
import { MemoryMailings } from '../adapters/memory/mailings.ts';
import {
  MemoryAlerts,
  MemoryNotices,
  MemoryRecords,
  UnreliableIssuer,
  UnreliablePayments,
} from '../adapters/memory/providers.ts';
import { MemoryRefreshTokens } from '../adapters/memory/refresh-tokens.ts';
import { MemorySales } from '../adapters/memory/sales.ts';
import {
  MemoryAccessTokens,
  MemoryIdentifiers,
  MemorySecrets,
} from '../adapters/memory/security.ts';
import { type SandboxEvent, SandboxGateway } from '../adapters/payment/sandbox/gateway.ts';
import { SandboxNotices, signedNotice } from '../adapters/payment/sandbox/notices.ts';
import { bindValue, get } from './token.ts';
import * as t from './tokens.ts';
import { bindUseCases } from './use-cases.ts';

/** All that a test needs to play with, over in-memory adapters. */
export interface InMemory {
  readonly container: Container;
  readonly clock: MemoryClock;
  readonly sales: MemorySales;
  readonly alerts: MemoryAlerts;
  /** Keeps the mails that were sent. */
  readonly mailer: MemoryMailer;
  /** The gateway as the service sees it, which fails as it is told, and the one behind it, on whose pages payers pay. */
  readonly payments: UnreliablePayments;
  readonly sandbox: SandboxGateway;
  readonly issuer: UnreliableIssuer;
  /** What the gateway has to tell, until it is delivered. */
  readonly told: SandboxEvent[];
  /** Delivers what the gateway has to tell, and does once what job queues would do. */
  runJobs(): Promise<void>;
}

/** Every use-case over in-memory adapters: no file, no network, no waiting. The clock stands at `now` until it is moved. */
export const inMemory = (now = '2026-11-20T15:00:00.000Z'): InMemory => {
  const container = new Container();
  const clock = new MemoryClock(now);
  const auditLog = new MemoryAuditLog();
  const mailings = new MemoryMailings(auditLog);
  const sales = new MemorySales(auditLog, mailings);
  bindValue(container, t.CLOCK, clock);
  bindValue(container, t.AUDIT_LOG, auditLog);
  bindValue(container, t.SALES, sales);
  bindValue(container, t.MAILINGS, mailings);
  bindValue(container, t.ATTRIBUTE_SCHEMAS, new AjvAttributeSchemas());
  bindValue(container, t.CATALOGUE, new MemoryCatalogue(auditLog));
  bindValue(container, t.CLIENTS, new MemoryClients(auditLog));
  bindValue(container, t.REFRESH_TOKENS, new MemoryRefreshTokens(auditLog));
  bindValue(container, t.IDENTIFIERS, new MemoryIdentifiers());
  bindValue(container, t.SECRETS, new MemorySecrets());
  bindValue(container, t.COUNTERS, new MemoryCounters(clock));
  bindValue(container, t.ACCESS_TOKENS, new MemoryAccessTokens(clock));
  bindValue(container, t.PER_MINUTE, 'off');
  const mailer = new MemoryMailer();
  bindValue(container, t.MAILER, mailer);
  bindValue(container, t.DOCUMENTS, new MemoryDocuments());
  bindValue(container, t.DOCUMENT_LINKS, new MemoryDocumentLinks());
  bindValue(container, t.DOCUMENT_LINK_TTL, 7 * 86_400);
  bindValue(container, t.PUBLIC_URL, 'https://sales.example');
  const providers = providersInMemory(container, clock);
  bindUseCases(container);
  const jobs = { sales, mailings, ...providers };
  return { container, clock, sales, mailer, ...providers, runJobs: () => runJobs(container, jobs) };
};

/** The sandbox and the local insurer themselves, over books in memory. */
const providersInMemory = (container: Container, clock: MemoryClock) => {
  const told: SandboxEvent[] = [];
  const sandbox = new SandboxGateway({
    ledger: new MemoryRecords(),
    clock,
    publicUrl: 'https://pay.example',
    notify: async (event) => {
      told.push(event);
    },
  });
  const payments = new UnreliablePayments(sandbox);
  const issuer = new UnreliableIssuer(
    new LocalIssuer({ files: new MemoryRecords(), numbers: new MemoryRecords(), clock }),
  );
  const [alerts, notices] = [new MemoryAlerts(), new MemoryNotices()];
  bindValue(container, t.PAYMENTS, payments);
  bindValue(container, t.SANDBOX, sandbox);
  bindValue(container, t.ISSUER, issuer);
  bindValue(container, t.ALERTS, alerts);
  bindValue(container, t.NOTICES, notices);
  bindValue(container, t.NOTICE_READER, new SandboxNotices(NOTICE_SECRET, clock));
  return { told, sandbox, payments, issuer, alerts, notices };
};

const NOTICE_SECRET = 'known to the sandbox in memory';

type Providers = ReturnType<typeof providersInMemory>;

type Jobs = Providers & { readonly sales: MemorySales; readonly mailings: MemoryMailings };

const runJobs = async (
  container: Container,
  { sales, mailings, told, notices }: Jobs,
): Promise<void> => {
  const { receive, process } = get(container, t.TAKE_NOTICES);
  for (const [index, event] of told.splice(0).entries()) {
    const id = `${event.event}-${event.chargeId}-${index}`;
    const { headers, body } = signedNotice(id, event, NOTICE_SECRET, get(container, t.CLOCK).now());
    await receive(headers, body);
  }
  for (const id of notices.due.splice(0)) if ((await process(id)) === 'later') notices.due.push(id);
  for (const id of new Set(sales.due.splice(0))) {
    const advanced = await get(container, t.ADVANCE_SALE).claimed(id);
    if (advanced === 'busy' || (advanced !== 'unknown_sale' && advanced.kind !== 'settled'))
      sales.due.push(id);
  }
  const { send, giveUp } = get(container, t.MAIL_CERTIFICATE);
  for (const name of mailings.due.splice(0)) {
    const outcome = await send(name);
    if (outcome.kind === 'refused') await giveUp(name, outcome.reason);
    if (outcome.kind === 'later') mailings.due.push(name);
  }
};
