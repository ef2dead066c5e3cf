import { ContainerModule } from 'inversify';
import { createAlertRoutes } from '../../adapters/http/admin/alert-routes.ts';
import { createAuditRoutes } from '../../adapters/http/admin/audit-routes.ts';
import { createCatalogueRoutes } from '../../adapters/http/admin/catalogue-routes.ts';
import { createClientRoutes } from '../../adapters/http/admin/client-routes.ts';
import { createDecisionRoutes } from '../../adapters/http/admin/decision-routes.ts';
import { createGatewayRoute } from '../../adapters/http/admin/gateway-route.ts';
import { createIofRateRoutes } from '../../adapters/http/admin/iof-rate-routes.ts';
import { createMailingRoutes } from '../../adapters/http/admin/mailing-routes.ts';
import { createMetricsRoutes } from '../../adapters/http/admin/metrics-route.ts';
import { createPriceChangeRoute } from '../../adapters/http/admin/price-change-route.ts';
import { createSearchRoute } from '../../adapters/http/admin/search-route.ts';
import { createTransactionRoutes } from '../../adapters/http/admin/transaction-routes.ts';
import { createImportRoutes } from '../../adapters/http/books/import-routes.ts';
import { createReconciliationRoutes } from '../../adapters/http/books/reconciliation-routes.ts';
import { createStatementRoutes } from '../../adapters/http/books/statement-routes.ts';
import { createTotalsRoute } from '../../adapters/http/books/totals-route.ts';
import { createFeedRoutes } from '../../adapters/http/events/feed-route.ts';
import { createGenericRoutes } from '../../adapters/http/generic/generic-routes.ts';
import { createTokenRoutes } from '../../adapters/http/oauth/token-routes.ts';
import { createArtistaRoutes } from '../../adapters/http/products/artista/artista-routes.ts';
import { createCelularRoutes } from '../../adapters/http/products/celular/celular-routes.ts';
import { createIngressoRoutes } from '../../adapters/http/products/ingresso/ingresso-routes.ts';
import { createRequestRoutes } from '../../adapters/http/requests/request-routes.ts';
import type { Route } from '../../adapters/http/routes/route.ts';
import { createWebhookRoutes } from '../../adapters/http/webhooks/payment-webhook.ts';
import { createManagedWebhookRoutes } from '../../adapters/http/webhooks/webhook-routes.ts';
import * as channel from './channel-use-cases.ts';
import * as own from './infrastructure.ts';
import { providerCallNotes } from './observed.ts';
import { builder, maybe, type Needs } from './part.ts';
import * as ports from './ports.ts';
import * as sale from './sale-use-cases.ts';

const { clock, catalogue, sales, publicUrl, clients, groupViews } = ports;
const { cancelSale, correctSaleEmail, documentUrl, inspectSale, requestSecondCopy } = sale;
const { findCardNeeds, findFaults, sell, synchronizeSale, validateSale } = sale;
const { fingerprint, log, refusesUnknown } = own;

/** What endpoints that take a sale need, and those that show one. */
const SELLING = { findFaults, sell, clock, fingerprint, refusesUnknown };
const SHOWING = { sales, synchronizeSale, documentUrl };
const PROVING = { collectEvidence: sale.collectEvidence, evidenceSeal: ports.evidenceSeal };

/** The API: each group of endpoints with what it needs, in the order of the reference. */
export const routesModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  const add = <Given extends object>(
    create: (given: Given) => readonly Route[],
    needs: Needs<Given>,
  ) => build(own.routes, needs, create);

  const { logIn, refreshLogin, inspectTokens } = channel;
  add(createTokenRoutes, { logIn, refreshLogin, inspectTokens, publicUrl });
  add(createIngressoRoutes, { ...SELLING, sales, requestSecondCopy });
  add(createArtistaRoutes, { ...SELLING, ...SHOWING, findCardNeeds });
  add(createCelularRoutes, { ...SELLING, ...SHOWING, findCardNeeds });
  add(createGenericRoutes, {
    ...{ ...SELLING, ...SHOWING, catalogue, validateSale, cancelSale, requestSecondCopy },
    ...{ correctSaleEmail, quotePrices: sale.quotePrices, mailings: ports.mailings },
    ...{ noteDeclinedOffers: sale.noteDeclinedOffers, confirmRefund: sale.confirmRefund },
    ...PROVING,
  });
  add(createImportRoutes, { ...SELLING, catalogue, validateSale, log });
  add(createReconciliationRoutes, { reconcileBooks: sale.reconcileBooks });
  add(createFeedRoutes, { partnerEvents: ports.partnerEvents });
  add(createWebhookRoutes, { takeNotices: sale.takeNotices });
  const { manageWebhooks, manageDeliveries } = channel;
  const { webhookUrls } = ports;
  add(createManagedWebhookRoutes, { manageWebhooks, manageDeliveries, webhookUrls, clock });
  add(createClientRoutes, { manageClients: channel.manageClients, clients, clock });
  const { manageCatalogue, manageIofRates, listPriceChanges } = channel;
  const { groups } = ports;
  const { placeChannel } = channel;
  add(createCatalogueRoutes, { catalogue, clock, manageCatalogue, groups, placeChannel });
  add(createIofRateRoutes, { manageIofRates, clock });
  add(createPriceChangeRoute, { listPriceChanges, clock });
  add(createTransactionRoutes, {
    ...{ sales, groupViews, cancelSale, correctSaleEmail, requestSecondCopy, clock },
    confirmRefund: sale.confirmRefund,
    ...PROVING,
  });
  add(createSearchRoute, { searchAllSales: channel.searchAllSales, groupViews, clock });
  const { retrySale, decidePayment } = sale;
  add(createDecisionRoutes, {
    ...{ sales, inspectSale, cancelSale, retrySale, decidePayment, providerCallNotes, publicUrl },
  });
  add(createGatewayRoute, { sales, compareWithGateway: sale.compareWithGateway });
  add(createTotalsRoute, { readTotals: channel.readTotals, clock });
  add(createStatementRoutes, { channelStatement: sale.channelStatement });
  add(createMailingRoutes, { groupViews, retryMailing: sale.retryMailing });
  add(createAuditRoutes, { groupViews });
  const { resolveAlert, readRequests, requestNotes } = channel;
  add(createAlertRoutes, { alertRecords: ports.alertRecords, groupViews, resolveAlert, publicUrl });
  add(createMetricsRoutes, { readMetrics: maybe(own.readMetrics) });
  const { isTest } = ports;
  add(createRequestRoutes, { readRequests, requestNotes, isTest });
});
