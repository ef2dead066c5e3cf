import { makeNotifyOperators } from '../../application/alerts/notify-operators.ts';
import { makeResolveAlert } from '../../application/alerts/resolve-alert.ts';
import {
  makeListAllSales,
  makeSearchAllSales,
} from '../../application/all-groups/list-all-sales.ts';
import { makePlaceChannel } from '../../application/all-groups/manage-groups.ts';
import { makeReadTotals } from '../../application/all-groups/read-totals.ts';
import { makeListPriceChanges } from '../../application/catalogue/list-price-changes.ts';
import { makeManageCatalogue } from '../../application/catalogue/manage-catalogue.ts';
import { makeManageIofRates } from '../../application/catalogue/manage-iof-rates.ts';
import { makeReadProduct } from '../../application/catalogue/read-product.ts';
import { makeAuthenticate, makeFindLivingToken } from '../../application/identity/authenticate.ts';
import { makeCheckCredentials } from '../../application/identity/check-credentials.ts';
import { makeInspectTokens } from '../../application/identity/inspect-tokens.ts';
import { makeLogIn } from '../../application/identity/log-in.ts';
import { makeManageClients } from '../../application/identity/manage-clients.ts';
import { makeRefreshLogin } from '../../application/identity/refresh-login.ts';
import { makeTokenRefusals } from '../../application/identity/token-refusals.ts';
import { makeReadRequests } from '../../application/requests/read-requests.ts';
import { makeRequestNotes } from '../../application/requests/request-notes.ts';
import { makeListSales } from '../../application/sales/list-sales.ts';
import { makeFollowSales, makeSearchSales } from '../../application/search/search-sales.ts';
import { makeSettleAlerts } from '../../application/servicing/settle-alerts.ts';
import { makeFollowBookings } from '../../application/totals/count-bookings.ts';
import { makeManageDeliveries } from '../../application/webhooks/manage-deliveries.ts';
import { makeManageWebhooks } from '../../application/webhooks/manage-webhooks.ts';
import { makeReplayEvents } from '../../application/webhooks/replays.ts';
import { makeSendDeliveries } from '../../application/webhooks/send-deliveries.ts';
import { gateways } from './observed.ts';
import { Group } from './part.ts';
import * as ports from './ports.ts';

const { made, module } = new Group();
const { clock, auditLog, catalogue, identifiers, sales, mailings } = ports;

// Identity
const { clients, secrets, accessTokens, refreshTokens, counters, requestsPerMinute } = ports;
const refusals = made(makeTokenRefusals, { counters, auditLog, clock, requestsPerMinute });
export const checkCredentials = made(makeCheckCredentials, { clients, secrets, clock, refusals });
const findLivingToken = made(makeFindLivingToken, { accessTokens, clients, refreshTokens });
export const authenticate = made(makeAuthenticate, { clients, clock, findLivingToken });
const LOGIN = { secrets, clock, refreshTokens, checkCredentials, refusals };
export const logIn = made(makeLogIn, { ...LOGIN, accessTokens, identifiers });
export const refreshLogin = made(makeRefreshLogin, { ...LOGIN, accessTokens, clients });
export const inspectTokens = made(makeInspectTokens, { ...LOGIN, clients, findLivingToken });
const MANAGED = { catalogue, clients, secrets, identifiers, clock };
export const manageClients = made(makeManageClients, MANAGED);

// Catalogue
const { attributeSchemas } = ports;
export const readProduct = made(makeReadProduct, { attributeSchemas });
export const manageCatalogue = made(makeManageCatalogue, {
  ...{ catalogue, clock, readProduct, gateways },
});
export const manageIofRates = made(makeManageIofRates, { catalogue, clock });
export const listPriceChanges = made(makeListPriceChanges, { catalogue });

const { groups, groupViews, timers } = ports;
export const placeChannel = made(makePlaceChannel, {
  ...{ groups, groupViews, catalogue, clock, timers },
});

// Webhooks
const { webhookEndpoints, webhookReplays, webhookSender, deliveries, secretSeal } = ports;
const { partnerEvents, eventBodies, alerts, chance } = ports;
const ENDPOINTS = { webhookEndpoints, deliveries, clock };
const SENDING = { webhookSender, secretSeal, eventBodies, alerts, chance };
const MANAGING = { secretSeal, partnerEvents, catalogue, identifiers };
export const manageWebhooks = made(makeManageWebhooks, { ...ENDPOINTS, ...MANAGING });
export const manageDeliveries = made(makeManageDeliveries, { ...ENDPOINTS, webhookReplays });
export const replayEvents = made(makeReplayEvents, { webhookReplays, deliveries, clock });
export const sendDeliveries = made(makeSendDeliveries, { ...ENDPOINTS, ...SENDING });

// Requests
const { answeredRequests, readinessRecords, isTest } = ports;
const ANSWERED = { answeredRequests, readinessRecords };
export const requestNotes = made(makeRequestNotes, { ...ANSWERED, isTest, clock });
export const readRequests = made(makeReadRequests, { ...ANSWERED, catalogue, deliveries });

// Search and totals
export const listSales = made(makeListSales, { sales });
export const listAllSales = made(makeListAllSales, { groupViews });
export const searchAllSales = made(makeSearchAllSales, { groupViews });
const { searchIndex } = ports;
export const searchSales = made(makeSearchSales, { searchIndex });
export const followSales = made(makeFollowSales, { searchIndex });
const { bookingTotals } = ports;
export const followBookings = made(makeFollowBookings, { bookingTotals });
export const readTotals = made(makeReadTotals, { groupViews });

// Alerts
const { alertRecords, alertNotifications, alertSenders } = ports;
const SETTLED = { alertRecords, mailings, webhookEndpoints, sales, groupViews, clock };
export const resolveAlert = made(makeResolveAlert, { alertRecords, clock });
export const notifyOperators = made(makeNotifyOperators, {
  alertNotifications,
  alertSenders,
  clock,
});
export const settleAlerts = made(makeSettleAlerts, SETTLED);

export { module as channelUseCasesModule };
