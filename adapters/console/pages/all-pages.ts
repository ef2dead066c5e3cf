import type { CatalogueParts } from '../definitions/resources.ts';
import type { Page } from '../visit.ts';
import { type AlertParts, createAlertPages } from './alert-pages.ts';
import { createApprovalPages } from './approval-pages.ts';
import { type AuditParts, createAuditPages } from './audit-pages.ts';
import { type CaseParts, createCasePage } from './case-page.ts';
import { createCataloguePages } from './catalogue-pages.ts';
import { type ClientParts, createClientPages } from './client-pages.ts';
import { createDecisionPages, type DecisionParts } from './decision-pages.ts';
import { createDefinitionPages } from './definition-pages.ts';
import { createDeliveryPages } from './delivery-pages.ts';
import { createEndingPages } from './ending-pages.ts';
import { createEntryPages, type EntryParts } from './entry-pages.ts';
import { createGatewayPage, type GatewayParts } from './gateway-page.ts';
import { createMailPages, type MailParts } from './mail-pages.ts';
import { createOpenIdPages, type OpenIdParts } from './openid-pages.ts';
import { createPeoplePages, type PeopleParts } from './people-pages.ts';
import { createRefundPages, type RefundParts } from './refund-pages.ts';
import { createRequestPages, type RequestParts } from './request-pages.ts';
import { createSaleListPages, type SaleListParts } from './sale-list-pages.ts';
import { createSalePage, type SaleParts } from './sale-pages.ts';
import { createSessionPages, type SessionParts } from './session-pages.ts';
import { createStartPage, type StartParts } from './start-page.ts';
import { createStatementPages, type StatementParts } from './statement-pages.ts';
import { createTaxPages, type TaxParts } from './tax-pages.ts';
import { createWebhookPages, type WebhookParts } from './webhook-pages.ts';
import { createWithdrawalPages } from './withdrawal-pages.ts';

/** What the pages of the console need. */
export interface PageParts
  extends EntryParts,
    OpenIdParts,
    StartParts,
    SessionParts,
    SaleListParts,
    SaleParts,
    MailParts,
    DecisionParts,
    GatewayParts,
    CaseParts,
    AlertParts,
    AuditParts,
    StatementParts,
    RefundParts,
    CatalogueParts,
    TaxParts,
    ClientParts,
    WebhookParts,
    RequestParts,
    PeopleParts {}

export const createPages = (parts: PageParts): readonly Page[] => [
  ...createEntryPages(parts),
  ...createOpenIdPages(parts),
  createStartPage(parts),
  ...createSessionPages(parts),
  ...createSaleListPages(parts),
  createSalePage(parts),
  ...createMailPages(parts),
  ...createEndingPages(parts),
  ...createDecisionPages(parts),
  ...createApprovalPages(parts),
  createGatewayPage(parts),
  createCasePage(parts),
  ...createAlertPages(parts),
  ...createStatementPages(parts),
  ...createRefundPages(parts),
  ...createCataloguePages(parts),
  ...createDefinitionPages(parts),
  ...createWithdrawalPages(parts),
  ...createTaxPages(parts),
  ...createClientPages(parts),
  ...createWebhookPages(parts),
  ...createDeliveryPages(parts),
  ...createRequestPages(parts),
  ...createAuditPages(parts),
  ...createPeoplePages(parts),
];
