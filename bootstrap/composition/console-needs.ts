import {
  listAllSales,
  manageCatalogue,
  manageClients,
  manageDeliveries,
  manageIofRates,
  manageWebhooks,
  readRequests,
  readTotals,
  requestNotes,
  resolveAlert,
  searchAllSales,
} from './channel-use-cases.ts';
import * as own from './infrastructure.ts';
import type { Given } from './part.ts';
import * as ports from './ports.ts';
import {
  cancelSale,
  channelStatement,
  collectEvidence,
  compareWithGateway,
  composeCertificate,
  confirmRefund,
  correctSaleEmail,
  decidePayment,
  inspectSale,
  requestSecondCopy,
  retryMailing,
  retrySale,
} from './sale-use-cases.ts';
import { openGroups } from './views.ts';

const { people, sessions, catalogue, counters, timers } = ports;
const { secrets, secretSeal, identifiers, auditLog, clock } = ports;

/** What the use-cases of people need of the service. */
export const PEOPLE_NEEDS = {
  ...{ people, sessions, catalogue, counters, timers },
  ...{ secrets, secretSeal, identifiers, auditLog, clock },
};

/** What the console needs of each group of channels. */
export const CONSOLE_GROUP_NEEDS = {
  ...{ auditLog, approvalRequests: ports.approvalRequests },
  ...{ cancelSale, compareWithGateway, decidePayment, retrySale, collectEvidence },
  ...{ channelStatement, confirmRefund, composeCertificate },
  ...{ sales: ports.sales, mailings: ports.mailings, inspectSale },
  ...{ groupViews: ports.groupViews, readTotals, listAllSales, searchAllSales },
  ...{ readRequests, requestNotes },
  ...{ manageWebhooks, manageDeliveries, answeredRequests: ports.answeredRequests },
  ...{ requestSecondCopy, correctSaleEmail, retryMailing },
  ...{ alertRecords: ports.alertRecords, webhookEndpoints: ports.webhookEndpoints, resolveAlert },
};

/** What the console needs of the service. */
export const CONSOLE_NEEDS = {
  ...PEOPLE_NEEDS,
  ...CONSOLE_GROUP_NEEDS,
  ...{ publicUrl: ports.publicUrl, isTest: ports.isTest, openGroups },
  ...{ mailServer: own.mailServer, consoleOpenId: own.consoleOpenId },
  ...{ fourEyesAbove: own.fourEyesAbove, documents: ports.documents },
  ...{ evidenceSeal: ports.evidenceSeal, manageCatalogue, manageIofRates },
  ...{ manageClients, clients: ports.clients, webhookUrls: ports.webhookUrls },
};

export type ConsoleNeeds = Given<typeof CONSOLE_NEEDS>;
