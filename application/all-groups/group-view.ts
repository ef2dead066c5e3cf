import type { AlertRecords } from '../alerts/alert-records.ts';
import type { ApprovalRequests } from '../approvals/approval-requests.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Mailings } from '../mail/mailings.ts';
import type { ListSales } from '../sales/list-sales.ts';
import type { Sales } from '../sales/sales.ts';
import type { SearchSales } from '../search/search-sales.ts';
import type { BookingTotals } from '../totals/booking-totals.ts';
import type { WebhookEndpoints } from '../webhooks/endpoints.ts';

/** What administrators look at in each group of channels. */
export interface GroupView {
  readonly sales: Sales;
  readonly mailings: Mailings;
  readonly alertRecords: AlertRecords;
  readonly auditLog: AuditLog;
  readonly listSales: ListSales;
  readonly searchSales: SearchSales;
  readonly approvalRequests: ApprovalRequests;
  readonly bookingTotals: BookingTotals;
  readonly webhookEndpoints: WebhookEndpoints;
}
