import { isRefusal, type Sale } from '#domain';
import type { Catalogue } from '../../../../application/catalogue/catalogue.ts';
import type { DocumentUrl } from '../../../../application/certificates/document-links.ts';
import type { Clock } from '../../../../application/clock.ts';
import type {
  CollectEvidence,
  EvidenceSeal,
} from '../../../../application/evidence/collect-evidence.ts';
import type { Mailings } from '../../../../application/mail/mailings.ts';
import type { Sales } from '../../../../application/sales/sales.ts';
import type { QuotePrices } from '../../../../application/selling/quote-prices.ts';
import type { ValidateSale } from '../../../../application/selling/sell.ts';
import type { CancelSale } from '../../../../application/servicing/cancel-sale.ts';
import type { CorrectSaleEmail } from '../../../../application/servicing/correct-sale-email.ts';
import type { RequestSecondCopy } from '../../../../application/servicing/request-second-copy.ts';
import type { SynchronizeSale } from '../../../../application/servicing/synchronize-sale.ts';
import { notFound } from '../../contract/answer-error.ts';
import type { Context, Exchange, Handler } from '../../pipeline/context.ts';
import { type CreateParts, compileSaleReader } from '../../sales/create-sale.ts';
import { findNamedSale } from '../../sales/find-named-sale.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { explainFaults, notSoldError } from '../../sales/shown-refusals.ts';
import { presentEvidence } from './evidence-answer.ts';
import { findLostMail, presentFoundSale, presentValid } from './integration-answers.ts';

export interface IntegrationRouteParts extends CreateParts {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly clock: Clock;
  readonly mailings: Mailings;
  readonly quotePrices: QuotePrices;
  readonly validateSale: ValidateSale;
  readonly synchronizeSale: SynchronizeSale;
  readonly cancelSale: CancelSale;
  readonly documentUrl: DocumentUrl;
  readonly requestSecondCopy: RequestSecondCopy;
  readonly correctSaleEmail: CorrectSaleEmail;
  readonly collectEvidence: CollectEvidence;
  readonly evidenceSeal: EvidenceSeal;
}

export type ValidateParts = CreateParts & Pick<IntegrationRouteParts, 'validateSale' | 'clock'>;

/** The sale that the path names. */
const loadNamedSale = async (sales: Sales, ctx: Context): Promise<Sale> => {
  const sale = await findNamedSale(sales, ctx, 'externalSaleId');
  if (sale === undefined) throw notFound('Transação não encontrada.');
  return sale;
};

export const showSale = (parts: IntegrationRouteParts): Handler =>
  async function showSale(exchange) {
    const { sales, mailings, synchronizeSale, documentUrl, clock } = parts;
    const found = await loadNamedSale(sales, exchange);
    const synchronized = await synchronizeSale(found);
    // The store knows when it stored the change.
    const sale =
      synchronized.version === found.version
        ? synchronized
        : ((await sales.load(found.id)) ?? synchronized);
    const lost = await findLostMail(mailings, [sale]);
    exchange.body = {
      success: true,
      data: presentFoundSale(sale, clock.now(), lost.has(sale.id)),
      document_url: documentUrl(sale),
    };
  };

export const proveSale = (parts: IntegrationRouteParts): Handler =>
  async function proveSale(exchange) {
    const { sales, collectEvidence, evidenceSeal } = parts;
    const sale = await loadNamedSale(sales, exchange);
    const evidence = await evidenceSeal.sign(presentEvidence(await collectEvidence(sale)));
    exchange.body = {
      success: true,
      data: { transaction_id: sale.id, ticket: sale.ticket, evidence },
    };
  };

/** Does everything that a sale does, except selling. */
export const validateSale = (
  parts: ValidateParts,
  endpoint: SaleEndpoint,
): ((exchange: Exchange) => Promise<void>) => {
  const readSale = compileSaleReader(parts, endpoint);

  return async function validateSale(exchange) {
    const read = readSale(exchange);
    if (read.kind === 'faulty') throw await explainFaults(parts, endpoint, read);

    const outcome = await parts.validateSale(read.request);
    if (isRefusal(outcome)) throw notSoldError(outcome, endpoint, read.dialect);
    exchange.body =
      outcome.kind === 'valid'
        ? presentValid(outcome.terms)
        : {
            success: true,
            message: 'Venda já registrada.',
            data: presentFoundSale(outcome.earlier.sale, parts.clock.now()),
          };
  };
};
