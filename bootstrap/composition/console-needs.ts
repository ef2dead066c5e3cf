import {
  manageCatalogue,
  manageClients,
  manageDeliveries,
  manageIofRates,
  manageWebhooks,
  readRequests,
  requestNotes,
  resolveAlert,
  searchSales,
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

const { people, sessions, catalogue, counters, timers } = ports;
const { secrets, secretSeal, identifiers, auditLog, clock } = ports;

/** What the use-cases of people need of the service. */
export const PEOPLE_NEEDS = {
  ...{ people, sessions, catalogue, counters, timers },
  ...{ secrets, secretSeal, identifiers, auditLog, clock },
};

/** What the console needs of the service. */
export const CONSOLE_NEEDS = {
  ...PEOPLE_NEEDS,
  ...{ publicUrl: ports.publicUrl, isTest: ports.isTest },
  ...{ mailServer: own.mailServer, consoleOpenId: own.consoleOpenId },
  ...{ approvalRequests: ports.approvalRequests, fourEyesAbove: own.fourEyesAbove },
  ...{ cancelSale, compareWithGateway, decidePayment, retrySale, collectEvidence },
  ...{ channelStatement, confirmRefund },
  ...{ composeCertificate, documents: ports.documents, evidenceSeal: ports.evidenceSeal },
  ...{ sales: ports.sales, mailings: ports.mailings, searchSales, inspectSale },
  ...{ bookingTotals: ports.bookingTotals, manageCatalogue, manageIofRates },
  ...{ manageClients, clients: ports.clients, readRequests, requestNotes },
  ...{ manageWebhooks, manageDeliveries, webhookUrls: ports.webhookUrls },
  answeredRequests: ports.answeredRequests,
  ...{ requestSecondCopy, correctSaleEmail, retryMailing },
  ...{ alertRecords: ports.alertRecords, webhookEndpoints: ports.webhookEndpoints, resolveAlert },
};

export type ConsoleNeeds = Given<typeof CONSOLE_NEEDS>;
