import { defineEntity, EntitySchema, p, Type, types } from '@mikro-orm/core';
import type { CalendarDate, Channel, Instant, IofClass, JsonObject, Product, Rate } from '#domain';
import type { ClientSecret, ClientStatus, Scope } from '../../../application/identity/clients.ts';
import type { Readiness } from '../../../application/requests/readiness.ts';
import type { DisabledReason, Subscription } from '../../../application/webhooks/endpoints.ts';
import * as columns from './columns.ts';
import { SALE } from './sale-row.ts';
import { ALERT, ALERT_STATE, NUMBERED_AUDIT_ENTRY } from './tables.ts';

// The tables of administration: few rows, changed by hand, and read in whole entities. The others are
// in `tables.ts`. The migrations make both; a test compares them with these descriptions.
//
// This file is loaded with MikroORM, when a process first asks for entities: import its types alone.

/** A type whose values are read and written as statements do. A class, as MikroORM copies objects. */
const typeOf = (column: columns.AnyColumn) =>
  class ColumnType extends Type<unknown, unknown> {
    override getColumnType(): string {
      return column.type;
    }

    override convertToJSValue(stored: unknown): unknown {
      return column.read(stored);
    }

    override convertToDatabaseValue(value: unknown): unknown {
      return column.write(value);
    }
  };

const Moment = typeOf(columns.moment);

const moment = () => p.type(Moment).$type<Instant>();

const text = <Word extends string = string>() => p.text().$type<Word>();

export const ApiClientEntity = defineEntity({
  name: 'ApiClient',
  properties: {
    clientId: text().primary(),
    name: text(),
    channelLink: text().strictNullable(),
    scopes: p.json<readonly Scope[]>(),
    status: text<ClientStatus>(),
    secrets: p.json<readonly ClientSecret[]>(),
    generation: p.integer(),
    createdAt: moment(),
    version: p.integer().version(),
    /** When it was used last, to the minute; null if it never was. */
    lastUsedAt: moment()
      .strictNullable()
      .lazy()
      .formula(
        ({ clientId }) => `(select last_used_at from client_use where client_id = ${clientId})`,
      ),
  },
});

/** Every version that a product or channel has had. */
export const CatalogueVersionEntity = defineEntity({
  name: 'CatalogueVersion',
  properties: {
    kind: text<'product' | 'channel'>().primary(),
    name: text().primary(),
    version: p.integer().primary(),
    /** `{}` where what was announced for the day is withdrawn. */
    definition: p.json<Product | Channel | Record<string, never>>(),
    updatedAt: moment(),
    /** Null in the rows of version 1.0.0, whose versions were in force at once. */
    effectiveFrom: text<CalendarDate>().strictNullable(),
    withdrawn: p.boolean(),
  },
});

/** Rows that operators added to the IOF table. `rate`: in ppm. */
export const IofRateEntity = defineEntity({
  name: 'IofRate',
  properties: {
    number: p.bigint('number').primary().autoincrement(),
    iofClass: text<IofClass>(),
    validFrom: text<CalendarDate>(),
    rate: p.integer().$type<Rate>(),
    legalBasis: text(),
    addedAt: moment(),
  },
});

/** Counted up by every change of what processes keep in memory. */
const RevisionEntity = defineEntity({
  name: 'Revision',
  properties: { topic: text().primary(), number: p.bigint('number') },
});

/** A public key that has signed evidence, as a JWK. */
const EvidenceKeyEntity = defineEntity({
  name: 'EvidenceKey',
  properties: {
    keyId: text().primary(),
    jwk: p.json<JsonObject>(),
    keptAt: moment(),
    withdrawnAt: moment().strictNullable(),
  },
});

/** What a client has done in the test environment. */
const ReadinessEntity = defineEntity({
  name: 'Readiness',
  properties: { clientId: text().primary(), done: p.json<Readiness>() },
});

export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  properties: {
    id: text().primary(),
    channelLink: text(),
    url: text(),
    events: p.json<readonly Subscription[]>(),
    description: text().strictNullable(),
    createdAt: moment(),
    disabledReason: text<DisabledReason>().strictNullable(),
    disabledAt: moment().strictNullable(),
    sealedSecret: text(),
    previousSecret: text().strictNullable(),
    previousUntil: moment().strictNullable(),
    failingSince: moment().strictNullable(),
    pausedUntil: moment().strictNullable(),
    version: p.integer().version(),
  },
});

/** A replay that is not over. `lastPlace`: of the last step that was noted. */
const WebhookReplayEntity = defineEntity({
  name: 'WebhookReplay',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    endpointId: text(),
    fromTime: moment(),
    toTime: moment(),
    lastPlace: p.bigint('number'),
    takenUntil: moment().strictNullable(),
  },
});

/** The entity of a table that statements write too. */
const entityOf = <Some extends columns.Columns>(tableName: string, described: Some) =>
  new EntitySchema<{ -readonly [Name in keyof Some]: columns.RowOf<Some>[Name] }>({
    name: tableName,
    tableName,
    properties: Object.fromEntries(
      Object.entries(described).map(([property, each]) => [
        property,
        {
          // By the parts of JSON can be looked for.
          type: /^jsonb?$/.test(each.type) ? types.json : typeOf(each),
          columnType: each.type,
          fieldName: columns.columnName(property),
          nullable: each.isNullable === true,
          primary: each.isKey === true,
          autoincrement: each.isGenerated === true,
        },
      ]),
    ) as never,
  });

const SaleEntity = entityOf('sale', SALE);

export const AuditEntryEntity = entityOf('audit_entry', NUMBERED_AUDIT_ENTRY);

const AlertEntity = entityOf('alert', { ...ALERT, ...ALERT_STATE });

export const ENTITIES = {
  ApiClientEntity,
  CatalogueVersionEntity,
  IofRateEntity,
  RevisionEntity,
  EvidenceKeyEntity,
  ReadinessEntity,
  WebhookEndpointEntity,
  WebhookReplayEntity,
  SaleEntity,
  AuditEntryEntity,
  AlertEntity,
};
