import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { terms } from './sales.ts';

/**
 * A process that writes sales, each in a transaction that stays open for some milliseconds before it
 * is committed or, sometimes, rolled back. Prints the numbers of the committed sales, each after its
 * commit.
 */
const [, , url = '', name = '', count = '0'] = process.argv;

const INSERT_SALE = `
  with sold as (
    insert into sale
      (ticket, channel_link, client_id, status, version, registered_at, terms, progress)
    values ($1, $2, 'client-1', 'pending', 1, now(), $3, '{}') returning id
  ), noted as (
    insert into new_registration (sale_ids) select array[id] from sold
  )
  select id::text from sold`;

/** Registers a sale on an open connection. Returns its number. */
export const insertSale = async (
  client: pg.Client,
  ticket: string,
  channelLink: string,
): Promise<number> => {
  const payment = { collectedBy: 'service', installments: 1 } as const;
  const sold = JSON.stringify(terms({ channelLink, payment }));
  return Number((await client.query(INSERT_SALE, [ticket, channelLink, sold])).rows[0].id);
};

if (import.meta.main) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Different in each process, and the same in each run.
  let random = [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7);
  const next = (below: number): number => {
    random = (random * 48_271) % 2_147_483_647;
    return random % below;
  };
  for (let number = 0; number < Number(count); number += 1) {
    await client.query('begin');
    const id = await insertSale(client, `${name}-${number}`, 'raced');
    await setTimeout(next(10) === 0 ? next(100) : next(8));
    const isKept = next(8) > 0;
    await client.query(isKept ? 'commit' : 'rollback');
    if (isKept) process.stdout.write(`${id}\n`);
  }
  await client.end();
}
