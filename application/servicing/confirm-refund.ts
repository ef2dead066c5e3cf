import {
  type ChannelRefund,
  confirmChannelRefund,
  isRefusal,
  type Refusal,
  refuse,
  type Sale,
} from '#domain';
import type { Actor, AuditEntry } from '../audit/audit-log.ts';
import { type Clock, momentOf } from '../clock.ts';
import { type ChangePorts, changeSale } from '../saga/change-sale.ts';

/** `nothing_to_refund`: the channel owes no refund. `refund_too_large`: it owes less, as `expected`. */
export type ConfirmRefusal = Refusal<'nothing_to_refund' | 'refund_too_large'>;

/** Notes a refund that the channel has made. Repeated, it changes nothing. */
export type ConfirmRefund = (
  sale: Sale,
  refund: ChannelRefund,
  actor: Actor,
) => Promise<Sale | ConfirmRefusal>;

export const makeConfirmRefund =
  ({ clock, ...ports }: ChangePorts & { readonly clock: Clock }): ConfirmRefund =>
  async (sale, refund, actor) => {
    const now = momentOf(clock);
    let refused: ReturnType<typeof confirmChannelRefund> | undefined;
    const entry: AuditEntry = {
      ...{ at: now.at, action: 'sale.refund_confirmed', actor, reason: null },
      subject: `transaction/${sale.id}`,
      changes: [{ field: 'refunded', before: null, after: refund.amount }],
    };
    const changed = await changeSale(
      ports,
      sale,
      (present) => {
        const outcome = confirmChannelRefund(present, refund, now);
        refused = isRefusal(outcome) ? outcome : undefined;
        return isRefusal(outcome) ? present : outcome.state;
      },
      () => ({ entry }),
    );
    if (refused === undefined || !isRefusal(refused)) return changed;
    return refused.kind === 'refund_amount_differs'
      ? refuse('refund_too_large', refused.expected)
      : refuse('nothing_to_refund');
  };
