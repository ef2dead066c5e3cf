import type { Container } from 'inversify';
import { bearerIn } from '../adapters/http/access.ts';
import { httpApp } from '../adapters/http/app.ts';
import type { Step } from '../adapters/http/context.ts';
import { createSandboxRoutes } from '../adapters/payment/sandbox/sandbox-routes.ts';
import { bind } from './token.ts';
import * as t from './tokens.ts';

/** The API over whatever use-cases the container holds. */
export const bindHttp = (container: Container): void => {
  const needs = {
    sales: t.SALES,
    catalogue: t.CATALOGUE,
    auditLog: t.AUDIT_LOG,
    clock: t.CLOCK,
    sell: t.SELL,
    validateSale: t.VALIDATE_SALE,
    channelStatement: t.CHANNEL_STATEMENT,
    readProduct: t.READ_PRODUCT,
    checkCredentials: t.CHECK_CREDENTIALS,
    examineSale: t.EXAMINE_SALE,
    synchronizeSale: t.SYNCHRONIZE_SALE,
    cancelSale: t.CANCEL_SALE,
    takeNotices: t.TAKE_NOTICES,
    documentUrl: t.DOCUMENT_URL,
    openDocument: t.OPEN_DOCUMENT,
    verifyCertificate: t.VERIFY_CERTIFICATE,
    requestSecondCopy: t.REQUEST_SECOND_COPY,
    mailings: t.MAILINGS,
    retryMailing: t.RETRY_MAILING,
    noticeReader: t.NOTICE_READER,
    payments: t.PAYMENTS,
    sandbox: t.SANDBOX,
    fingerprint: t.FINGERPRINT,
    authenticate: t.AUTHENTICATE,
    logIn: t.LOG_IN,
    refreshLogin: t.REFRESH_LOGIN,
    inspectTokens: t.INSPECT_TOKENS,
    clients: t.CLIENTS,
    manageClients: t.MANAGE_CLIENTS,
    manageCatalogue: t.MANAGE_CATALOGUE,
    checkReady: t.CHECK_READY,
    keySet: t.KEY_SET,
    log: t.LOG,
    counters: t.COUNTERS,
    perMinute: t.PER_MINUTE,
    trustProxy: t.TRUST_PROXY,
    publicUrl: t.PUBLIC_URL,
  };
  bind(
    container,
    t.HTTP_APP,
    needs,
    ({ counters, perMinute, noticeReader, sandbox, payments, ...parts }) => {
      const { authenticate, sales, clock, publicUrl } = parts;
      const mayRead = async (
        authorization: string,
        saleId: number,
      ): Promise<boolean | undefined> => {
        const caller = await authenticate(bearerIn(authorization) ?? '');
        if (caller === undefined || caller.channelLink === null)
          return caller?.scopes.includes('admin');
        return saleId > 0 && (await sales.find(caller.channelLink, saleId)) !== undefined;
      };
      const pages =
        sandbox && (createSandboxRoutes({ gateway: sandbox, clock, publicUrl, mayRead }) as Step);
      const gateway = {
        gateway: noticeReader.gateway,
        cardNeedsAddress: payments.needsCardAddress ?? false,
      };
      return httpApp({ ...parts, ...gateway, limits: { counters, perMinute }, pages });
    },
  );
};
