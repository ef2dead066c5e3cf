import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import { ingressoBody } from '../../../adapters/http/products/ingresso/ingresso-bodies.ts';
import { FORMATS } from '../../../adapters/kit/contract/formats.ts';
import { announce, databaseUrl, publicKey, rowOf } from './common.ts';

/**
 * The usual Fastify service: log, token check, body validation, sale and outbox row in a
 * transaction.
 */
const key = publicKey();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const app = Fastify({
  logger: true,
  // A stand-in for each of the project's formats.
  ajv: {
    customOptions: {
      keywords: ['x-personal'],
      formats: Object.fromEntries(Object.keys(FORMATS).map((name) => [name, /\S/])),
    },
  },
});

app.addHook('preValidation', async (request, reply) => {
  try {
    const claims = jwt.verify(request.headers.authorization?.slice('Bearer '.length) ?? '', key, {
      algorithms: ['ES256'],
    });
    if (!String((claims as { scope?: unknown }).scope).includes('sales'))
      await reply.code(403).send();
  } catch {
    await reply.code(401).send();
  }
});

app.post('/create', { schema: { body: ingressoBody } }, async (request) => {
  const row = rowOf(randomUUID(), request.body, String(request.headers['idempotency-key']));
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO sale (ticket, channel_link, client_id, status, version, registered_at, terms, progress,
         idempotency_key, idempotency_content, booked_at)
       VALUES ($1, $2, $3, 'paid', 1, $4, $5, $6, $7, $8, $4) RETURNING id`,
      [
        row.ticket,
        row.channel_link,
        row.client_id,
        row.at,
        row.terms,
        row.progress,
        row.key,
        row.content,
      ],
    );
    const id = Number(rows[0]?.id);
    await client.query('INSERT INTO outbox (topic, payload) VALUES ($1, $2)', [
      'sale.registered',
      { id },
    ]);
    await client.query('COMMIT');
    return {
      message: 'Venda registrada com sucesso.',
      data: { transaction_id: id, ticket: row.ticket },
    };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
});

await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server);
