import http from 'node:http';
import https from 'node:https';
import type {
  AlertSender,
  Digest,
  NotificationOutcome,
} from '../../application/alerts/alert-notifications.ts';
import type { AlertRecord } from '../../application/alerts/alert-records.ts';
import { ALERT_MEANINGS, runbookOf } from '../../application/alerts/alerts.ts';
import type { PlainMailer } from '../../application/mail/mailer.ts';

/** Which service it is that tells: operators may have several. */
export interface ToldService {
  readonly environment: 'test' | 'production';
  readonly publicUrl: string;
}

/** `3 × sale_stuck` */
const titleOf = ({ count, kind }: Digest): string => `${count} × ${kind}`;

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
const textOf = (digest: Digest, { environment, publicUrl }: ToldService): string => {
  const { kind, count, alerts } = digest;
  const more = count - alerts.length;
  const query = `status=open&kind=${kind}`;
  return [
    `${titleOf(digest)} (${environment}, ${publicUrl})`,
    ALERT_MEANINGS[kind],
    [...alerts.map(lineOf), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    [
      `What to do: ${runbookOf(kind, publicUrl)}`,
      `All that are open: GET ${publicUrl}/api/admin/alerts?${query}`,
      `or: npm run -s admin -- alerts --status open --kind ${kind}`,
    ].join('\n'),
  ].join('\n\n');
};

/** Tells operators of alerts by mail. */
export class MailAlertSender implements AlertSender {
  readonly way = 'mail';
  readonly #mailer: PlainMailer;
  readonly #to: readonly string[];
  readonly #service: ToldService;

  constructor(mailer: PlainMailer, to: readonly string[], service: ToldService) {
    this.#mailer = mailer;
    this.#to = to;
    this.#service = service;
  }

  async tell(digest: Digest): Promise<NotificationOutcome> {
    const outcome = await this.#mailer.sendPlain({
      // The same for every try of a digest.
      reference: `alerts-${digest.kind}-${digest.upTo}`,
      to: this.#to,
      subject: `[insurance-sales] ${titleOf(digest)}`,
      text: `${textOf(digest, this.#service)}\n`,
    });
    if (outcome.kind === 'sent') return { kind: 'told' };
    const { kind, reason } = outcome;
    return { kind: kind === 'unanswered' ? 'unknown' : 'failed', reason };
  }
}

const TIMEOUT_MS = 10_000;

/** Refuses fields that it does not know. */
const GOOGLE_CHAT = 'chat.googleapis.com';

/**
 * Tells operators of alerts by a POST of JSON. Slack, Mattermost and Google Chat show its `text`. The
 * URL is a secret of the operator's, may be internal, and is in no outcome.
 */
export class WebhookAlertSender implements AlertSender {
  readonly way = 'webhook';
  readonly #url: string;
  readonly #service: ToldService;
  readonly #timeoutMs: number;

  constructor(url: string, service: ToldService, timeoutMs = TIMEOUT_MS) {
    this.#url = url;
    this.#service = service;
    this.#timeoutMs = timeoutMs;
  }

  tell(digest: Digest): Promise<NotificationOutcome> {
    const body = JSON.stringify(this.#bodyOf(digest));
    return postJson(new URL(this.#url), body, AbortSignal.timeout(this.#timeoutMs));
  }

  #bodyOf(digest: Digest): object {
    const { kind, count, alerts } = digest;
    // Slack reads <…> as a link or a mention.
    const text = textOf(digest, this.#service).replaceAll(/[<>]/g, ' ');
    if (new URL(this.#url).hostname === GOOGLE_CHAT) return { text };
    return { text, kind, count, alerts: alerts.map(presentAlert) };
  }
}

/** An alert with the fields that the administrators' API gives it. */
const presentAlert = (record: AlertRecord): object => ({
  alert_id: record.id,
  transaction_id: record.saleId,
  details: record.details,
  times: record.times,
  first_at: record.firstAt,
  last_at: record.lastAt,
  request_id: record.requestId,
});

/**
 * Posts over a connection of its own. Not by `fetch`, which does not say whether the body was handed
 * over before the time was up.
 */
const postJson = (url: URL, body: string, signal: AbortSignal): Promise<NotificationOutcome> =>
  new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json' };
    const { request } = url.protocol === 'https:' ? https : http;
    let isHandedOver = false;
    const posted = request(url, { method: 'POST', headers, agent: false, signal });
    posted.on('response', (response) => {
      const { statusCode = 0 } = response;
      const isTaken = statusCode >= 200 && statusCode < 300;
      resolve(isTaken ? { kind: 'told' } : { kind: 'failed', reason: `status ${statusCode}` });
      posted.destroy();
    });
    posted.on('finish', () => {
      isHandedOver = true;
    });
    posted.on('error', (error) => {
      if (!signal.aborted) return resolve({ kind: 'failed', reason: codeOf(error) });
      resolve({ kind: isHandedOver ? 'unknown' : 'failed', reason: 'timeout' });
    });
    posted.end(body);
  });

/** The code of Node.js or OpenSSL, never the message, which may hold the URL. */
const codeOf = ({ code = 'unknown' }: NodeJS.ErrnoException): string => code;
