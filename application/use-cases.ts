import { makeResolveAlert } from './alerts/resolve-alert.ts';
import { makeSettleAlerts } from './alerts/settle-alerts.ts';
import { makeTellAlerts } from './alerts/tell-alerts.ts';
import { makeManageCatalogue } from './catalogue/manage-catalogue.ts';
import { makeManageIofRates } from './catalogue/manage-iof-rates.ts';
import { makeReadProduct } from './catalogue/read-product.ts';
import { makeComposeCertificate } from './certificates/compose-certificate.ts';
import { makeDocumentUrl } from './certificates/document-url.ts';
import { makeOpenDocument } from './certificates/open-document.ts';
import { makeVerifyCertificate } from './certificates/verify-certificate.ts';
import { makeCollectEvidence } from './evidence/collect-evidence.ts';
import { makeAuthenticate, makeFindLivingToken, makeRecognize } from './identity/authenticate.ts';
import { makeCheckCredentials } from './identity/check-credentials.ts';
import { makeInspectTokens } from './identity/inspect-tokens.ts';
import { makeLogIn } from './identity/log-in.ts';
import { makeManageClients } from './identity/manage-clients.ts';
import { makeRefreshLogin } from './identity/refresh-login.ts';
import { makeTokenRefusals } from './identity/token-refusals.ts';
import { makeCorrectSaleEmail } from './mail/correct-sale-email.ts';
import { makeMailInsured } from './mail/mail-insured.ts';
import { makeRequestSecondCopy } from './mail/request-second-copy.ts';
import { makeRetryMailing } from './mail/retry-mailing.ts';
import { makeDecidePayment } from './payments/decide-payment.ts';
import { makeTakeNotices } from './payments/take-notices.ts';
import type { Ports } from './ports.ts';
import { makeOpenQuote } from './quotes/open-quote.ts';
import { makeQuotePrices } from './quotes/quote-prices.ts';
import { makeNoteRequests } from './requests/note-requests.ts';
import { makeReadRequests } from './requests/read-requests.ts';
import { makeAdvanceSale } from './saga/advance-sale.ts';
import { makeAgreeTerms } from './sales/agree-terms.ts';
import { makeAssess, makeExamineSale } from './sales/assess-sale.ts';
import { makeCancelSale } from './sales/cancel-sale.ts';
import { makeChannelStatement } from './sales/channel-statement.ts';
import { makeExamine } from './sales/examine-sale.ts';
import { makeInspectSale } from './sales/inspect-sale.ts';
import { makeReconcileBooks } from './sales/reconcile-books.ts';
import { makeRegisterSale } from './sales/register-sale.ts';
import { makeRetrySale } from './sales/retry-sale.ts';
import { makeSell } from './sales/sell.ts';
import { makeSynchronizeSale } from './sales/synchronize-sale.ts';
import { makeValidateSale } from './sales/validate-sale.ts';
import { makeWatchLegalClocks } from './sales/watch-legal-clocks.ts';
import { makeManageDeliveries } from './webhooks/manage-deliveries.ts';
import { makeManageWebhooks } from './webhooks/manage-webhooks.ts';
import { makeReplayEvents } from './webhooks/replay-events.ts';
import { makeSendDeliveries } from './webhooks/send-deliveries.ts';

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
