import { outstandingRefunds, protocolOf, type Sale } from '#domain';
import { channelNameOf, productSold } from '../certificates/compose-certificate.ts';
import type { Ports } from '../ports.ts';
import type { AccountRequest } from './mailer.ts';

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
