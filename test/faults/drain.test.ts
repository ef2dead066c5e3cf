import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const CLIENTS = 64;

interface Counts {
  answered: number;
  /** Connections that ended before their answer: a deployment must cause none. */
  cutOff: number;
  refused: number;
  readiness: number[];
}

const ask = (agent: Agent, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
    }).once('error', reject);
  });

/** Keep-alive clients that send requests until the port is closed. */
const rush = async (address: string, counts: Counts): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const client = async (): Promise<void> => {
    for (;;) {
      try {
        await ask(agent, `${address}/api/nowhere`);
        counts.answered += 1;
      } catch (error) {
        const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
        counts[isRefused ? 'refused' : 'cutOff'] += 1;
        if (isRefused) return;
      }
      await wait(Math.random() * 20);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
};

describe('a service that is replaced', () => {
  const settings = { DATA_DIR: 'memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'info' };
  let DATABASE_URL: string;
  before(async () => {
    DATABASE_URL = await sharedPostgres.migratedDatabase();
  });

  for (const round of [1, 2, 3])
    it(`answers all ${CLIENTS} keep-alive clients, and reports that it is not ready (round ${round})`, async () => {
      const service = new ServiceProcess({ ...settings, DATABASE_URL, DRAIN_SECONDS: '4' });
      await service.ready();
      const { address } = service;
      const counts: Counts = { answered: 0, cutOff: 0, refused: 0, readiness: [] };
      const rushing = rush(address, counts);
      await within(
        async () => counts.answered,
        (answered) => answered > 100,
      );
      const before = counts.answered;
      const ended = service.end('SIGTERM');
      const apart = new Agent();
      const ready = await within(
        () => ask(apart, `${address}/health/ready`),
        (status) => status === 503,
      );
      counts.readiness.push(ready, await ask(apart, `${address}/health/live`));
      await rushing;
      expect(await ended).to.equal(0);
      expect(counts).to.deep.include({ cutOff: 0, refused: CLIENTS, readiness: [503, 200] });
      expect(counts.answered).to.be.above(before + 100);
    });

  it('stops at once on SIGINT, as from a terminal', async () => {
    const service = new ServiceProcess({ ...settings, DATABASE_URL, DRAIN_SECONDS: '60' });
    await service.ready();
    expect(await service.end('SIGINT')).to.equal(0);
  });

  for (const signal of ['SIGHUP', 'SIGQUIT'] as const)
    for (const WEB_CONCURRENCY of ['1', '2'])
      it(`stops on ${signal} as on SIGTERM (${WEB_CONCURRENCY} of its processes)`, async () => {
        const service = new ServiceProcess({ ...settings, DATABASE_URL, WEB_CONCURRENCY });
        await service.ready();
        expect(await service.end(signal)).to.equal(0);
        expect(service.output).to.match(new RegExp(`"signal":"${signal}","msg":"stopping"`));
        expect(service.output).to.include('"msg":"stopped"');
      });
});
