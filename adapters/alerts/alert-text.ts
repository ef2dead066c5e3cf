import { ALERT_MEANINGS, runbookOf } from '../../application/alerts/alert-kinds.ts';
import type { Digest } from '../../application/alerts/alert-notifications.ts';
import type { AlertRecord } from '../../application/alerts/alert-records.ts';

/** Which service it is that tells: operators may have several. */
export interface ToldService {
  readonly environment: 'test' | 'production';
  readonly publicUrl: string;
}

/** `3 × sale_stuck` */
export const titleOf = ({ count, kind }: Digest): string => `${count} × ${kind}`;

/** What a sentence says of an alert without a sale: the notice or the webhook. */
const matterOf = ({ saleId, subject }: AlertRecord): string =>
  saleId === null ? subject : `sale ${saleId}`;

const timesOf = ({ times, firstAt, lastAt }: AlertRecord): string =>
  times === 1 ? lastAt : `${times} times, first ${firstAt}, last ${lastAt}`;

/** An alert in a line. `details` are codes, numbers and times; words of an insurer in quotes. */
const lineOf = (record: AlertRecord): string => {
  const { id, requestId, details } = record;
  const request = requestId === null ? '' : `, request ${requestId}`;
  return `alert ${id}, ${matterOf(record)}: ${timesOf(record)}${request}, ${JSON.stringify(details)}`;
};

/** What operators read, in English: the kind, its alerts, and what to do. */
export const textOf = (digest: Digest, { environment, publicUrl }: ToldService): string => {
  const { kind, count, alerts } = digest;
  const more = count - alerts.length;
  const query = `status=open&kind=${kind}`;
  return [
    `${titleOf(digest)} (${environment}, ${publicUrl})`,
    ALERT_MEANINGS[kind],
    [...alerts.map(lineOf), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    [
      `What to do: ${runbookOf(kind)}`,
      `All that are open: GET ${publicUrl}/api/admin/alerts?${query}`,
      `or: npm run -s admin -- alerts --status open --kind ${kind}`,
    ].join('\n'),
  ].join('\n\n');
};
