import type { Static, TObjectOptions, TSchema } from 'typebox';
import {
  type CalendarDate,
  type ChannelTexts,
  channelTextsOf,
  isChannelLink,
  refuse,
} from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { PaymentCard } from '../../../application/payments/payment-card.ts';
import type { NotSellable } from '../../../application/sales/sale-refusals.ts';
import type { DraftPart, SaleRequest } from '../../../application/sales/sale-request.ts';
import type { FindFaults } from '../../../application/terms/find-terms.ts';
import {
  type acceptanceBody,
  findAcceptanceFaults,
  readAcceptance,
} from '../contract/acceptance.ts';
import type { AnswerError } from '../contract/answer-error.ts';
import { type FieldFaults, groupFaults } from '../contract/field-faults.ts';
import {
  codeOfRefusals,
  complainOfRefusal,
  type FieldOfRefusal,
  fieldsOfRefusal,
  isForbidden,
  refusalError,
} from '../contract/refusal-answers.ts';
import { compileUnknownFields } from '../contract/unknown-fields.ts';
import { compileValidator } from '../contract/validation.ts';
import { callerOf, type Exchange } from '../pipeline/context.ts';
import type { Fingerprint } from './idempotency.ts';
import { complainOfAttributes } from './sale-attributes.ts';
import type { SaleDialect, SaleEndpoint } from './sale-dialect.ts';

export interface ReadParts {
  readonly findFaults: FindFaults;
  readonly clock: Clock;
  readonly fingerprint: Fingerprint;
  /** Whether every unknown field is refused, also without `Prefer`. */
  readonly refusesUnknown: boolean;
}

type Dialect = SaleEndpoint['dialects'][number];

/** Every dialect has this field, and the texts of the channel. */
interface Accepted {
  readonly acceptance?: Static<typeof acceptanceBody>;
}

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
  readonly channelLink: string;
  readonly today: CalendarDate;
  readonly sound: Parameters<Dialect['draft']>[0];
  /** The faults of single fields. */
  readonly fieldFaults: FieldFaults;
  /** Those and the faults between fields. */
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

    const dialect = endpoint.dialectOf(body);
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
    const { sound, faults: fieldFaults } = checked;
    const { acceptance } = sound as Partial<Accepted>;
    const faults = {
      ...dialect.ownFaults(sound, fieldFaults, today),
      ...(acceptance && findAcceptanceFaults(acceptance, clock.now())),
      ...fieldFaults,
      ...complainOfUnknown(exchange, body),
    };
    if (!checked.ok || Object.keys(faults).length > 0)
      return { kind: 'faulty', dialect, channelLink, today, sound, fieldFaults, faults };

    const { value } = checked;
    const request = {
      ...dialect.request(value, today),
      client: { clientId: callerOf(exchange).clientId, channelLink },
      channelLink,
      line,
      ...channelTextsOf(value as ChannelTexts),
      acceptance: acceptance && readAcceptance(acceptance as NonNullable<Accepted['acceptance']>),
      idempotency: naming(exchange, dialect.schema, value as object, fingerprint),
    };
    return { kind: 'read', request, card: dialect.card?.(value), dialect };
  };
};

const NO_FAULTS: FieldFaults = {};

/** RFC 7240, section 4.4. */
const prefersStrict = ({ headers }: Exchange): boolean =>
  headers['prefer'] !== undefined && /\bhandling\s*=\s*"?strict\b/i.test(String(headers['prefer']));

/**
 * The answer to a body with faults: those of the body, and those that the catalogue tells of the
 * sound fields. A refusal of the caller (403) takes precedence over faults.
 */
export const explainFaults = async (
  { findFaults }: ReadParts,
  endpoint: SaleEndpoint,
  { dialect, sound, today, fieldFaults, faults, channelLink }: FaultySale,
): Promise<AnswerError> => {
  // No field is sound if the body has more faults than an answer lists.
  if (Object.keys(sound).length === 0) return endpoint.faulty(faults, 'validation_failed');

  const paths = Object.keys(faults);
  const { reasons, attributeFaults } = await findFaults({
    ...dialect.draft(sound, today, fieldFaults),
    unknown: findUnknownParts(dialect.fieldsOfParts(sound), paths),
    channelLink,
    line: endpoint.line,
  });
  const forbidden = reasons.find(isForbidden);
  if (forbidden) return refusalError(forbidden);

  const told = Object.entries(describeRefusals({ reasons, attributeFaults }, dialect));
  // A field cannot be judged while a field inside it, or around it, is faulty.
  const isApart = (field: string) =>
    !paths.some((path) => field.startsWith(`${path}.`) || path.startsWith(`${field}.`));
  return endpoint.faulty(
    { ...Object.fromEntries(told.filter(([field]) => isApart(field))), ...faults },
    codeOfRefusals(reasons),
  );
};

/** The parts with a faulty field. A field is faulty as well if one around it is. */
const findUnknownParts = (
  fieldsOfParts: ReturnType<Dialect['fieldsOfParts']>,
  faultyPaths: readonly string[],
): ReadonlySet<DraftPart> => {
  const isFaulty = (field: string): boolean => {
    const [name, isWhole] = [field.replace(/\.$/, ''), field.endsWith('.')];
    return faultyPaths.some(
      (path) => path === name || name.startsWith(`${path}.`) || (isWhole && path.startsWith(field)),
    );
  };
  const parts = Object.entries(fieldsOfParts) as [DraftPart, readonly string[]][];
  return new Set(parts.flatMap(([part, fields]) => (fields.some(isFaulty) ? [part] : [])));
};

/** The complaints about the fields of a request, by refusals and faults of its attributes. */
export const describeRefusals = (
  { reasons, attributeFaults }: Pick<NotSellable, 'reasons' | 'attributeFaults'>,
  {
    fieldOf,
    complaintOf,
  }: Pick<SaleDialect<TSchema>, 'complaintOf'> & { readonly fieldOf: FieldOfRefusal<string> },
): FieldFaults => {
  const ofReasons = reasons.flatMap((reason) => {
    const complaint = complainOfRefusal(reason, complaintOf);
    return complaint === undefined
      ? []
      : fieldsOfRefusal(reason, fieldOf).map((field) => [field, complaint] as const);
  });
  return groupFaults([...ofReasons, ...complainOfAttributes(attributeFaults)]);
};

/** The answer to a refused sale. A refusal of the caller (403) takes precedence over faults. */
export const notSellableError = (
  refusal: NotSellable,
  endpoint: SaleEndpoint,
  dialect: Dialect,
): AnswerError => {
  const forbidden = refusal.reasons.find(isForbidden);
  return forbidden
    ? refusalError(forbidden)
    : endpoint.faulty(describeRefusals(refusal, dialect), codeOfRefusals(refusal.reasons));
};
