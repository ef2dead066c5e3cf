import { writeXlsx } from '../../adapters/http/books/statement-xlsx.ts';
import type { StatementLine } from '../../application/statements/channel-statement.ts';

// How much memory a statement takes as an Excel file beside what a busy process has anyway:
//
//   node --min-semi-space-size=32 test/benchmark/statement-memory.ts LINES
//
// Prints the lines, the seconds, the bytes of the file and the peak of added memory in MB. The
// option gives the process the young generation of one that has served many requests: V8 enlarges
// it with time, whatever the process does. A small statement fills it before the measurement.

/** Lines that come together, as from the database. */
const BATCH_LINES = 200;

/** Lines of the small statement. */
const WARM_UP_LINES = 30_000;

const residentMB = (): number => process.memoryUsage.rss() / 1_000_000;

let peakMB = 0;

async function* manyLines(count: number): AsyncIterable<StatementLine> {
  for (let id = 1; id <= count; id += 1) {
    if (id % BATCH_LINES === 1) {
      await new Promise((resolve) => setImmediate(resolve));
      peakMB = Math.max(peakMB, residentMB());
    }
    const line = {
      booking: {
        kind: 'sale',
        at: new Date(Date.UTC(2026, 10, 1, 3) + id * 2_000).toISOString(),
        collectedBy: id % 3 === 0 ? 'service' : 'channel',
        ...{ net: 18_860, iof: 1_392, total: 20_252, commission: 3_772, netAmount: 16_480 },
      },
      on: '2026-11-20',
      sale: {
        ...{ id, ticket: `01M82EF7PS${String(id).padStart(16, '0')}` },
        ...{ externalSaleId: `pedido-${id}`, productCode: 'INGRESSO', planCode: 'PADRAO' },
      },
    };
    yield line as unknown as StatementLine;
  }
}

/** @returns the bytes of the file */
const write = async (count: number): Promise<number> => {
  let bytes = 0;
  const file = writeXlsx(manyLines(count), { month: '2026-11' });
  for await (const chunk of file) bytes += chunk.length;
  return bytes;
};

await write(WARM_UP_LINES);

const lines = Number(process.argv[2] ?? 1_000_000);
const beforeMB = residentMB();
peakMB = beforeMB;
const startedAt = performance.now();
const bytes = await write(lines);
const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1));
peakMB = Math.max(peakMB, residentMB());

const addedMB = Math.round(peakMB - beforeMB);
process.stdout.write(`${JSON.stringify({ lines, seconds, bytes, addedMB })}\n`);
