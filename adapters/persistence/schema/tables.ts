import type { CalendarDate, Cents, Email, JsonObject } from '#domain';
import type { AlertWay } from '../../../application/alerts/alert-notifications.ts';
import type { AlertStatus } from '../../../application/alerts/alert-records.ts';
import type { AlertKind } from '../../../application/alerts/alerts.ts';
import type { MoneyAct } from '../../../application/approvals/approval-requests.ts';
import type { Actor, AuditAction, Change } from '../../../application/audit/audit-log.ts';
import type { EventType } from '../../../application/events/partner-events.ts';
import type { GroupMove } from '../../../application/groups/groups.ts';
import type { Scope } from '../../../application/identity/clients.ts';
import type { MailingStatus } from '../../../application/mail/mailings.ts';
import type { NoticeOutcome } from '../../../application/payments/notices.ts';
import type { Credentials, EntryLink } from '../../../application/people/people.ts';
import type { Role } from '../../../application/people/roles.ts';
import type { EntryWay } from '../../../application/people/sessions.ts';
import type { ProviderQuestion } from '../../../application/providers/observe-providers.ts';
import type { DeliveryAttempt, DeliveryStatus } from '../../../application/webhooks/deliveries.ts';
import {
  bigint,
  boolean,
  type Column,
  type Columns,
  double,
  generated,
  integer,
  jsonb,
  key,
  moment,
  nullable,
  text,
  uuid,
  varchar,
  word,
} from './columns.ts';
import { type AnsweredState, SALE } from './sale-row.ts';

// The migrations make the tables; a test compares them with these descriptions.

/** When each client was used last, to the minute. */
const CLIENT_USE = { clientId: key(text), lastUsedAt: moment };

/** What a login says when it begins. */
export const TOKEN_FAMILY = {
  familyId: key(text),
  clientId: text,
  scopes: jsonb<readonly Scope[]>(),
  generation: integer,
  expiresAt: moment,
};

/** What is known of a login that has ended. */
const TOKEN_FAMILY_END = {
  revokedAt: nullable(moment),
  /** The revision of the topic `logins` that the end made. */
  revokedNumber: nullable(bigint),
};

const REFRESH_TOKEN = {
  hash: key(text),
  familyId: text,
  rotatedAt: nullable(moment),
  sealedSuccessor: nullable(text),
};

export const AUDIT_ENTRY = {
  at: moment,
  action: word<AuditAction>(),
  actorKind: word<Actor['kind']>(),
  actorName: nullable(text),
  address: nullable(text),
  requestId: nullable(text),
  subject: nullable(text),
  reason: nullable(text),
  changes: jsonb<readonly Change[]>(),
};

export const NUMBERED_AUDIT_ENTRY = { number: generated(key(bigint)), ...AUDIT_ENTRY };

export const PAYMENT_NOTICE = {
  gateway: key(text),
  id: key(text),
  event: text,
  reference: nullable(text),
  chargeId: nullable(text),
  receivedAt: moment,
  outcome: word<NoticeOutcome>(),
};

/** A notice that the gateway sent and the service could not read, by the hash of its body. */
export const UNREADABLE_NOTICE = {
  gateway: key(text),
  digest: key(text),
  excerpt: text,
  receivedAt: moment,
};

/** Sales for which a time limit of the law has come: each alert is raised once. */
const LEGAL_ALERT = {
  saleId: key(bigint),
  clock: key(word<'policy' | 'certificate'>()),
  since: moment,
  raisedAt: moment,
};

/** When each changed sale was changed last: for the lists of changed sales. */
const SALE_UPDATE = { saleId: key(bigint), channelLink: text, updatedAt: moment };

/** The numbers of sales with their insurers: a partner may ask for a sale by them. */
const SALE_NUMBER = { channelLink: key(text), number: key(text), saleId: key(bigint) };

/** How far the sales have been examined: the last number. */
const LEGAL_CLOCK = { clock: key(word<'policy'>()), examinedTo: bigint };

export const MAILING = {
  saleId: key(bigint),
  number: key(integer),
  requestedAt: moment,
  /** `handed_over`: still to be sent, and claimed by a worker. */
  status: word<MailingStatus | 'handed_over'>(),
  failures: integer,
  settledAt: nullable(moment),
  reason: nullable(text),
  /** When it is tried again; null: now. */
  nextAt: nullable(moment),
};

/** The end of the time in which a worker has the mailing. */
const MAILING_CLAIM = { claimedUntil: nullable(moment) };

/** How many mails the workers have claimed in a minute, where that is limited. */
const MAIL_PACE = { minute: key(moment), taken: integer };

/** The request for a second copy, which repeats under the same key. */
const MAILING_REQUEST = { clientId: nullable(text), idempotencyKey: nullable(text) };

/** The secret with which quotes are sealed on a day. */
export const QUOTE_SECRET = { day: key(word<CalendarDate>()), secret: text };

