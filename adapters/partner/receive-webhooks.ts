import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookError, type WebhookFault } from '../client/src/verify-webhook.ts';
import type { EventBody, EventPrinter } from './event-printer.ts';
import { CommandFailure } from './failures.ts';

/** Longer bodies are refused, bytes. */
const MAX_BODY_BYTES = 1_048_576;

/** Max time for answers that are under way at the end. */
const CLOSING_MS = 1_000;

/** Why a delivery is refused. */
const REASONS: Readonly<Record<WebhookFault, string>> = {
  missing_header: 'falta webhook-id ou webhook-timestamp, ou não é um número',
  too_old: 'webhook-timestamp tem mais de 5 minutos',
  too_new: 'webhook-timestamp está mais de 5 minutos no futuro',
  wrong_signature: 'a assinatura falta, ou não confere com o segredo',
  invalid_body: 'o corpo não é um evento',
};

interface Receiving {
  readonly printer: EventPrinter;
  /** Tells why a delivery was refused, or that it came before. */
  readonly note: (text: string) => void;
  /** Called when the printer has no more room. */
  readonly stop: () => void;
}

/** A local endpoint that verifies the signatures of what it gets. */
export class WebhookReceiver {
  readonly #receiving: Receiving;
  readonly #server = createServer();
  #secret: string | undefined;
  #refused = 0;

  constructor(receiving: Receiving) {
    this.#receiving = receiving;
    this.#server.on('request', async (request, response) => {
      const status = await this.#receive(request).catch(() => 400);
      response.writeHead(status, { Connection: 'close' }).end();
      if (receiving.printer.room === 0) response.once('close', receiving.stop);
    });
  }

  /** Deliveries whose signature was wrong. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Sets the secret. Deliveries that come before are answered 503.
   *
   * @throws CommandFailure if the text is no secret of an endpoint
   */
  verifyWith(secret: string): void {
    if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret))
      throw new CommandFailure(
        'WEBHOOK_SECRET deve ser o segredo do endpoint, que começa com whsec_.',
      );
    this.#secret = secret;
  }

  /** @returns its address. @throws CommandFailure if the port is taken */
  async open(port: number): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
      throw new CommandFailure(`A porta ${port} não pode ser aberta (${code}).`);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Takes no more connections, and lets answers that are under way arrive. */
  close(): void {
    this.#server.close();
    setTimeout(() => this.#server.closeAllConnections(), CLOSING_MS).unref();
  }

  /** @returns the status of the answer */
  async #receive(request: IncomingMessage): Promise<number> {
    if (request.method !== 'POST') return 405;
    if (this.#secret === undefined) return 503;
    const body = await readBody(request);
    if (body === undefined) return 413;

    const { printer, note } = this.#receiving;
    try {
      await verifyWebhook(this.#secret, request.headers, body);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      this.#refused += 1;
      note(`Recusado: ${REASONS[error.fault]}.`);
      return error.fault === 'invalid_body' ? 400 : 401;
    }
    // Another delivery may have taken the last place meanwhile.
    if (printer.room === 0) return 503;
    const event: EventBody = JSON.parse(body);
    if (!printer.add(event, body)) note(`Repetido: ${event.id}.`);
    return 204;
  }
}

/** Undefined: it is too long. */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};
