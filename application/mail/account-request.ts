import {
  type CalendarDate,
  type Cents,
  type Insured,
  type Insurer,
  outstandingRefunds,
  protocolOf,
  type Sale,
} from '#domain';
import { channelNameOf, productSold } from '../certificates/compose-certificate.ts';
import type { Ports } from '../ports.ts';

/** The request to a payer to name an account that receives a refund. */
export interface AccountRequest {
  /** What goes back, in cents. */
  readonly amount: Cents;
  /** The page of the gateway on which the payer names the account. */
  readonly url: string;
  /** The last day on which the service waits without help. */
  readonly until: CalendarDate;
  /** Whether an earlier mail has asked for it. */
  readonly isReminder: boolean;
  /** Absent if the sale was not cancelled. */
  readonly protocol?: string;
  readonly productName: string;
  readonly insured: Pick<Insured, 'name' | 'socialName'>;
  readonly channelName: string;
  readonly insurer: Insurer;
}

type Needs = Pick<Ports, 'catalogue'>;

/** Undefined if no refund of the sale waits for an account. */
export type ComposeAccountRequest = (sale: Sale) => Promise<AccountRequest | undefined>;

export const makeComposeAccountRequest = ({ catalogue }: Needs): ComposeAccountRequest =>
  async function composeAccountRequest(sale) {
    const refund = outstandingRefunds(sale).find(({ waitsFor }) => waitsFor?.actor === 'insured');
    const { url, until, asked } = refund?.waitsFor ?? {};
    if (refund === undefined || url === undefined || until === undefined) return undefined;

    const { name: productName, registration } = await productSold(catalogue, sale);
    const protocol = protocolOf(sale);
    return {
      ...{ amount: refund.amount, url, until, isReminder: asked !== 1 },
      ...(protocol !== undefined && { protocol }),
      productName,
      insured: sale.terms.insured,
      channelName: await channelNameOf(catalogue, sale.terms),
      insurer: registration.insurer,
    };
  };
