import { makeResolveAlert } from '../application/alerts/resolve-alert.ts';
import { makeTellAlerts } from '../application/alerts/tell-alerts.ts';
import { makeManageCatalogue } from '../application/catalogue/manage-catalogue.ts';
import { makeManageIofRates } from '../application/catalogue/manage-iof-rates.ts';
import { makeReadProduct } from '../application/catalogue/read-product.ts';
import { makeComposeCertificate } from '../application/certificates/compose-certificate.ts';
import { makeDocumentUrl } from '../application/certificates/document-url.ts';
import { makeOpenDocument } from '../application/certificates/open-document.ts';
import { makeVerifyCertificate } from '../application/certificates/verify-certificate.ts';
import { makeDecidePayment } from '../application/collection/decide-payment.ts';
import { makeTakeNotices } from '../application/collection/take-notices.ts';
import { makeCollectEvidence } from '../application/evidence/collect-evidence.ts';
import {
  makeAuthenticate,
  makeFindLivingToken,
  makeRecognize,
} from '../application/identity/authenticate.ts';
import { makeCheckCredentials } from '../application/identity/check-credentials.ts';
import { makeInspectTokens } from '../application/identity/inspect-tokens.ts';
import { makeLogIn } from '../application/identity/log-in.ts';
import { makeManageClients } from '../application/identity/manage-clients.ts';
import { makeRefreshLogin } from '../application/identity/refresh-login.ts';
import { makeTokenRefusals } from '../application/identity/token-refusals.ts';
import { makeWatchLegalClocks } from '../application/legal-clocks/watch-legal-clocks.ts';
import { makeMailInsured } from '../application/mail/mail-insured.ts';
import { makeNoteRequests } from '../application/requests/note-requests.ts';
import { makeReadRequests } from '../application/requests/read-requests.ts';
import { makeAdvanceSale } from '../application/saga/advance-sale.ts';
import { makeRegisterSale } from '../application/selling/register-sale.ts';
import { makeSell } from '../application/selling/sell.ts';
import { makeValidateSale } from '../application/selling/validate-sale.ts';
import { makeCancelSale } from '../application/servicing/cancel-sale.ts';
import { makeCorrectSaleEmail } from '../application/servicing/correct-sale-email.ts';
import { makeInspectSale } from '../application/servicing/inspect-sale.ts';
import { makeRequestSecondCopy } from '../application/servicing/request-second-copy.ts';
import { makeRetryMailing } from '../application/servicing/retry-mailing.ts';
import { makeRetrySale } from '../application/servicing/retry-sale.ts';
import { makeSettleAlerts } from '../application/servicing/settle-alerts.ts';
import { makeSynchronizeSale } from '../application/servicing/synchronize-sale.ts';
import { makeChannelStatement } from '../application/statements/channel-statement.ts';
import { makeReconcileBooks } from '../application/statements/reconcile-books.ts';
import { makeAgreeTerms } from '../application/terms/agree-terms.ts';
import { makeAssess, makeExamineSale } from '../application/terms/assess-sale.ts';
import { makeExamine } from '../application/terms/examine-sale.ts';
import { makeOpenQuote } from '../application/terms/open-quote.ts';
import { makeQuotePrices } from '../application/terms/quote-prices.ts';
import { makeManageDeliveries } from '../application/webhooks/manage-deliveries.ts';
import { makeManageWebhooks } from '../application/webhooks/manage-webhooks.ts';
import { makeReplayEvents } from '../application/webhooks/replay-events.ts';
import { makeSendDeliveries } from '../application/webhooks/send-deliveries.ts';
import type { Ports } from './ports.ts';

export type UseCases = ReturnType<typeof makeUseCases>;

/** Builds every use-case from the ports. */
export const makeUseCases = (ports: Ports) => {
  const examine = makeExamine(ports);
  const assess = makeAssess({ ...ports, examine });
  const openQuote = makeOpenQuote(ports);
  const agreeTerms = makeAgreeTerms({ ...ports, assess, openQuote });
  const registerSale = makeRegisterSale({ ...ports, agreeTerms });
  const advanceSale = makeAdvanceSale(ports);
  const composeCertificate = makeComposeCertificate(ports);
  const readProduct = makeReadProduct(ports);
  const retryMailing = makeRetryMailing(ports);

  const channelStatement = makeChannelStatement(ports);

  const refusals = makeTokenRefusals(ports);
  const checkCredentials = makeCheckCredentials({ ...ports, refusals });
  const findLivingToken = makeFindLivingToken(ports);
  const identity = { ...ports, refusals, checkCredentials, findLivingToken };

  return {
    examineSale: makeExamineSale({ ...ports, assess, openQuote }),
    quotePrices: makeQuotePrices(ports),
    validateSale: makeValidateSale({ ...ports, agreeTerms }),
    sell: makeSell({ ...ports, registerSale, advanceSale }),
    registerSale,
    advanceSale,
    synchronizeSale: makeSynchronizeSale(ports),
    cancelSale: makeCancelSale({ ...ports, advanceSale }),
    inspectSale: makeInspectSale(ports),
    decidePayment: makeDecidePayment({ ...ports, advanceSale }),
    retrySale: makeRetrySale({ ...ports, advanceSale }),
    takeNotices: makeTakeNotices({ ...ports, advanceSale }),
    channelStatement,
    reconcileBooks: makeReconcileBooks({ ...ports, channelStatement }),
    watchLegalClocks: makeWatchLegalClocks(ports),

    resolveAlert: makeResolveAlert(ports),
    settleAlerts: makeSettleAlerts(ports),
    tellAlerts: makeTellAlerts(ports),

    composeCertificate,
    documentUrl: makeDocumentUrl(ports),
    openDocument: makeOpenDocument({ ...ports, composeCertificate }),
    verifyCertificate: makeVerifyCertificate(ports),
    mailInsured: makeMailInsured({ ...ports, composeCertificate }),
    requestSecondCopy: makeRequestSecondCopy(ports),
    retryMailing,
    correctSaleEmail: makeCorrectSaleEmail({ ...ports, retryMailing }),

    sendDeliveries: makeSendDeliveries(ports),

    collectEvidence: makeCollectEvidence({ ...ports, composeCertificate }),

    manageWebhooks: makeManageWebhooks(ports),
    manageDeliveries: makeManageDeliveries(ports),
    replayEvents: makeReplayEvents(ports),

    noteRequests: makeNoteRequests(ports),
    readRequests: makeReadRequests(ports),

    readProduct,
    manageCatalogue: makeManageCatalogue({ ...ports, readProduct }),
    manageIofRates: makeManageIofRates(ports),

    checkCredentials,
    authenticate: makeAuthenticate(identity),
    recognize: makeRecognize(identity),
    logIn: makeLogIn(identity),
    refreshLogin: makeRefreshLogin(identity),
    inspectTokens: makeInspectTokens(identity),
    manageClients: makeManageClients(ports),
  };
};
