import { randomUUID } from 'node:crypto';
import { mainBody } from './api.ts';
import { rowsIn } from './postgres.ts';
import { Partner, ServiceProcess } from './service.ts';

interface Order {
  readonly key: string;
  /** The sale's number; undefined until the service has answered. */
  id?: number;
}

/** The orders of a rush, counted. */
export interface Outcome {
  readonly acknowledged: number;
  /** Acknowledged, but not in the database under that number. */
  readonly lost: number;
  /** In the database more than once. */
  readonly twice: number;
  /** Sent, but the connection ended without an answer. */
  readonly unanswered: number;
}

/**
 * Kills the service several times while many connections sell, and starts it again each time. An
 * order without an answer is sent again under its key to the next service.
 */
export const rush = async (
  url: string,
  { kills, connections }: { readonly kills: number; readonly connections: number },
): Promise<Outcome> => {
  const orders: Order[] = [];
  const newOrder = (): Order => {
    const order = { key: randomUUID() };
    orders.push(order);
    return order;
  };
  let credentials: ReturnType<ServiceProcess['credentials']>;
  const partnerOf = (service: ServiceProcess): Partner => {
    // The service shows them once, at its first start.
    credentials ??= service.credentials('Demo partner');
    return new Partner(`${service.address}/api`, credentials);
  };
  const start = async (): Promise<readonly [ServiceProcess, string]> => {
    const service = new ServiceProcess({
      DATABASE_URL: url,
      DATA_DIR: 'memory:',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'info',
    });
    await service.ready();
    return [service, await partnerOf(service).token()];
  };
  const sell = async (service: ServiceProcess, token: string, order: Order): Promise<void> => {
    const answer = await partnerOf(service).sell(
      token,
      mainBody({ numeroIngresso: order.key }),
      order.key,
    );
    const body = (await answer.json()) as { data?: { transaction_id: number } };
    if (answer.status !== 200 || body.data === undefined)
      throw new Error(`${answer.status}: ${JSON.stringify(body)}`);
    if (order.id !== undefined && order.id !== body.data.transaction_id)
      throw new Error('an order got two numbers');
    order.id = body.data.transaction_id;
  };

  for (let round = 0; round < kills; round += 1) {
    const [service, token] = await start();
    const left = orders.filter(({ id }) => id === undefined);
    const soldBefore = orders.length;
    let isDead = false;
    const connection = async (): Promise<void> => {
      while (!isDead) {
        await sell(service, token, left.pop() ?? newOrder()).catch((error: unknown) => {
          if (!isDead) throw error;
        });
      }
    };
    const selling = Promise.all(Array.from({ length: connections }, connection));
    // Kill when many orders have an answer and each connection waits for another.
    while (orders.length < soldBefore + connections * (3 + (round % 3)))
      await new Promise((resolve) => setTimeout(resolve, 3));
    isDead = true;
    await service.end('SIGKILL');
    await selling;
  }
  const acknowledged = orders.filter(({ id }) => id !== undefined);
  const stored = await numbersOf(url, orders);
  const unanswered = orders.length - acknowledged.length;
  const [service, token] = await start();
  for (const order of orders.filter(({ id }) => id === undefined))
    await sell(service, token, order);
  await service.end();
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ key, id }) => !stored.get(key)?.includes(id as number)).length,
    twice: [...(await numbersOf(url, orders)).values()].filter((numbers) => numbers.length !== 1)
      .length,
    unanswered,
  };
};

/** The numbers of the sales in the database, by ticket. */
const numbersOf = async (
  url: string,
  orders: readonly Order[],
): Promise<Map<string, readonly number[]>> => {
  const query = `
    select terms#>>'{insuredObject,ticketNumber}' as key, array_agg(id::int) as numbers from sale
    where terms#>>'{insuredObject,ticketNumber}' = any($1) group by 1`;
  const rows = await rowsIn<{ key: string; numbers: number[] }>(url, query, [
    orders.map(({ key }) => key),
  ]);
  return new Map(rows.map(({ key, numbers }) => [key, numbers]));
};
