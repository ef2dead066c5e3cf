import type { Route } from '../pipeline/route.ts';
import { type AuditRouteParts, auditRoutes } from './audit-routes.ts';
import { type CatalogueRouteParts, catalogueRoutes } from './catalogue-routes.ts';
import { type ClientRouteParts, clientRoutes } from './client-routes.ts';
import { type MailingRouteParts, mailingRoutes } from './mailing-routes.ts';
import { type StatementRouteParts, statementRoutes } from './statement-routes.ts';
import { type TransactionRouteParts, transactionRoutes } from './transaction-routes.ts';

export type AdminRouteParts = ClientRouteParts &
  CatalogueRouteParts &
  TransactionRouteParts &
  StatementRouteParts &
  MailingRouteParts &
  AuditRouteParts;

export const adminRoutes = (parts: AdminRouteParts): readonly Route[] => [
  ...clientRoutes(parts),
  ...catalogueRoutes(parts),
  ...transactionRoutes(parts),
  ...statementRoutes(parts),
  ...mailingRoutes(parts),
  ...auditRoutes(parts),
];
