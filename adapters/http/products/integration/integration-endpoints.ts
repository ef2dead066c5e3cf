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
import type { ValidateSale } from '../../../../application/selling/sell.ts';
import type { CancelSale } from '../../../../application/servicing/cancel-sale.ts';
import type { CorrectSaleEmail } from '../../../../application/servicing/correct-sale-email.ts';
import type { RequestSecondCopy } from '../../../../application/servicing/request-second-copy.ts';
import type { SynchronizeSale } from '../../../../application/servicing/synchronize-sale.ts';
import type { QuotePrices } from '../../../../application/terms/quote-prices.ts';
import { invalidFields, notFound } from '../../contract/answer-error.ts';
import { closedObject } from '../../contract/formats.ts';
import { compileReader } from '../../contract/validation.ts';
import type { Exchange, Handler } from '../../pipeline/context.ts';
import { cancelFoundSale, cancellationBody } from '../../sales/cancellation.ts';
import { type CreateParts, notSoldError } from '../../sales/create-sale.ts';
import { correctEmailOfFoundSale } from '../../sales/email-correction.ts';
import { findNamedSale } from '../../sales/find-named-sale.ts';
import { compileSaleReader, explainFaults } from '../../sales/read-sale.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { sendSecondCopy } from '../../sales/second-copy.ts';
import { presentEvidence } from './evidence-content.ts';
import { findLostMail, presentFoundSale, presentValid } from './found-sale.ts';

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

/** The parameter of the path that names a sale. */
const NAME = 'externalSaleId';

const loadNamedSale = async (sales: Sales, exchange: Pick<Exchange, 'state'>): Promise<Sale> => {
  const sale = await findNamedSale(sales, exchange, NAME);
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

export const cancelNamedSale = ({ sales, cancelSale }: IntegrationRouteParts): Handler => {
  const cancelAndAnswer = cancelFoundSale(cancellationBody, cancelSale);

  return async function cancelNamedSale(ctx) {
    return cancelAndAnswer(ctx, await findNamedSale(sales, ctx, NAME));
  };
};

export const copyDocument = ({ sales, requestSecondCopy }: IntegrationRouteParts): Handler => {
  const sendAndAnswer = sendSecondCopy(requestSecondCopy);
  const readEmptyBody = compileReader(closedObject({}), invalidFields);

  return async function copyDocument(ctx) {
    readEmptyBody(ctx.request.body as object);
    return sendAndAnswer(ctx, await loadNamedSale(sales, ctx));
  };
};

export const correctNamedEmail = ({ sales, correctSaleEmail }: IntegrationRouteParts): Handler => {
  const correctAndAnswer = correctEmailOfFoundSale(correctSaleEmail);

  return async function correctNamedEmail(ctx) {
    return correctAndAnswer(ctx, await findNamedSale(sales, ctx, NAME));
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
