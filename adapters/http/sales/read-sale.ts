import type { Static, TObjectOptions } from 'typebox';
import { type ChannelTexts, channelTextsOf, isChannelLink, refuse } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { PaymentCard } from '../../../application/payments/payment-card.ts';
import type { NotSellable } from '../../../application/sales/sale-refusals.ts';
import type { DraftPart, SaleDraft, SaleRequest } from '../../../application/sales/sale-request.ts';
import type { FindFaults } from '../../../application/selling/find-terms.ts';
import {
  type acceptanceBody,
  findAcceptanceFaults,
  readAcceptance,
} from '../contract/acceptance.ts';
import type { AnswerError } from '../contract/answer-error.ts';
import type { FieldFaults } from '../contract/field-faults.ts';
import { compileUnknownFields } from '../contract/known-fields.ts';
import { refusalError } from '../contract/refusal-answers.ts';
import { compileValidator } from '../contract/validation.ts';
import { callerOf, type Exchange } from '../pipeline/context.ts';
import type { Fingerprint } from './idempotency.ts';
import type { SaleEndpoint } from './sale-dialect.ts';
import {
  type Body,
  compileCommonFaults,
  compileDraft,
  compileInsured,
  type SaleFields,
} from './sale-fields.ts';
import { codeOfRefusals, describeRefusals, isForbidden } from './shown-refusals.ts';

export interface ReadParts {
  readonly findFaults: FindFaults;
  readonly clock: Clock;
  readonly fingerprint: Fingerprint;
  /** Whether every unknown field is refused, also without `Prefer`. */
  readonly refusesUnknown: boolean;
}

type Dialect = SaleEndpoint['dialects'][number];

/** A body without faults, as a request of the domain, and the dialect of the body. */
export interface SaleRead {
  readonly kind: 'read';
  readonly request: SaleRequest;
  readonly card: PaymentCard | undefined;
  readonly dialect: Dialect;
}

/** A body with faults. `explainFaults` adds those that only the catalogue can tell. */
export interface FaultySale {
  readonly kind: 'faulty';
  readonly dialect: Dialect;
  /** What the sound fields ask for; absent: no field is sound. */
  readonly draft?: SaleDraft;
  readonly faults: FieldFaults;
}

/** Returns a function that reads the body of an endpoint which sells. */
export const compileSaleReader = (
  parts: ReadParts,
  endpoint: SaleEndpoint,
): ((exchange: Exchange) => SaleRead | FaultySale) => {
  const readers = new Map(
    endpoint.dialects.map((dialect) => [dialect, compileDialectReader(parts, endpoint, dialect)]),
  );

  return function readSale(exchange) {
    const body = exchange.request.body as Record<string, unknown>;
    const { channelLink } = callerOf(exchange);
    const sentLink = body['channelLink'];
    if (channelLink === null || (namesChannel(sentLink) && sentLink.trim() !== channelLink))
      throw refusalError(refuse('channel_not_own'));

    const dialect = endpoint.dialectOf?.(body) ?? endpoint.dialects[0];
    const readDialect = readers.get(dialect) as ReturnType<typeof compileDialectReader>;
    return readDialect(exchange, body, channelLink);
  };
};

/** Whether it may name a channel. Other values are faults of the field. */
const namesChannel = (sent: unknown): sent is string =>
  typeof sent === 'string' && isChannelLink(sent.trim());

const compileDialectReader = (
  { clock, fingerprint, refusesUnknown }: ReadParts,
  { line, naming }: SaleEndpoint,
  dialect: Dialect,
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
  ): SaleRead | FaultySale {
    const today = clock.today();
    const checked = validate(body);
    const { faults: fieldFaults } = checked;
    const sound = checked.sound as Body;
    const { acceptance } = sound as { readonly acceptance?: Static<typeof acceptanceBody> };
    const faults = {
      ...findCommonFaults(sound, fieldFaults, today),
      ...dialect.ownFaults(sound, fieldFaults, today),
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

/**
 * The answer to a body with faults: those of the body, and those that the catalogue tells of the
 * sound fields.
 */
export const explainFaults = async (
  { findFaults }: ReadParts,
  endpoint: SaleEndpoint,
  { dialect, draft, faults }: FaultySale,
): Promise<AnswerError> =>
  draft === undefined
    ? endpoint.faulty(faults, 'validation_failed')
    : notSellableError(await findFaults(draft), endpoint, dialect, faults);

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

/**
 * The answer to a refused sale. A refusal of the caller (403) takes precedence over faults.
 *
 * @param faults of the body
 */
export const notSellableError = (
  refused: Pick<NotSellable, 'reasons' | 'attributeFaults'>,
  endpoint: SaleEndpoint,
  dialect: Dialect,
  faults: FieldFaults = {},
): AnswerError => {
  const forbidden = refused.reasons.find(isForbidden);
  if (forbidden) return refusalError(forbidden);

  const told = Object.entries(describeRefusals(refused, dialect));
  const paths = Object.keys(faults);
  // A field cannot be judged while a field inside it, or around it, is faulty.
  const isApart = (field: string) =>
    !paths.some((path) => field.startsWith(`${path}.`) || path.startsWith(`${field}.`));
  return endpoint.faulty(
    { ...Object.fromEntries(told.filter(([field]) => isApart(field))), ...faults },
    codeOfRefusals(refused.reasons),
  );
};
