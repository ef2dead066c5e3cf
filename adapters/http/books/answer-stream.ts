import { Readable } from 'node:stream';
import type { Instant } from '#domain';
import type { Context } from '../../kit/web/pipeline/context.ts';

/** Time in which a client must read a part of a full answer, ms. */
const STALL_MS = 30_000;

/**
 * An answer of lines, written while its client may still be sending. It holds up to `maxBytes` for a
 * client that reads late; then the writer has to wait.
 */
export class AnswerStream extends Readable {
  readonly #stallMs: number;
  #text = '';
  #sending: NodeJS.Immediate | undefined;
  #room: PromiseWithResolvers<boolean> | undefined;

  constructor(maxBytes: number, stallMs = STALL_MS) {
    super({ highWaterMark: maxBytes });
    this.#stallMs = stallMs;
  }

  override _read(): void {
    this.#room?.resolve(true);
    this.#room = undefined;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearImmediate(this.#sending);
    this._read();
    done(error);
  }

  /** Adds a line. Lines of one turn of the event loop are sent together. */
  addLine(line: object): void {
    this.#text += `${JSON.stringify(line)}\n`;
    this.#sending ??= setImmediate(() => this.#send());
  }

  get isFull(): boolean {
    return this.#room !== undefined;
  }

  /** Waits while the answer is full. @returns false if its client reads nothing of it for 30 s */
  async waitForRoom(): Promise<boolean> {
    while (this.#room !== undefined) {
      const unread = this.readableLength;
      const { promise, resolve } = this.#room;
      const timer = setTimeout(() => resolve(false), this.#stallMs);
      const hasRoom = await promise;
      clearTimeout(timer);
      if (hasRoom) return true;
      if (this.#room !== undefined) this.#room = Promise.withResolvers();
      if (this.readableLength >= unread) return false;
    }
    return true;
  }

  /** Sends the lines that wait, and ends the answer. */
  finish(): void {
    clearImmediate(this.#sending);
    this.#send();
    this.push(null);
  }

  #send(): void {
    this.#sending = undefined;
    if (this.#text === '' || this.destroyed) return;
    const hasRoom = this.push(Buffer.from(this.#text));
    this.#text = '';
    if (!hasRoom) this.#room ??= Promise.withResolvers();
  }
}

/** Characters that are sent together. */
const CHUNK_CHARACTERS = 32_768;

/** Joins short texts, because each text of a streamed answer costs a write. */
export async function* joinIntoChunks(texts: AsyncIterable<string>): AsyncIterable<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Waits for the first item, so that an error in reading it is still answered with its status. */
export const waitForFirst = async <Item>(
  items: AsyncIterable<Item>,
): Promise<AsyncIterable<Item>> => {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* allItems() {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
};

/** Tells the caller from when on stored sales and refunds may be missing, if any may. */
export const setAsOf = (ctx: Context, asOf: Instant | undefined): void => {
  if (asOf !== undefined) ctx.set('X-Data-As-Of', asOf);
};
