import type { FailedSale, Insured, Insurer } from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { channelNameOf, productSold } from '../certificates/compose-certificate.ts';
import { describeFailure, describeMoneyOfFailure } from './failure-words.ts';

/** The notice to the insured that a purchase came to no contract. */
export interface FailureNotice {
  /** Why, and that there is no insurance. */
  readonly text: string;
  /** What happened to the money. */
  readonly money: string;
  /** The number under which the channel finds the sale: its own, or else the service's. */
  readonly order: string;
  readonly productName: string;
  readonly insured: Pick<Insured, 'name' | 'socialName'>;
  readonly channelName: string;
  readonly insurer: Insurer;
}

interface Needs {
  readonly catalogue: Catalogue;
}

export const makeComposeFailureNotice =
  ({ catalogue }: Needs) =>
  async (sale: FailedSale): Promise<FailureNotice> => {
    const { terms } = sale;
    const { name: productName, registration } = await productSold(catalogue, sale);
    return {
      text: describeFailure(sale, productName),
      money: describeMoneyOfFailure(sale),
      order: terms.externalSaleId ?? String(sale.id),
      productName,
      insured: terms.insured,
      channelName: await channelNameOf(catalogue, terms),
      insurer: registration.insurer,
    };
  };
