import type { AlertRecord } from '../../application/alerts/alert-records.ts';
import type {
  AlertSender,
  Digest,
  TellingOutcome,
} from '../../application/alerts/alert-tellings.ts';
import { type ToldService, textOf } from './alert-text.ts';

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

  async tell(digest: Digest): Promise<TellingOutcome> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(this.#bodyOf(digest)),
        redirect: 'manual',
        signal,
      });
      await response.body?.cancel();
      return response.ok
        ? { kind: 'told' }
        : { kind: 'failed', reason: `status ${response.status}` };
    } catch (error) {
      return { kind: 'failed', reason: signal.aborted ? 'timeout' : codeOf(error) };
    }
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

/** The code of Node.js or OpenSSL, never the message, which may hold the URL. */
const codeOf = (error: unknown): string => {
  const { code } = ((error as Error).cause ?? error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'unknown';
};
