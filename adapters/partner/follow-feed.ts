import { setTimeout as pause } from 'node:timers/promises';
import type { EventBody, EventPrinter } from './event-printer.ts';
import type { SalesService } from './sales-service.ts';
import { readJson } from './service-answers.ts';

interface FeedPage {
  readonly data: readonly EventBody[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

export interface Following {
  /** `now`: only later events. `start`: from the oldest one. Else the cursor of an earlier page. */
  readonly from: 'now' | 'start' | { readonly cursor: string };
  /** Undefined: all. */
  readonly types: readonly string[] | undefined;
}

/** The rarest type of events. */
const TEST_EVENT = 'webhook.test';

/** Pause at the end of the feed, ms. */
const POLL_MS = 1_000;
const PAGE_SIZE = 200;

/** Reads the feed of the channel's events, page by page, until the printer has no room. */
export class FeedReader {
  readonly #service: SalesService;
  #cursor: string | undefined;

  constructor(service: SalesService) {
    this.#service = service;
  }

  /** The cursor at which another reader goes on. Undefined: at the start. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /**
   * @throws CommandFailure if the service refuses the request, or fails for too long
   * @throws AbortError if it is stopped
   */
  async follow(
    { from, types }: Following,
    printer: EventPrinter,
    signal: AbortSignal,
  ): Promise<void> {
    if (from === 'now') this.#cursor = await this.#findEnd();
    else if (from !== 'start') this.#cursor = from.cursor;

    const type = types?.join(',');
    while (printer.room > 0) {
      const limit = Math.min(printer.room, PAGE_SIZE);
      const { data, next_cursor, has_more } = await this.#read(this.#cursor, type, limit);
      for (const event of data) printer.add(event);
      this.#cursor = next_cursor;
      if (!has_more && printer.room > 0) await pause(POLL_MS, undefined, { signal });
    }
  }

  /** The end of the feed. Only tests are read: a page of them ends behind all other events. */
  async #findEnd(): Promise<string> {
    let cursor: string | undefined;
    for (;;) {
      const { next_cursor, has_more } = await this.#read(cursor, TEST_EVENT, PAGE_SIZE);
      if (!has_more) return next_cursor;
      cursor = next_cursor;
    }
  }

  #read(after: string | undefined, type: string | undefined, limit: number): Promise<FeedPage> {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(after !== undefined && { after }),
      ...(type !== undefined && { type }),
    });
    const request = { method: 'GET', path: `/private/integration/events?${query}` } as const;
    return this.#service.ask(request, readJson<FeedPage>);
  }
}
