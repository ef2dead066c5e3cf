import type { Route } from '../routes.ts';
import { type AuditRouteParts, auditRoutes } from './audit.ts';
import { type CatalogueRouteParts, catalogueRoutes } from './catalogue.ts';
import { type ClientRouteParts, clientRoutes } from './clients.ts';
import { type MailingRouteParts, mailingRoutes } from './mailings.ts';
import { type StatementRouteParts, statementRoutes } from './statement.ts';
import { type TransactionRouteParts, transactionRoutes } from './transactions.ts';

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
