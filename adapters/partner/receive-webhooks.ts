import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { EventBody, EventPrinter } from './event-printer.ts';
import { CommandFailure } from './failures.ts';

/** Longer bodies are refused, bytes. */
const MAX_BODY_BYTES = 1_048_576;

/** Max time for answers that are under way at the end. */
const CLOSING_MS = 1_000;

/** Why a delivery is refused, by the library's message. */
const REASONS: Readonly<Record<string, string>> = {
  'Missing required headers': 'falta webhook-id, webhook-timestamp ou webhook-signature',
  'Invalid Signature Headers': 'webhook-timestamp não é um número',
  'Message timestamp too old': 'webhook-timestamp tem mais de 5 minutos',
  'Message timestamp too new': 'webhook-timestamp está mais de 5 minutos no futuro',
  'No matching signature found': 'a assinatura não confere com o segredo',
};

interface Receiving {
  readonly printer: EventPrinter;
  /** Tells why a delivery was refused, or that it came before. */
  readonly note: (text: string) => void;
  /** Called when the printer has no more room. */
  readonly stop: () => void;
}

/** @throws CommandFailure if the text is no secret of an endpoint */
const createVerifier = (secret: string): Webhook => {
  try {
    if (secret.startsWith('whsec_')) return new Webhook(secret);
  } catch {
    // No base64. The library's message could show the secret.
  }
  throw new CommandFailure('WEBHOOK_SECRET deve ser o segredo do endpoint, que começa com whsec_.');
};

/** A local endpoint that verifies the signatures of what it gets. */
export class WebhookReceiver {
  readonly #receiving: Receiving;
  readonly #server = createServer();
  #verifier: Webhook | undefined;
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

  /** Sets the secret. Deliveries that come before are answered 503. */
  verifyWith(secret: string): void {
    this.#verifier = createVerifier(secret);
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
    if (this.#verifier === undefined) return 503;
    const body = await readBody(request);
    if (body === undefined) return 413;

    const { printer, note } = this.#receiving;
    try {
      this.#verifier.verify(body, request.headers as Record<string, string>, { jsonParse: false });
    } catch (error) {
      this.#refused += 1;
      note(`Recusado: ${REASONS[(error as Error).message] ?? 'a assinatura não pode ser lida'}.`);
      return 401;
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
