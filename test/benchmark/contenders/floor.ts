import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { announce, databaseUrl, type Row, rowOf } from './common.ts';

/**
 * The least work: node:http and pg, one prepared INSERT per sale into a table with a primary key and
 * no other index, and a read by primary key. What all sales share is made text once. No
 * authentication, validation or idempotency.
 *
 * `grouped`: one INSERT for sales that arrive together, into the service's table with its indexes.
 */
const isGrouped = process.argv.includes('grouped');
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const TABLE = isGrouped ? 'sale' : 'floor_sale';
if (!isGrouped)
  await pool.query(
    `create table ${TABLE} (like sale including defaults including identity, primary key (id))`,
  );

const COLUMNS = `ticket, channel_link, client_id, status, version, registered_at, terms, progress, idempotency_key, idempotency_content, booked_at`;

const insertOne = {
  name: 'insert-sale',
  text: `insert into ${TABLE} (${COLUMNS}) values ($1, $2, $3, 'paid', 1, $4, $5, $6, $7, $8, $4) returning id`,
};

const TYPES = ['text', 'text', 'text', 'timestamptz', 'json', 'json', 'text', 'json'];

/** One prepared statement for each number of rows. */
const insertMany = (rows: number) => ({
  name: `insert-${rows}-sales`,
  text: `
    insert into ${TABLE} (${COLUMNS})
    select ticket, channel_link, client_id, 'paid', 1, at, terms, progress, key, content, at
    from (values ${Array.from({ length: rows }, (_, row) => `(${TYPES.map((type, index) => `$${row * TYPES.length + index + 1}::${type}`)})`)})
      as brought (ticket, channel_link, client_id, at, terms, progress, key, content)
    returning id`,
});
const INSERT_MANY = Array.from({ length: 64 }, (_, index) => insertMany(index + 1));

/** The same for all sales. */
const { terms, progress } = rowOf('', null, '');
const SHARED = [JSON.stringify(terms), JSON.stringify(progress)];

const valuesOf = ({ ticket, channel_link, client_id, at, key, content }: Row): unknown[] => [
  ...[ticket, channel_link, client_id, at, ...SHARED, key, JSON.stringify(content)],
];

const insert = async (row: Row): Promise<string> =>
  (await pool.query<{ id: string }>({ ...insertOne, values: valuesOf(row) })).rows[0]?.id ?? '';

interface Waiting {
  readonly row: Row;
  readonly done: (id: string) => void;
  readonly failed: (error: unknown) => void;
}

const waiting: Waiting[] = [];
let isWriting = false;

const writeAll = async (): Promise<void> => {
  while (waiting.length > 0) {
    const group = waiting.splice(0, INSERT_MANY.length);
    try {
      const { rows } = await pool.query<{ id: string }>({
        ...(INSERT_MANY[group.length - 1] as ReturnType<typeof insertMany>),
        values: group.flatMap(({ row }) => valuesOf(row)),
      });
      for (const [index, { done }] of group.entries()) done(rows[index]?.id ?? '');
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  }
  isWriting = false;
};

const insertTogether = (row: Row): Promise<string> =>
  new Promise((done, failed) => {
    waiting.push({ row, done, failed });
    if (isWriting) return;
    isWriting = true;
    setImmediate(() => void writeAll());
  });

const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });

const answer = (response: ServerResponse, status: number, body: object): void => {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text);
};

const write = isGrouped ? insertTogether : insert;

const create = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const row = rowOf(
    randomUUID(),
    JSON.parse(await bodyOf(request)),
    String(request.headers['idempotency-key']),
  );
  const id = await write(row);
  answer(response, 200, {
    message: 'Venda registrada com sucesso.',
    data: { transaction_id: Number(id), ticket: row.ticket },
  });
};

const read = async (id: string, response: ServerResponse): Promise<void> => {
  const query = {
    name: 'read-sale',
    text: `select id, status from ${TABLE} where id = $1`,
    values: [id],
  };
  const { rows } = await pool.query<{ id: string; status: string }>(query);
  answer(response, 200, {
    success: true,
    data: { transaction_id: Number(rows[0]?.id), status: rows[0]?.status },
  });
};

const server = createServer((request, response) => {
  const done =
    request.method === 'POST'
      ? create(request, response)
      : read(request.url?.split('/').at(-1) ?? '', response);
  done.catch((error: unknown) => answer(response, 500, { error: String(error) }));
});
server.listen(0, '127.0.0.1', () => announce(server));
