import type { TSchema } from 'typebox';
import type { Clock } from '../../../application/clock.ts';
import type { PaymentCard } from '../../../application/payments/payment-card.ts';
import type { ExamineSale } from '../../../application/sales/examine-sale.ts';
import type {
  Disagreement,
  SaleRefusal,
  SaleRequest,
} from '../../../application/sales/sale-request.ts';
import { type Faults, type Refused, refused } from '../contract/answer-error.ts';
import { type Context, callerOf } from '../pipeline/context.ts';
import { validator } from '../contract/validation.ts';
import { faultsIn } from './sale-attributes.ts';
import type { SaleDialect, SaleEndpoint } from './sale-dialect.ts';
import type { Fingerprint } from './idempotency.ts';
import { REFUSAL_ANSWERS, wordsFor } from './sale-refusals.ts';

export interface ReadParts {
  readonly examineSale: ExamineSale;
  readonly clock: Clock;
  readonly fingerprint: Fingerprint;
}

type Dialect = SaleEndpoint['dialects'][number];

/** A sale as it was asked for, in the field's own terms, and the dialect in which that was said. */
export interface SaleRead {
  readonly request: SaleRequest;
  readonly card: PaymentCard | undefined;
  readonly dialect: Dialect;
}

/** Reads what an endpoint that sells was sent. @throws Refused with every fault that can be found before anything is priced. */
export const saleReader = (
  parts: ReadParts,
  endpoint: SaleEndpoint,
): ((ctx: Context) => Promise<SaleRead>) => {
  const understood = new Map(
    endpoint.dialects.map((dialect) => [dialect, inDialect(parts, endpoint, dialect)]),
  );
  return async (ctx) => {
    const body = ctx.request.body as Record<string, unknown>;
    const { channelLink } = callerOf(ctx);
    const named = body['channelLink'];
    if (channelLink === null || (typeof named === 'string' && named !== channelLink)) {
      throw refused(403, REFUSAL_ANSWERS.channel_not_own.message);
    }
    const read = understood.get(endpoint.dialectOf(body)) as ReturnType<typeof inDialect>;
    return read(ctx, body, channelLink);
  };
};

const inDialect = (
  { examineSale, clock, fingerprint }: ReadParts,
  endpoint: SaleEndpoint,
  dialect: Dialect,
) => {
  const check = validator(dialect.schema);
  const { line } = endpoint;

  return async (ctx: Context, body: object, channelLink: string): Promise<SaleRead> => {
    const today = clock.today();
    const checked = check(body);
    const { sound } = checked;
    const faults = { ...dialect.ownFaults(sound, checked.faults, today), ...checked.faults };
    if (!checked.ok || Object.keys(faults).length > 0) {
      const { reasons, attributeFaults } = await examineSale({
        ...dialect.draft(sound, today, checked.faults),
        channelLink,
        line,
      });
      const found = { reasons: reasons.map((kind) => ({ kind })), attributeFaults };
      throw endpoint.faulty({ ...faultsOf(found, dialect), ...faults });
    }
    const idempotency = endpoint.naming.of(
      ctx,
      dialect.schema,
      checked.value as object,
      fingerprint,
    );
    const seller = { clientId: callerOf(ctx).clientId, channelLink };
    const request = {
      ...dialect.request(checked.value, today),
      seller,
      channelLink,
      line,
      idempotency,
    };
    return { request, card: dialect.card?.(checked.value), dialect };
  };
};

const faultsOf = (
  { reasons, attributeFaults }: Disagreement,
  { fieldOf, messageOf = {} }: Pick<SaleDialect<TSchema>, 'fieldOf' | 'messageOf'>,
): Faults => {
  const faults: Record<string, string[]> = {};
  const note = (reason: SaleRefusal): void => {
    const field: string = fieldOf[reason.kind];
    faults[field] = [...(faults[field] ?? []), wordsFor(reason, messageOf)];
  };
  for (const reason of reasons) if (REFUSAL_ANSWERS[reason.kind].status === 422) note(reason);
  return { ...faults, ...faultsIn(attributeFaults) };
};

/** A refusal of the caller outweighs the faults of a field. */
export const refusalOf = (
  disagreement: Disagreement,
  endpoint: SaleEndpoint,
  dialect: Dialect,
): Refused => {
  const forbidden = disagreement.reasons
    .map(({ kind }) => REFUSAL_ANSWERS[kind])
    .find(({ status }) => status === 403);
  return forbidden
    ? refused(403, forbidden.message)
    : endpoint.faulty(faultsOf(disagreement, dialect));
};
