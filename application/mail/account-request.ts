import { outstandingRefunds, protocolOf, type Sale } from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { channelNameOf, productSold } from '../certificates/compose-certificate.ts';
import type { AccountRequest } from './mailer.ts';

interface Needs {
  readonly catalogue: Catalogue;
}

/** Undefined if no refund of the sale waits for an account. */
export type ComposeAccountRequest = (sale: Sale) => Promise<AccountRequest | undefined>;

export const makeComposeAccountRequest = ({ catalogue }: Needs): ComposeAccountRequest =>
  async function composeAccountRequest(sale) {
    const waiting = outstandingRefunds(sale).flatMap(({ amount, waitsFor }) => {
      const { actor, url, until, asked } = waitsFor ?? {};
      if (actor !== 'insured' || url === undefined || until === undefined) return [];
      return [{ refund: { amount, url, until }, isReminder: asked !== 1 }];
    });
    if (waiting.length === 0) return undefined;

    const { name: productName, registration } = await productSold(catalogue, sale);
    const protocol = protocolOf(sale);
    return {
      refunds: waiting.map(({ refund }) => refund),
      isReminder: waiting.every(({ isReminder }) => isReminder),
      ...(protocol !== undefined && { protocol }),
      productName,
      insured: sale.terms.insured,
      channelName: await channelNameOf(catalogue, sale.terms),
      insurer: registration.insurer,
    };
  };
