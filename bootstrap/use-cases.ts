import type { Container } from 'inversify';
import { manageCatalogue } from '../application/catalogue/manage-catalogue.ts';
import { productReader } from '../application/catalogue/read-product.ts';
import { composeCertificate } from '../application/certificates/certificate.ts';
import { documentUrl } from '../application/certificates/document-links.ts';
import { openDocument } from '../application/certificates/open-document.ts';
import { verifyCertificate } from '../application/certificates/verify-certificate.ts';
import { authenticate, findLivingToken } from '../application/identity/authenticate.ts';
import { checkCredentials } from '../application/identity/check-credentials.ts';
import { inspectTokens } from '../application/identity/inspect-tokens.ts';
import { logIn } from '../application/identity/log-in.ts';
import { manageClients } from '../application/identity/manage-clients.ts';
import { refreshLogin } from '../application/identity/refresh-login.ts';
import { tokenRefusals } from '../application/identity/token-refusals.ts';
import { mailCertificate } from '../application/mail/mail-certificate.ts';
import { requestSecondCopy } from '../application/mail/request-second-copy.ts';
import { retryMailing } from '../application/mail/retry-mailing.ts';
import { takeNotices } from '../application/payments/take-notices.ts';
import { advanceSale } from '../application/sales/advance-sale.ts';
import { agreeTerms } from '../application/sales/agree-terms.ts';
import { cancelSale } from '../application/sales/cancel-sale.ts';
import { channelStatement } from '../application/sales/channel-statement.ts';
import { examineSale } from '../application/sales/examine-sale.ts';
import { registerSale } from '../application/sales/register-sale.ts';
import { sell } from '../application/sales/sell.ts';
import { synchronizeSale } from '../application/sales/synchronize-sale.ts';
import { validateSale } from '../application/sales/validate-sale.ts';
import { bind } from './token.ts';
import * as t from './tokens.ts';

/** The use-cases, over whatever adapters the container holds. */
export const bindUseCases = (container: Container): void => {
  const offered = { catalogue: t.CATALOGUE, clock: t.CLOCK };
  bind(
    container,
    t.EXAMINE_SALE,
    { ...offered, attributeSchemas: t.ATTRIBUTE_SCHEMAS },
    examineSale,
  );
  bind(container, t.AGREE_TERMS, { examineSale: t.EXAMINE_SALE, clock: t.CLOCK }, agreeTerms);
  bind(container, t.VALIDATE_SALE, { sales: t.SALES, agreeTerms: t.AGREE_TERMS }, validateSale);
  const toRegister = {
    sales: t.SALES,
    agreeTerms: t.AGREE_TERMS,
    clock: t.CLOCK,
    identifiers: t.IDENTIFIERS,
  };
  bind(container, t.REGISTER_SALE, toRegister, registerSale);
  bindSelling(container);
  bind(container, t.CHANNEL_STATEMENT, { ...offered, sales: t.SALES }, channelStatement);
  bind(container, t.READ_PRODUCT, { schemas: t.ATTRIBUTE_SCHEMAS }, ({ schemas }) =>
    productReader(schemas),
  );
  bind(container, t.MANAGE_CATALOGUE, { ...offered, readProduct: t.READ_PRODUCT }, manageCatalogue);
  bindCertificates(container);
  bindIdentity(container);
};

const bindSelling = (container: Container): void => {
  const timely = { sales: t.SALES, clock: t.CLOCK, identifiers: t.IDENTIFIERS };
  const providers = { payments: t.PAYMENTS, issuer: t.ISSUER, alerts: t.ALERTS };
  bind(container, t.ADVANCE_SALE, { ...timely, ...providers }, advanceSale);
  const advancing = { ...timely, advanceSale: t.ADVANCE_SALE };
  bind(container, t.SELL, { ...advancing, registerSale: t.REGISTER_SALE }, sell);
  bind(
    container,
    t.CANCEL_SALE,
    { ...advancing, payments: t.PAYMENTS, alerts: t.ALERTS },
    cancelSale,
  );
  bind(
    container,
    t.SYNCHRONIZE_SALE,
    { sales: t.SALES, clock: t.CLOCK, issuer: t.ISSUER, alerts: t.ALERTS },
    synchronizeSale,
  );
  bind(
    container,
    t.TAKE_NOTICES,
    { ...advancing, ...providers, notices: t.NOTICES, noticeReader: t.NOTICE_READER },
    takeNotices,
  );
};

const bindCertificates = (container: Container): void => {
  const basics = { sales: t.SALES, clock: t.CLOCK };
  bind(
    container,
    t.COMPOSE_CERTIFICATE,
    { catalogue: t.CATALOGUE, publicUrl: t.PUBLIC_URL },
    composeCertificate,
  );
  const made = { documents: t.DOCUMENTS, composeCertificate: t.COMPOSE_CERTIFICATE };
  const links = { documentLinks: t.DOCUMENT_LINKS, clock: t.CLOCK };
  const url = { ...links, publicUrl: t.PUBLIC_URL, documentLinkTtl: t.DOCUMENT_LINK_TTL };
  bind(container, t.DOCUMENT_URL, url, documentUrl);
  bind(container, t.OPEN_DOCUMENT, { ...basics, ...made, ...links }, openDocument);
  bind(container, t.VERIFY_CERTIFICATE, { ...basics, catalogue: t.CATALOGUE }, verifyCertificate);
  const mailed = { mailings: t.MAILINGS, clock: t.CLOCK };
  bind(
    container,
    t.MAIL_CERTIFICATE,
    { ...basics, ...made, ...mailed, mailer: t.MAILER, alerts: t.ALERTS },
    mailCertificate,
  );
  bind(container, t.REQUEST_SECOND_COPY, mailed, requestSecondCopy);
  bind(container, t.RETRY_MAILING, mailed, retryMailing);
};

const bindIdentity = (container: Container): void => {
  const basics = { clients: t.CLIENTS, secrets: t.SECRETS, clock: t.CLOCK };
  const tokens = { accessTokens: t.ACCESS_TOKENS, refreshTokens: t.REFRESH_TOKENS };
  bind(container, t.MANAGE_CLIENTS, { ...basics, identifiers: t.IDENTIFIERS }, manageClients);
  const toRefuse = {
    counters: t.COUNTERS,
    auditLog: t.AUDIT_LOG,
    clock: t.CLOCK,
    perMinute: t.PER_MINUTE,
  };
  bind(container, t.TOKEN_REFUSALS, toRefuse, tokenRefusals);

  const judging = { ...basics, refusals: t.TOKEN_REFUSALS };
  bind(container, t.CHECK_CREDENTIALS, judging, checkCredentials);
  const toGrant = { ...judging, ...tokens, checkCredentials: t.CHECK_CREDENTIALS };
  bind(container, t.LOG_IN, { ...toGrant, identifiers: t.IDENTIFIERS }, logIn);
  bind(container, t.REFRESH_LOGIN, toGrant, refreshLogin);

  bind(container, t.FIND_LIVING_TOKEN, { ...tokens, clients: t.CLIENTS }, findLivingToken);
  bind(
    container,
    t.AUTHENTICATE,
    { findLivingToken: t.FIND_LIVING_TOKEN, clients: t.CLIENTS, clock: t.CLOCK },
    authenticate,
  );
  const toInspect = { checkCredentials: t.CHECK_CREDENTIALS, findLivingToken: t.FIND_LIVING_TOKEN };
  bind(
    container,
    t.INSPECT_TOKENS,
    { ...judging, ...toInspect, refreshTokens: t.REFRESH_TOKENS },
    inspectTokens,
  );
};