const PARTNER_EVENT_CONTENT = {
  id: uuid,
  channelLink: text,
  type: word<EventType>(),
  at: moment,
  saleId: nullable(bigint),
  /** The sale as it was after the event; null: as it was registered. */
  state: nullable(jsonb<EventState>()),
  /** What other events than those of sales say beside it. */
  detail: nullable(jsonb<EventDetail>()),
};

export interface EventState extends AnsweredState {
  /**
   * The time of the last change, as PostgreSQL writes it into JSON. Null: not changed since the
   * registration.
   */
  readonly updatedAt: string | null;
}

interface EventDetail {
  readonly mailingNumber?: number;
  readonly reason?: string | null;
  readonly endpointId?: string;
  readonly isWronglySigned?: true;
}

/** An event of a partner, at its place in the feed. */
export const PARTNER_EVENT = { place: key(bigint), ...PARTNER_EVENT_CONTENT };

/** An event that waits for its place. */
const NEW_PARTNER_EVENT = { number: generated(key(bigint)), ...PARTNER_EVENT_CONTENT };

/** Sales that a statement has registered, whose events wait for their places. */
const NEW_REGISTRATION = {
  number: generated(key(bigint)),
  saleIds: { ...text, type: 'bigint[]' },
};

/** All places up to this one had been given at that time. */
const PLACE_MARK = { at: key(moment), place: bigint };

/** How far places were given. */
const EVENT_NUMBERING = {
  feed: key(word<'partner'>()),
  lastPlace: bigint,
  deletedPlace: bigint,
  server: nullable(text),
};

export const WEBHOOK_DELIVERY = {
  id: generated(key(bigint)),
  endpointId: text,
  place: bigint,
  status: word<DeliveryStatus>(),
  createdAt: moment,
  tries: integer,
  nextAt: nullable(moment),
  attempts: jsonb<readonly DeliveryAttempt[]>(),
};

/** The answer to a request of a partner. */
export const ANSWERED_REQUEST = {
  channelLink: text,
  requestId: text,
  clientId: text,
  at: moment,
  method: text,
  route: text,
  status: integer,
  code: nullable(text),
  fields: nullable(text),
  ms: double,
  saleId: nullable(bigint),
  replayed: boolean,
};

/** An alert as it is raised. */
export const RAISED_ALERT = {
  kind: word<AlertKind>(),
  subject: text,
  saleId: nullable(bigint),
  details: jsonb<JsonObject>(),
  firstAt: moment,
  lastAt: moment,
  times: integer,
  requestId: nullable(text),
};

/** How an alert ended; all null: it is open. */
const ALERT_RESOLUTION = {
  resolvedAt: nullable(moment),
  resolvedBy: nullable(text),
  note: nullable(text),
};

export const ALERT = { id: generated(key(bigint)), ...RAISED_ALERT, ...ALERT_RESOLUTION };

/** `raiseNumber`: of the statement that raised it last, in the order in which they are committed. */
export const ALERT_STATE = { status: word<AlertStatus>(), raiseNumber: bigint };

/** Up to which raise operators were notified of a kind of alert. */
const ALERT_TELLING = {
  kind: key(word<AlertKind>()),
  way: key(word<AlertWay>()),
  toldAt: nullable(moment),
  toldUpTo: bigint,
  claimedUntil: nullable(moment),
  failures: integer,
};

/** The last number of a statement that raised alerts. */
const ALERT_NUMBERING = { list: key(word<'raises'>()), number: bigint };

/** Equal answers of a provider to a question about a sale, counted. */
export const PROVIDER_CALL = {
  saleId: key(bigint),
  provider: key(text),
  question: key(word<ProviderQuestion>()),
  answer: key(text),
  times: integer,
  firstAt: moment,
  lastAt: moment,
  lastMs: integer,
  requestId: nullable(text),
};

/** A record in a book of a provider that the service plays itself. */
export const PROVIDER_RECORD = {
  book: key(text),
  key: key(text),
  version: integer,
  content: jsonb<object>(),
};

/** How many offers of a product customers of a channel have declined on a day. */
export const DECLINED_OFFER = {
  channelLink: key(text),
  day: key(text),
  product: key(text),
  count: bigint,
};

/** A sale whose refund by the channel was not confirmed in time. */
const LATE_REFUND = { saleId: key(bigint), since: moment, raisedAt: moment };

/** Somebody who may sign in to the console, and the link that works once. */
export const PERSON = {
  personId: key(text),
  name: text,
  email: nullable(word<Email>()),
  role: word<Role>(),
  channelLink: nullable(text),
  isActive: boolean,
  createdAt: moment,
  generation: integer,
  credentials: nullable(jsonb<Credentials>()),
  linkHash: nullable(text),
  linkKind: nullable(word<EntryLink['kind']>()),
  linkExpiresAt: nullable(moment),
  version: integer,
};

