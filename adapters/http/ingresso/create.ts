import type { TSchema } from 'typebox';
import type { Clock } from '../../../application/clock.ts';
import type { ExamineSale } from '../../../application/sales/examine-sale.ts';
import type { RegisterSale, SaleRefusalKind } from '../../../application/sales/register-sale.ts';
import { type Faults, Refused, refused } from '../answers.ts';
import { type Context, callerOf, type Step } from '../context.ts';
import { conflict, idempotencyOf } from '../idempotency.ts';
import { REFUSAL_ANSWERS } from '../refusals.ts';
import { validator } from '../validation.ts';
import { TICKET_LINE, type TicketDialect } from './dialect.ts';
import { mainDialect } from './main-body.ts';
import { presentCreated } from './present.ts';
import { quickStartDialect } from './quick-start-body.ts';

export interface CreateParts {
  readonly registerSale: RegisterSale;
  readonly examineSale: ExamineSale;
  readonly clock: Clock;
}

/** Registers a ticket sale that the channel has already been paid for, in either of the two shapes. */
export const createTicketSale = (parts: CreateParts): Step => {
  const [main, quickStart] = [inDialect(parts, mainDialect), inDialect(parts, quickStartDialect)];
  return (ctx) => {
    const body = ctx.request.body as Record<string, unknown>;
    const { channelLink } = callerOf(ctx);
    const named = body['channelLink'];
    if (channelLink === null || (typeof named === 'string' && named !== channelLink)) throw refuseAll(['channel_not_own']);
    const isQuickStart = (body['nomeCompleto'] ?? null) === null && (body['nameOrRazao'] ?? null) !== null;
    return (isQuickStart ? quickStart : main)(ctx, body, channelLink);
  };
};

const inDialect = <Schema extends TSchema>({ registerSale, examineSale, clock }: CreateParts, dialect: TicketDialect<Schema>) => {
  const check = validator(dialect.schema);

  return async (ctx: Context, body: object, channelLink: string): Promise<void> => {
    const checked = check(body);
    const { sound } = checked;
    const faults = { ...dialect.ownFaults(sound, checked.faults), ...checked.faults };
    if (!checked.ok || Object.keys(faults).length > 0) {
      const { reasons } = await examineSale({ ...dialect.draft(sound, clock.today()), channelLink, line: TICKET_LINE });
      throw new Refused(422, { ...fieldFaults(reasons, dialect), ...faults });
    }

    const idempotency = idempotencyOf(ctx, dialect.schema, checked.value as object);
    const outcome = await registerSale({
      ...dialect.request(checked.value, clock.today()),
      seller: { clientId: callerOf(ctx).clientId, channelLink },
      channelLink,
      line: TICKET_LINE,
      ...(idempotency && { idempotency }),
    });
    if (outcome.kind === 'refused') throw refuseAll(outcome.reasons, dialect);
    if (outcome.kind === 'conflict')
      throw conflict(outcome.saleId, outcome.differences, [mainDialect.schema, quickStartDialect.schema]);
    if (outcome.replayed) ctx.set('Idempotent-Replayed', 'true');
    ctx.body = presentCreated(outcome.sale);
  };
};

/** How a shape of body shows what is refused. */
type Showing = Pick<TicketDialect<TSchema>, 'messageOf'> & { readonly fieldOf?: Partial<Record<SaleRefusalKind, string>> };

const fieldFaults = (reasons: readonly SaleRefusalKind[], { fieldOf = {}, messageOf = {} }: Showing): Faults => {
  const faults: Record<string, string[]> = {};
  for (const reason of reasons) {
    const { status, message } = REFUSAL_ANSWERS[reason];
    const field = fieldOf[reason];
    if (status === 422 && field !== undefined) faults[field] = [...(faults[field] ?? []), messageOf[reason] ?? message];
  }
  return faults;
};

/** A refusal of the caller outweighs the faults of a field. */
const refuseAll = (reasons: readonly SaleRefusalKind[], showing: Showing = {}): Refused => {
  const forbidden = reasons.map((reason) => REFUSAL_ANSWERS[reason]).find(({ status }) => status === 403);
  return forbidden ? refused(403, forbidden.message) : new Refused(422, fieldFaults(reasons, showing));
};
