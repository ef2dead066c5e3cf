import type {
  SendOutcome,
  WebhookMessage,
  WebhookSender,
} from '../../application/webhooks/webhook-sender.ts';

const TAKEN: SendOutcome = { kind: 'answered', status: 200, answer: '', ms: 1 };

/** Keeps the messages that were sent, and answers as a test says. */
export class MemoryWebhookSender implements WebhookSender {
  readonly sent: WebhookMessage[] = [];
  #answer: (message: WebhookMessage) => SendOutcome | Promise<SendOutcome> = () => TAKEN;

  /** Answers each message like this from now on. */
  answer(answer: (message: WebhookMessage) => SendOutcome | Promise<SendOutcome>): void {
    this.#answer = answer;
  }

  async send(message: WebhookMessage): Promise<SendOutcome> {
    this.sent.push(structuredClone(message));
    return this.#answer(message);
  }
}
