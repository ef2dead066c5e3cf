import type { TSchema } from 'typebox';
import type { CalendarDate } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { PaymentCard } from '../../../application/payments/payment-card.ts';
import type { ExamineSale } from '../../../application/sales/examine-sale.ts';
import type {
  Disagreement,
  SaleRefusal,
  SaleRequest,
} from '../../../application/sales/sale-request.ts';
import { type AnswerError, type FieldFaults, standardError } from '../contract/answer-error.ts';
import { compileValidator } from '../contract/validation.ts';
import { type Context, callerOf } from '../pipeline/context.ts';
import type { Fingerprint } from './idempotency.ts';
import { describeAttributeFaults } from './sale-attributes.ts';
import type { SaleDialect, SaleEndpoint } from './sale-dialect.ts';
import { describeRefusal, REFUSAL_ANSWERS } from './sale-refusals.ts';

export interface ReadParts {
  readonly examineSale: ExamineSale;
  readonly clock: Clock;
  readonly fingerprint: Fingerprint;
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
): ((ctx: Context) => SaleRead | FaultySale) => {
  const readers = new Map(
    endpoint.dialects.map((dialect) => [dialect, compileDialectReader(parts, endpoint, dialect)]),
  );

  return function readSale(ctx) {
    const body = ctx.request.body as Record<string, unknown>;
    const { channelLink } = callerOf(ctx);
    const sentLink = body['channelLink'];
    if (channelLink === null || (typeof sentLink === 'string' && sentLink !== channelLink))
      throw standardError(403, REFUSAL_ANSWERS.channel_not_own.message);

    const dialect = endpoint.dialectOf(body);
    const readDialect = readers.get(dialect) as ReturnType<typeof compileDialectReader>;
    return readDialect(ctx, body, channelLink);
  };
};

const compileDialectReader = (
  { clock, fingerprint }: ReadParts,
  { line, naming }: SaleEndpoint,
  dialect: Dialect,
) => {
  const validate = compileValidator(dialect.schema);

  return function readDialect(
    ctx: Context,
    body: object,
    channelLink: string,
  ): SaleRead | FaultySale {
    const today = clock.today();
    const checked = validate(body);
    const { sound, faults: fieldFaults } = checked;
    const faults = { ...dialect.ownFaults(sound, fieldFaults, today), ...fieldFaults };
    if (!checked.ok || Object.keys(faults).length > 0)
      return { kind: 'faulty', dialect, channelLink, today, sound, fieldFaults, faults };

    const { value } = checked;
    const request = {
      ...dialect.request(value, today),
      seller: { clientId: callerOf(ctx).clientId, channelLink },
      channelLink,
      line,
      idempotency: naming.of(ctx, dialect.schema, value as object, fingerprint),
    };
    return { kind: 'read', request, card: dialect.card?.(value), dialect };
  };
};

/** The answer to a body with faults: those of the body, and those that the catalogue tells. */
export const explainFaults = async (
  { examineSale }: ReadParts,
  endpoint: SaleEndpoint,
  { dialect, sound, today, fieldFaults, faults, channelLink }: FaultySale,
): Promise<AnswerError> => {
  const { reasons, attributeFaults } = await examineSale({
    ...dialect.draft(sound, today, fieldFaults),
    channelLink,
    line: endpoint.line,
  });
  const disagreement = { reasons: reasons.map((kind) => ({ kind })), attributeFaults };
  return endpoint.faulty({ ...describeDisagreement(disagreement, dialect), ...faults });
};

const describeDisagreement = (
  { reasons, attributeFaults }: Disagreement,
  { fieldOf, messageOf = {} }: Pick<SaleDialect<TSchema>, 'fieldOf' | 'messageOf'>,
): FieldFaults => {
  const faults: Record<string, string[]> = {};
  const addFault = (reason: SaleRefusal): void => {
    const field: string = fieldOf[reason.kind];
    faults[field] = [...(faults[field] ?? []), describeRefusal(reason, messageOf)];
  };
  for (const reason of reasons) if (REFUSAL_ANSWERS[reason.kind].status === 422) addFault(reason);
  return { ...faults, ...describeAttributeFaults(attributeFaults) };
};

/** The answer to a refused sale. A refusal of the caller (403) takes precedence over faults. */
export const refusalError = (
  disagreement: Disagreement,
  endpoint: SaleEndpoint,
  dialect: Dialect,
): AnswerError => {
  const forbidden = disagreement.reasons
    .map(({ kind }) => REFUSAL_ANSWERS[kind])
    .find(({ status }) => status === 403);
  return forbidden
    ? standardError(403, forbidden.message)
    : endpoint.faulty(describeDisagreement(disagreement, dialect));
};
