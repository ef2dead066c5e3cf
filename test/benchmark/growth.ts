import { rowsIn } from '../support/postgres.ts';
import { median, spread, times, whole } from './figures.ts';
import { load } from './load.ts';
import { type Contender, lineOf, Rounds, type Sample, warmUp } from './rounds.ts';
import { CREATE, ticketSales } from './sales-contenders.ts';
import type { Settings } from './settings.ts';
import { Stage } from './stage.ts';

const [FEW, LEAST, CONNECTIONS] = [1_000, 0.9, 32];

/** Rows per INSERT, so that no statement takes minutes. */
const PORTION = 250_000;

const rate = ({ perSecond }: Sample): number => perSecond;

/** Copies the last sale, with random tickets and keys. */
const fill = (from: number, count: number): string => `
  insert into sale (ticket, channel_link, client_id, status, version, registered_at, terms, progress,
    idempotency_key, idempotency_content, booked_at)
  select gen_random_uuid()::text, channel_link, client_id, status, version, registered_at, terms, progress,
    gen_random_uuid()::text, idempotency_content, booked_at
  from (select * from sale order by id desc limit 1) as last, generate_series(${from + 1}, ${from + count})`;

/** Compares a sale among many others with one among few. @returns whether the target holds */
export const compareGrowth = async (
  say: (line: string) => void,
  settings: Settings,
): Promise<boolean> => {
  const stage = new Stage();
  try {
    const contenders: Contender[] = [];
    for (const rows of [FEW, settings.rows]) {
      const url = await stage.database();
      const { process: ours, tokens } = await stage.service(url);
      const requests = ticketSales(`${ours.url}${CREATE}`, tokens);
      await load(requests.slice(0, 1), 1, 0.01);
      for (let filled = 0; filled < rows; filled += PORTION)
        await rowsIn(url, fill(filled, Math.min(PORTION, rows - filled)));
      await rowsIn(url, 'vacuum analyze sale');
      await rowsIn(url, 'checkpoint');
      const [size] = await rowsIn<{ size: string }>(
        url,
        `select pg_size_pretty(pg_total_relation_size('sale')) as size`,
      );
      contenders.push({ name: `among ${whole(rows)}`, pid: ours.pid, requests });
      say(`${whole(rows)} sales: ${size?.size} with their indexes`);
    }
    await warmUp(contenders);
    const plan = { ...settings, connections: CONNECTIONS, databasePid: stage.postgres.pid };
    const found = await new Rounds().run(contenders, plan);
    for (const { name } of contenders) say(lineOf(name, found.of(name)));
    const [few, many] = contenders.map(({ name }) => name) as [string, string];
    const ratios = found.ratios(many, few, rate);
    const held = median(ratios) >= LEAST;
    say(
      `  ${held ? 'held  ' : 'MISSED'} rate ${many} / ${few}: ${spread(ratios, times)}, at least ${LEAST}`,
    );
    settings.record('growth', found.all);
    return held;
  } finally {
    await stage.close();
  }
};
