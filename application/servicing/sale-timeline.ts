import {
  type Cents,
  goneBack,
  type Instant,
  isCancelled,
  isFailed,
  issuedDocumentOf,
  type Sale,
} from '#domain';
import type { AlertRecord } from '../alerts/alert-records.ts';
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from '../audit/audit-log.ts';
import type { Mailing } from '../mail/mailings.ts';
import { occasionOf } from '../mailing-name.ts';

/** What happens to a sale by itself; the acts of people have the names of the audit log. */
export const SALE_MOMENTS = [
  'registered',
  'paid',
  'issued',
  'refused',
  'expired',
  'cancelled',
  'refund_ordered',
  'refund_left',
  'dispute_opened',
  'mail_requested',
  'mail_sent',
  'mail_undelivered',
  'mail_withdrawn',
  'alert_raised',
  'alert_resolved',
] as const;

type SaleAct = Extract<AuditAction, `${'sale' | 'payment' | 'approval'}.${string}`>;

const isSaleAct = (action: AuditAction): action is SaleAct =>
  /^(sale|payment|approval)\./.test(action);

/** What people and clients do with a sale, as the audit log names it. */
export const SALE_ACTS = AUDIT_ACTIONS.filter(isSaleAct);

/** What happened to a sale at a time. */
export interface TimelineEntry {
  readonly at: Instant;
  readonly event: (typeof SALE_MOMENTS)[number] | SaleAct;
  /** Who did it, as the audit log names them. */
  readonly by?: string | undefined;
  /** In cents: what came, or goes back. */
  readonly amount?: Cents | undefined;
  /** The number of the document, the kind of the alert, the occasion of the mail, or the decision. */
  readonly about?: string | undefined;
}

interface Sources {
  readonly sale: Sale;
  /** About the sale. */
  readonly acts: readonly AuditEntry[];
  readonly mails: readonly Mailing[];
  readonly alerts: readonly AlertRecord[];
}

const ENDINGS: ReadonlySet<AuditAction> = new Set(['sale.cancelled', 'sale.given_up']);

/** All that happened to a sale, the newest first. */
export const timelineOf = ({ sale, acts, mails, alerts }: Sources): readonly TimelineEntry[] => {
  const ending = acts.find(({ action }) => ENDINGS.has(action));
  // At the same time a cause comes before its effect.
  return [
    ...mails.flatMap(momentsOfMail),
    ...acts.flatMap(({ at, action, actor, changes }) => {
      if (!isSaleAct(action) || ENDINGS.has(action)) return [];
      const decision = changes.find(({ field }) => field === 'decision')?.after;
      const about = decision === undefined ? {} : { about: String(decision) };
      return [{ at, event: action, by: actor.name ?? undefined, ...about }];
    }),
    ...alerts.flatMap(momentsOfAlert),
    ...momentsOf(sale, ending?.actor.name),
  ].sort((one, other) => other.at.localeCompare(one.at));
};

/** Later ones come later also at the same time. */
const momentsOf = (sale: Sale, endedBy: string | null | undefined): readonly TimelineEntry[] => {
  const document = issuedDocumentOf(sale);
  const received = sale.receipts.reduce((sum, { amount }) => sum + amount, 0) as Cents;
  const moments: readonly (TimelineEntry | false | undefined)[] = [
    { at: sale.registeredAt, event: 'registered' },
    'bookedAt' in sale && sale.bookedAt && { at: sale.bookedAt, event: 'paid', amount: received },
    document && { at: document.issuedAt, event: 'issued', about: document.number },
    isFailed(sale) && { at: sale.closedAt, event: sale.status },
    isCancelled(sale) && {
      ...{ at: sale.cancelledAt, event: 'cancelled', amount: sale.cancellation.refund.total },
      by: endedBy ?? undefined,
    },
    ...sale.receipts.flatMap((receipt) => {
      const { ordered, orderedAt, returnedAt, dispute } = receipt;
      return [
        dispute &&
          ({ at: dispute.openedAt, event: 'dispute_opened', amount: dispute.amount } as const),
        orderedAt && ({ at: orderedAt, event: 'refund_ordered', amount: ordered } as const),
        returnedAt &&
          ({ at: returnedAt, event: 'refund_left', amount: goneBack(receipt) } as const),
      ];
    }),
  ];
  return moments.filter((each) => typeof each === 'object').reverse();
};

const momentsOfMail = (mail: Mailing): readonly TimelineEntry[] => {
  const { requestedAt, status, settledAt } = mail;
  const about = occasionOf(mail);
  const settled =
    status !== 'waiting' && settledAt
      ? [{ at: settledAt, event: `mail_${status}` as const, about }]
      : [];
  return [...settled, { at: requestedAt, event: 'mail_requested', about }];
};

const momentsOfAlert = ({ kind, firstAt, resolution }: AlertRecord): readonly TimelineEntry[] => [
  ...(resolution
    ? [{ at: resolution.at, event: 'alert_resolved' as const, by: resolution.by, about: kind }]
    : []),
  { at: firstAt, event: 'alert_raised', about: kind },
];
