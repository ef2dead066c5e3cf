import { makeComposeCertificate } from '../../application/certificates/compose-certificate.ts';
import {
  makeDocumentUrl,
  makeOpenDocument,
} from '../../application/certificates/document-links.ts';
import { makeVerifyCertificate } from '../../application/certificates/verify-certificate.ts';
import { makeCompareWithGateway } from '../../application/collection/compare-with-gateway.ts';
import { makeDecidePayment } from '../../application/collection/decide-payment.ts';
import { makeTakeNotices } from '../../application/collection/take-notices.ts';
import { makeCollectEvidence } from '../../application/evidence/collect-evidence.ts';
import { makeWatchLegalClocks } from '../../application/legal-clocks/legal-clocks.ts';
import { makeComposeMail } from '../../application/mail/compose-mail.ts';
import { makeMailInsured } from '../../application/mail/mail-insured.ts';
import { makeAdvanceSale } from '../../application/saga/advance-sale.ts';
import { makeNoteDeclinedOffers } from '../../application/selling/declined-offers.ts';
import { makeFindCardNeeds } from '../../application/selling/find-card-needs.ts';
import {
  makeCheckDraft,
  makeFindFaults,
  makeFindTerms,
} from '../../application/selling/find-terms.ts';
import { makeOpenQuote } from '../../application/selling/open-quote.ts';
import { makeQuotePrices } from '../../application/selling/quote-prices.ts';
import { makeSell, makeValidateSale } from '../../application/selling/sell.ts';
import { makeCancelSale } from '../../application/servicing/cancel-sale.ts';
import { makeConfirmRefund } from '../../application/servicing/confirm-refund.ts';
import { makeCorrectSaleEmail } from '../../application/servicing/correct-sale-email.ts';
import { makeInspectSale } from '../../application/servicing/inspect-sale.ts';
import { makeRequestSecondCopy } from '../../application/servicing/request-second-copy.ts';
import { makeRetryMailing } from '../../application/servicing/retry-mailing.ts';
import { makeRetrySale } from '../../application/servicing/retry-sale.ts';
import { makeSynchronizeSale } from '../../application/servicing/synchronize-sale.ts';
import { makeChannelStatement } from '../../application/statements/channel-statement.ts';
import { makeReconcileBooks } from '../../application/statements/reconcile-books.ts';
import { gateways, insurer, providerCallNotes } from './observed.ts';
import { all, Group } from './part.ts';
import * as ports from './ports.ts';

const { made, module } = new Group();
const { sales, saleJobs, catalogue, clock, identifiers, documents, mailings } = ports;
const { alerts } = ports;

// Needed by all that may change a sale and its money.
const CHANGE = { sales, gateways, alerts, clock };

// Terms
const { attributeSchemas, quoteSeal, isTest } = ports;
const checkDraft = made(makeCheckDraft, { attributeSchemas, clock, isTest });
const openQuote = made(makeOpenQuote, { catalogue, quoteSeal });
const CHECKING = { catalogue, clock, checkDraft, openQuote };
const findTerms = made(makeFindTerms, { ...CHECKING, gateways });
export const findCardNeeds = made(makeFindCardNeeds, { catalogue, gateways });
export const findFaults = made(makeFindFaults, CHECKING);
const { declinedOffers } = ports;
export const noteDeclinedOffers = made(makeNoteDeclinedOffers, {
  ...{ catalogue, clock, declinedOffers },
});
export const quotePrices = made(makeQuotePrices, { catalogue, attributeSchemas, clock, quoteSeal });

// Selling, and the steps of a sale
const SAGA = { ...CHANGE, issuer: insurer, catalogue, identifiers };
export const advanceSale = made(makeAdvanceSale, SAGA);
export const validateSale = made(makeValidateSale, { catalogue, sales, clock, findTerms });
export const sell = made(makeSell, {
  catalogue,
  sales,
  clock,
  identifiers,
  findTerms,
  gateways,
  advanceSale,
});

// Collection
const ENDING = { ...CHANGE, catalogue, identifiers, advanceSale };
const NOTICES = { notices: ports.notices, noticeReaders: all(ports.noticeReader) };
export const takeNotices = made(makeTakeNotices, { ...CHANGE, ...NOTICES, catalogue, advanceSale });
export const decidePayment = made(makeDecidePayment, ENDING);
export const compareWithGateway = made(makeCompareWithGateway, {
  ...{ gateways, catalogue, clock },
});

// Certificates and mail
const { documentLinks, documentLinkSeconds, mailer, evidenceSeal, auditLog } = ports;
const { timers, mailsPerMinute, linkUrl: publicUrl } = ports;
const LINKS = { documentLinks, documentLinkSeconds, publicUrl };
export const composeCertificate = made(makeComposeCertificate, { catalogue, publicUrl });
const CERTIFYING = { documents, composeCertificate };
const OPENING = { documentLinks, sales, clock };
const CERTIFIED = { ...CERTIFYING, catalogue, mailings };
export const documentUrl = made(makeDocumentUrl, { ...LINKS, clock });
export const openDocument = made(makeOpenDocument, { ...OPENING, ...CERTIFYING });
export const verifyCertificate = made(makeVerifyCertificate, {
  ...{ groupViews: ports.groupViews, catalogue, clock },
});
const PROVEN = { ...CERTIFIED, evidenceSeal, auditLog, clock };
export const collectEvidence = made(makeCollectEvidence, PROVEN);
const composeMail = made(makeComposeMail, CERTIFIED);
const MAILING = { sales, mailings, mailer, alerts, clock };
export const mailInsured = made(makeMailInsured, {
  ...MAILING,
  composeMail,
  timers,
  mailsPerMinute,
});

// Servicing
const { providerCalls, alertRecords } = ports;
const SHOWN = {
  ...{ catalogue, clock, saleJobs, providerCalls, alertRecords, auditLog, mailings, documentUrl },
};
const RETRYING = { ...CHANGE, auditLog, saleJobs, providerCallNotes, advanceSale };
export const synchronizeSale = made(makeSynchronizeSale, { ...CHANGE, issuer: insurer });
export const confirmRefund = made(makeConfirmRefund, CHANGE);
export const cancelSale = made(makeCancelSale, ENDING);
export const inspectSale = made(makeInspectSale, SHOWN);
export const retrySale = made(makeRetrySale, RETRYING);
export const requestSecondCopy = made(makeRequestSecondCopy, { mailings, clock });
export const retryMailing = made(makeRetryMailing, { mailings, clock });
export const correctSaleEmail = made(makeCorrectSaleEmail, { ...CHANGE, mailings, retryMailing });

// Statements and legal clocks
export const channelStatement = made(makeChannelStatement, {
  ...{ catalogue, sales, clock, declinedOffers },
});
export const reconcileBooks = made(makeReconcileBooks, { sales, clock, channelStatement });
export const watchLegalClocks = made(makeWatchLegalClocks, {
  legalClocks: ports.legalClocks,
  alerts,
  clock,
});

export { module as saleUseCasesModule };
