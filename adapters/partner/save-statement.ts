import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Progress } from './progress.ts';
import type { SalesService } from './sales-service.ts';

export const STATEMENT_FORMATS = ['xlsx', 'csv', 'json'] as const;

export interface StatementRequest {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly format: (typeof STATEMENT_FORMATS)[number];
  /** The locale, for CSV only. */
  readonly locale?: string;
}

/**
 * Saves the statement of a month. An answer that breaks off leaves an earlier file as it is.
 *
 * @throws CommandFailure if the service refuses the request, or fails for too long
 */
export const saveStatement = async (
  service: SalesService,
  { month, format, locale }: StatementRequest,
  out: string,
  progress: Progress,
): Promise<void> => {
  const query = new URLSearchParams({ month, format, ...(locale && { locale }) });
  const request = { method: 'GET', path: `/private/integration/statement?${query}` } as const;
  const save = async (answer: IncomingMessage): Promise<void> => {
    const unfinished = `${out}.part`;
    let received = 0;
    answer.on('data', (chunk: Buffer) => {
      received += chunk.length;
      progress.update(received);
    });
    await pipeline(answer, createWriteStream(unfinished));
    await rename(unfinished, out);
  };

  try {
    await service.ask(request, save);
  } finally {
    progress.stop();
  }
};
