import { coverOf, type EndedByCancellation, paperOf, protocolOf } from '#domain';
import { channelNameOf, productSold } from '../certificates/compose-certificate.ts';
import type { Ports } from '../ports.ts';
import type { CancellationNotice } from './cancellation-notice.ts';

type Needs = Pick<Ports, 'catalogue'>;

export type ComposeCancellationNotice = (sale: EndedByCancellation) => Promise<CancellationNotice>;

export const makeComposeCancellationNotice = ({ catalogue }: Needs): ComposeCancellationNotice =>
  async function composeCancellationNotice(sale) {
    const { terms, payment, cancellation } = sale;
    const { name: productName, registration } = await productSold(catalogue, sale);
    const channelName = await channelNameOf(catalogue, terms);
    const paper = paperOf(sale);
    const method = payment.status === 'approved' ? payment.method : undefined;
    return {
      protocol: protocolOf(sale) as string,
      figures: cancellation,
      productName,
      insured: terms.insured,
      period: coverOf(sale),
      collectedBy: terms.payment.collectedBy,
      channelName,
      insurer: registration.insurer,
      ...(paper && { paper }),
      ...(method && { method }),
    };
  };