export const PERSON_SESSION = {
  sessionId: key(text),
  personId: text,
  generation: integer,
  way: word<EntryWay>(),
  startedAt: moment,
  seenAt: moment,
  expiresAt: moment,
  provedAt: moment,
  address: nullable(text),
  browser: nullable(text),
};

/** What only the store of sessions knows: the hash that opens one, and wrong codes one after the other. */
const PERSON_SESSION_LOCK = { secretHash: text, wrongCodes: integer };

/** An amount in cents. */
const cents = bigint as Column<never> as Column<Cents>;

/** Acts that wait for a second person. */
export const APPROVAL_REQUEST = {
  saleId: key(bigint),
  saleVersion: integer,
  act: jsonb<MoneyAct>(),
  amount: cents,
  personId: text,
  personName: text,
  askedAt: moment,
  expiresAt: moment,
};

/** Under what a sale is found: keyed hashes, of words too. */
const SEARCH_TERM = { term: key(bigint), saleId: key(bigint) };

/** The words of the names in a sale, with a blank around each. */
const SEARCH_NAME = { saleId: key(bigint), words: text };

/** All words, and about how many sales have each. */
const SEARCH_WORD = { word: key(text), sales: bigint };

/** Up to which event the sales have been entered. */
const SEARCH_PLACE = { follower: key(word<'search'>()), place: bigint };

/** Sums of bookings by day, channel and product (`totals/booking-totals.ts`). */
const BOOKING_TOTAL = {
  day: key(word<CalendarDate>()),
  channelLink: key(text),
  productCode: key(text),
  kind: key(text),
  ...{ lines: bigint, net: bigint, iof: bigint, total: bigint, commission: bigint },
  ...{ netAmount: bigint, owedByChannel: bigint, owedToChannel: bigint },
};

/** The bookings that are in the sums. */
const COUNTED_BOOKING = { saleId: key(bigint), kind: key(text) };

/** Up to which event bookings have been counted, and when all of them were. */
const TOTAL_PLACE = { follower: key(word<'totals'>()), place: bigint, asOf: nullable(moment) };

/** Counts of a minute, shared by all processes (`identity/counters.ts`). */
const RATE_LIMIT = {
  key: key(varchar(255)),
  points: integer,
  expire: nullable(bigint),
};

/** Groups of channels that have a database of their own, and the channels in them. */
export const CHANNEL_GROUP = {
  number: key(integer),
  sealedDatabase: text,
  isOpen: boolean,
  addedAt: moment,
  move: nullable(jsonb<GroupMove>()),
};

export const CHANNEL_PLACE = { channelLink: key(text), groupNumber: integer };

/** All tables, by name. */
export const TABLES = {
  sale: SALE,
  sale_update: SALE_UPDATE,
  sale_number: SALE_NUMBER,
  audit_entry: NUMBERED_AUDIT_ENTRY,
  client_use: CLIENT_USE,
  token_family: { ...TOKEN_FAMILY, ...TOKEN_FAMILY_END },
  refresh_token: REFRESH_TOKEN,
  payment_notice: PAYMENT_NOTICE,
  unreadable_notice: UNREADABLE_NOTICE,
  legal_alert: LEGAL_ALERT,
  legal_clock: LEGAL_CLOCK,
  mailing: { ...MAILING, ...MAILING_CLAIM, ...MAILING_REQUEST, channelLink: text },
  mail_pace: MAIL_PACE,
  quote_secret: QUOTE_SECRET,
  cancellation_mailing: { ...MAILING, ...MAILING_CLAIM },
  refund_mailing: { ...MAILING, ...MAILING_CLAIM },
  partner_event: PARTNER_EVENT,
  new_partner_event: NEW_PARTNER_EVENT,
  new_registration: NEW_REGISTRATION,
  place_mark: PLACE_MARK,
  event_numbering: EVENT_NUMBERING,
  webhook_delivery: WEBHOOK_DELIVERY,
  answered_request: { id: generated(key(bigint)), ...ANSWERED_REQUEST },
  alert: { ...ALERT, ...ALERT_STATE },
  alert_telling: ALERT_TELLING,
  alert_numbering: ALERT_NUMBERING,
  provider_call: PROVIDER_CALL,
  provider_record: PROVIDER_RECORD,
  declined_offer: DECLINED_OFFER,
  late_refund: LATE_REFUND,
  person: PERSON,
  person_session: { ...PERSON_SESSION, ...PERSON_SESSION_LOCK },
  approval_request: APPROVAL_REQUEST,
  search_term: SEARCH_TERM,
  search_name: SEARCH_NAME,
  search_word: SEARCH_WORD,
  search_place: SEARCH_PLACE,
  booking_total: BOOKING_TOTAL,
  counted_booking: COUNTED_BOOKING,
  total_place: TOTAL_PLACE,
  rate_limit: RATE_LIMIT,
  channel_group: CHANNEL_GROUP,
  channel_place: CHANNEL_PLACE,
} satisfies Readonly<Record<string, Columns>>;
