import type { TSchema } from 'typebox';
import type { Clock } from '../../../application/clock.ts';
import type { ExamineSale } from '../../../application/sales/examine-sale.ts';
import type { SaleRefusal } from '../../../application/sales/register-sale.ts';
import type { Sell } from '../../../application/sales/sell.ts';
import { type Faults, type Refused, refused } from '../answers.ts';
import { type Context, callerOf, type Step } from '../context.ts';
import { conflictSchema, houseErrorSchema } from '../error-schemas.ts';
import { validator } from '../validation.ts';
import type { SaleDialect, SaleEndpoint } from './dialect.ts';
import { conflict, type Fingerprint, idempotencyOf } from './idempotency.ts';
import { REFUSAL_ANSWERS, wordsFor } from './refusals.ts';
import { busy } from './words.ts';

export interface CreateParts {
  readonly sell: Sell;
  readonly examineSale: ExamineSale;
  readonly clock: Clock;
  readonly fingerprint: Fingerprint;
}

type Dialect = SaleEndpoint['dialects'][number];

/** Sells what the endpoint sells: validate, translate, sell, present. */
export const createSale = (parts: CreateParts, endpoint: SaleEndpoint): Step => {
  const understood = new Map(endpoint.dialects.map((dialect) => [dialect, inDialect(parts, endpoint, dialect)]));
  return (ctx) => {
    const body = ctx.request.body as Record<string, unknown>;
    const { channelLink } = callerOf(ctx);
    const named = body['channelLink'];
    if (channelLink === null || (typeof named === 'string' && named !== channelLink)) {
      throw refused(403, REFUSAL_ANSWERS.channel_not_own.message);
    }
    return understood.get(endpoint.dialectOf(body))?.(ctx, body, channelLink);
  };
};

const inDialect = ({ sell, examineSale, clock, fingerprint }: CreateParts, endpoint: SaleEndpoint, dialect: Dialect) => {
  const check = validator(dialect.schema);
  const { line } = endpoint;

  return async (ctx: Context, body: object, channelLink: string): Promise<void> => {
    const today = clock.today();
    const checked = check(body);
    const { sound } = checked;
    const faults = { ...dialect.ownFaults(sound, checked.faults, today), ...checked.faults };
    if (!checked.ok || Object.keys(faults).length > 0) {
      const { reasons } = await examineSale({ ...dialect.draft(sound, today), channelLink, line });
      const found = reasons.map((kind) => ({ kind }));
      throw endpoint.faulty({ ...fieldFaults(found, dialect), ...faults });
    }

    const idempotency = idempotencyOf(ctx, dialect.schema, checked.value as object, fingerprint);
    const seller = { clientId: callerOf(ctx).clientId, channelLink };
    const request = { ...dialect.request(checked.value, today), seller, channelLink, line, idempotency };
    const card = dialect.card?.(checked.value);
    const outcome = await sell(request, { card, orderedFrom: ctx.state.applicant.address ?? undefined });
    if (outcome.kind === 'refused') throw refusal(outcome.reasons, endpoint, dialect);
    if (outcome.kind === 'conflict') {
      throw conflict(
        outcome.saleId,
        outcome.differences,
        endpoint.dialects.map(({ schema }) => schema),
      );
    }
    if (outcome.kind === 'running') throw stillRunning(outcome.saleId);
    if (outcome.replayed) ctx.set('Idempotent-Replayed', 'true');
    ctx.body = endpoint.present(outcome.sale);
  };
};

const fieldFaults = (
  reasons: readonly SaleRefusal[],
  { fieldOf, messageOf = {} }: Pick<SaleDialect<TSchema>, 'fieldOf' | 'messageOf'>,
): Faults => {
  const faults: Record<string, string[]> = {};
  for (const reason of reasons) {
    const field: string = fieldOf[reason.kind];
    if (REFUSAL_ANSWERS[reason.kind].status === 422) faults[field] = [...(faults[field] ?? []), wordsFor(reason, messageOf)];
  }
  return faults;
};

/** A refusal of the caller outweighs the faults of a field. */
const refusal = (reasons: readonly SaleRefusal[], endpoint: SaleEndpoint, dialect: Dialect): Refused => {
  const forbidden = reasons.map(({ kind }) => REFUSAL_ANSWERS[kind]).find(({ status }) => status === 403);
  return forbidden ? refused(403, forbidden.message) : endpoint.faulty(fieldFaults(reasons, dialect));
};

const stillRunning = (transactionId: number): Refused =>
  busy('A primeira requisição com este Idempotency-Key ainda está em andamento. Tente novamente em instantes.', {
    transaction_id: transactionId,
  });

/** What an endpoint that sells may refuse, whatever it sells. */
export const SELLING_REFUSALS = {
  403: { description: 'Canal ou produto não permitido ao cliente', schema: houseErrorSchema },
  409: { description: 'Idempotency-Key já usada com outro conteúdo, ou ainda em andamento', schema: conflictSchema },
};
