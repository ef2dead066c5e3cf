import {
  type CoveragePeriod,
  coverOf,
  emailOf,
  type Insurer,
  isCancelled,
  isFailed,
  protocolOf,
  type Sale,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { channelNameOf, productSold } from '../certificates/compose-certificate.ts';
import { type Field, objectFields, summarizeObject } from '../certificates/insured-object.ts';
import { describeCancellation, describeRefund } from '../mail/cancellation-words.ts';
import { makeComposeCancellationNotice } from '../mail/compose-cancellation-notice.ts';
import { describeFailure, describeMoneyOfFailure } from '../mail/failure-words.ts';
import type { Mailing, Mailings } from '../mail/mailings.ts';
import type { Sales } from '../sales/sales.ts';
import { maskEmail } from './correct-sale-email.ts';

/** What a payer is shown of the sale that is paid for. */
export interface Purchase {
  readonly sale: Sale;
  readonly productName: string;
  readonly channelName: string;
  readonly insurer: Insurer;
  readonly insuredObject: readonly Field[];
  readonly period: CoveragePeriod;
  /** The mail with the certificate; absent: none was asked for. */
  readonly certificateMail?: Mailing;
  /** The address of that mail: `m***@e***`. */
  readonly maskedEmail: string;
  /** Absent while the sale goes on. */
  readonly ending?: {
    readonly text: string;
    /** What happened to the money. */
    readonly money: string;
    /** The number of the cancellation. */
    readonly protocol?: string;
  };
}

interface Needs {
  readonly sales: Sales;
  readonly catalogue: Catalogue;
  readonly mailings: Mailings;
}

/** Undefined: there is no such sale. */
export type DescribePurchase = (saleId: number) => Promise<Purchase | undefined>;

export const makeDescribePurchase = ({ sales, catalogue, mailings }: Needs): DescribePurchase => {
  const composeNotice = makeComposeCancellationNotice({ catalogue });

  const endingOf = async (sale: Sale, productName: string): Promise<Purchase['ending']> => {
    if (isCancelled(sale)) {
      const notice = await composeNotice(sale);
      const text = describeCancellation(notice);
      return { text, money: describeRefund(notice), protocol: protocolOf(sale) as string };
    }
    if (!isFailed(sale)) return undefined;
    return { text: describeFailure(sale, productName), money: describeMoneyOfFailure(sale) };
  };

  return async function describePurchase(saleId) {
    const sale = await sales.load(saleId);
    if (sale === undefined) return undefined;
    const { terms } = sale;
    const [product, certificateMail] = await Promise.all([
      productSold(catalogue, sale),
      mailings.find({ saleId, number: 0 }),
    ]);
    const ending = await endingOf(sale, product.name);
    return {
      sale,
      channelName: channelNameOf(terms),
      productName: product.name,
      insurer: product.registration.insurer,
      insuredObject: summarizeObject(objectFields(terms.insuredObject, product.attributes)),
      period: coverOf(sale),
      maskedEmail: maskEmail(emailOf(sale)),
      ...(certificateMail && { certificateMail }),
      ...(ending && { ending }),
    };
  };
};
