import type { Static, TObjectOptions, TSchema } from 'typebox';
import { type ChannelTexts, channelTextsOf, isChannelLink, isRefusal, refuse } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { CardNeeds } from '../../../application/payments/payments.ts';
import type { DraftPart, SaleRequest } from '../../../application/sales/sale-request.ts';
import type { FindCardNeeds } from '../../../application/selling/find-card-needs.ts';
import type { FindFaults } from '../../../application/selling/find-terms.ts';
import type { Sell } from '../../../application/selling/sell.ts';
import {
  type acceptanceBody,
  findAcceptanceFaults,
  readAcceptance,
} from '../../kit/contract/acceptance.ts';
import { conflictSchema, standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import type { FieldFaults } from '../../kit/contract/field-faults.ts';
import { compileUnknownFields } from '../../kit/contract/known-fields.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileValidator } from '../../kit/contract/validation.ts';
import { callerOf, type Exchange } from '../../kit/web/pipeline/context.ts';
import type { Fingerprint } from './idempotency.ts';
import type {
  FaultySale,
  SaleDialect,
  SaleEndpoint,
  SaleFields,
  SaleRead,
} from './sale-dialect.ts';
import { type Body, compileCommonFaults, compileDraft, compileInsured } from './sale-fields.ts';
import { explainFaults, notSoldError } from './shown-refusals.ts';

export interface ReadParts {
  readonly findFaults: FindFaults;
  readonly clock: Clock;
  readonly fingerprint: Fingerprint;
  /** Whether every unknown field is refused, also without `Prefer`. */
  readonly refusesUnknown: boolean;
}

export interface CreateParts extends ReadParts {
  readonly sell: Sell;
}

/**
 * Reads the request, sells, and presents the sale.
 *
 * @param findCardNeeds absent where no card is taken
 */
export const createSale = (
  parts: CreateParts,
  endpoint: SaleEndpoint,
  findCardNeeds?: FindCardNeeds,
): ((exchange: Exchange) => Promise<void>) => {
  const { sell } = parts;
  const readRequest = compileSaleReader(parts, endpoint);

  return async function createSale(exchange) {
    const read = readRequest(exchange, await findCardNeeds?.(callerOf(exchange).channelLink));
    if (read.kind === 'faulty') throw await explainFaults(parts, endpoint, read);

    const outcome = await sell(read.request, {
      card: read.card,
      orderedFrom: exchange.state.applicant.address ?? undefined,
    });
    if (isRefusal(outcome)) throw notSoldError(outcome, endpoint, read.dialect);

    const { sale, replayed } = outcome;
    const { code: productCode } = sale.terms.product;
    const effect = { kind: 'sold', productCode } as const;
    exchange.state.effect = { effect, saleId: sale.id, replayed };
    if (replayed) exchange.set('Idempotent-Replayed', 'true');
    exchange.status = replayed ? 200 : (endpoint.createdStatus ?? 200);
    exchange.body = endpoint.present(sale, exchange.request.body as Record<string, unknown>);
  };
};

/** Returns a function that reads the body of an endpoint which sells. */
export const compileSaleReader = (
  parts: ReadParts,
  endpoint: SaleEndpoint,
): ((exchange: Exchange, cardNeeds?: CardNeeds) => SaleRead | FaultySale) => {
  const readers = new Map(
    endpoint.dialects.map((dialect) => [dialect, compileDialectReader(parts, endpoint, dialect)]),
  );

  return function readRequest(exchange, cardNeeds) {
    const body = exchange.request.body as Record<string, unknown>;
    const { channelLink } = callerOf(exchange);
    const sentLink = body['channelLink'];
    if (channelLink === null || (namesChannel(sentLink) && sentLink.trim() !== channelLink))
      throw refusalError(refuse('channel_not_own'));

    const dialect = endpoint.dialectOf?.(body) ?? endpoint.dialects[0];
    const readDialect = readers.get(dialect) as ReturnType<typeof compileDialectReader>;
    return readDialect(exchange, body, channelLink, cardNeeds);
  };
};

/** Whether it may name a channel. Other values are faults of the field. */
const namesChannel = (sent: unknown): sent is string =>
  typeof sent === 'string' && isChannelLink(sent.trim());

const compileDialectReader = (
  { clock, fingerprint, refusesUnknown }: ReadParts,
  { line, naming }: SaleEndpoint,
  dialect: SaleDialect<TSchema>,
) => {
  const validate = compileValidator(dialect.schema);
  const findUnknown = compileUnknownFields(dialect.schema);
  const readDraft = compileDraft(dialect.fields);
  const readInsured = compileInsured(dialect.fields, dialect.address);
  const findCommonFaults = compileCommonFaults(dialect.fields);
  const readName = naming(dialect.schema, fingerprint);

  const isClosed = (dialect.schema as TObjectOptions).additionalProperties === false;

  /** Complains of unknown fields. Those that are ignored are named in a header. */
  const complainOfUnknown = (exchange: Exchange, body: object): FieldFaults => {
    const unknown = findUnknown(body);
    if (unknown === undefined) return NO_FAULTS;
    if (!isClosed) exchange.set('X-Ignored-Fields', unknown.header);
    const isStrict = isClosed || refusesUnknown || prefersStrict(exchange);
    return isStrict ? unknown.complain() : unknown.complainOfWeighty();
  };

  return function readDialect(
    exchange: Exchange,
    body: object,
    channelLink: string,
    cardNeeds: CardNeeds | undefined,
  ): SaleRead | FaultySale {
    const today = clock.today();
    const checked = validate(body);
    const { faults: fieldFaults } = checked;
    const sound = checked.sound as Body;
    const { acceptance } = sound as { readonly acceptance?: Static<typeof acceptanceBody> };
    const faults = {
      ...findCommonFaults(sound, fieldFaults, today),
      ...dialect.ownFaults(sound, fieldFaults, today, cardNeeds),
      ...(acceptance && findAcceptanceFaults(acceptance, clock.now())),
      ...fieldFaults,
      ...complainOfUnknown(exchange, body),
    };
    const asked = {
      ...readDraft(sound),
      ...dialect.readMore?.(sound),
      payment: dialect.payment(sound, today),
      channelLink,
      line,
    };
    if (!checked.ok || Object.keys(faults).length > 0) {
      // No field is sound if the body has more faults than an answer lists.
      if (Object.keys(sound).length === 0) return { kind: 'faulty', dialect, faults };
      const unknown = findUnknownParts(dialect.fieldsIn?.(sound) ?? dialect.fields, faults);
      const insuredObject = dialect.insuredObject(checked.sound as never, fieldFaults);
      return { kind: 'faulty', dialect, draft: { ...asked, insuredObject, unknown }, faults };
    }

    const { value } = checked;
    const { insured, additionalInsured } = readInsured(value as Body);
    // The schema has checked that every part is there that a request must have.
    const request = {
      ...asked,
      insured,
      additionalInsured,
      insuredObject: dialect.insuredObject(value as never),
      client: { clientId: callerOf(exchange).clientId, channelLink },
      ...channelTextsOf(value as ChannelTexts),
      acceptance: acceptance && readAcceptance(acceptance),
      idempotency: readName(exchange, value as object),
    } as SaleRequest;
    return { kind: 'read', request, card: dialect.card?.(value, insured), dialect };
  };
};

const NO_FAULTS: FieldFaults = {};

/** RFC 7240, section 4.4. */
const prefersStrict = ({ headers }: Exchange): boolean =>
  headers['prefer'] !== undefined && /\bhandling\s*=\s*"?strict\b/i.test(String(headers['prefer']));

/** The parts with a faulty field. A field is faulty as well if one around it is. */
const findUnknownParts = (fields: SaleFields, faults: FieldFaults): ReadonlySet<DraftPart> => {
  const faultyPaths = Object.keys(faults);
  const isFaulty = (field: string): boolean => {
    const [name, isWhole] = [field.replace(/\.$/, ''), field.endsWith('.')];
    return faultyPaths.some(
      (path) => path === name || name.startsWith(`${path}.`) || (isWhole && path.startsWith(field)),
    );
  };
  const parts = Object.entries(fields) as [DraftPart, readonly string[]][];
  return new Set(parts.flatMap(([part, each]) => (each.some(isFaulty) ? [part] : [])));
};

/** The refusals that every endpoint which sells may answer. */
export const SELLING_REFUSALS = {
  403: {
    name: 'NotGranted',
    description: 'Canal ou produto não permitido ao cliente',
    schema: standardErrorSchema,
  },
  409: {
    name: 'SaleConflict',
    description: 'Venda já feita com outro conteúdo sob o mesmo nome, ou ainda em andamento',
    schema: conflictSchema,
  },
};
