import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { mainBody } from '../support/api.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

describe('several processes on one port', () => {
  const children = (parent: number): readonly number[] =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number);

  it('share tokens, deactivated clients and rate limits; a killed one is replaced', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const settings = { WEB_CONCURRENCY: '2', RATE_LIMIT: '60', DATABASE_POOL: '190' };
    const service = new ServiceProcess({ DATABASE_URL: url, DATA_DIR: 'memory:', ...settings });
    try {
      const baseUrl = await service.ready();
      await within(
        async () => service.output.match(/"msg":"ready"/g)?.length,
        (count) => count === 2,
      );
      const pids = children(service.pid);
      expect(pids).to.have.length(2);
      await service.logged(/room for a smaller pool/);
      const partner = new Partner(baseUrl, service.credentials('Demo partner'));
      const administrator = new Partner(baseUrl, service.credentials('Administrator'));
      const [token, admin] = [await partner.token(), await administrator.token()];
      // One connection per request: the connections alternate between the processes.
      const apart = { headers: { Connection: 'close' } };
      const statuses = async (
        count: number,
        path: string,
        bearer: string,
      ): Promise<readonly number[]> => {
        const answers = await Promise.all(
          Array.from({ length: count }, () => partner.call(path, bearer, apart)),
        );
        return answers.map(({ status }) => status);
      };
      const sale = await partner.sell(token, mainBody(), 'one');
      const { data } = (await sale.json()) as { data: { transaction_id: number } };
      const status = `/seguros/ingresso-protegido/status/${data.transaction_id}`;
      expect(new Set(await statuses(8, status, token))).to.deep.equal(new Set([200]));
      const logging = async () => new Set(service.output.match(/"pid":\d+/g));
      const both = new Set(pids.map((pid) => `"pid":${pid}`));
      expect(await within(logging, ({ size }) => size >= both.size)).to.deep.equal(both);

      const [killed = 0, survivor] = pids;
      process.kill(killed, 'SIGKILL');
      await service.logged(/and is replaced/);
      expect(new Set(await statuses(8, status, token))).to.deep.equal(new Set([200]));
      const replaced = await within(
        async () => service.output.match(/"msg":"ready"/g)?.length,
        (count) => count === 3,
      );
      expect(replaced).to.equal(3);
      expect(children(service.pid)).to.have.length(2).and.to.include(survivor);

      const counted = await within(
        () => statuses(4, status, token),
        (found) => found.every((each) => each === 429),
      );
      expect(counted, 'past the limit, in both').to.deep.equal([429, 429, 429, 429]);

      const id = service.credentials('Demo partner')?.client_id;
      expect(
        (
          await partner.call(`/admin/api-clients/${id}/deactivate`, admin, {
            method: 'POST',
            body: '{}',
          })
        ).status,
      ).to.equal(200);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(
        new Set(await statuses(8, status, token)),
        'a second after it was deactivated',
      ).to.deep.equal(new Set([401]));
      expect(await service.end()).to.equal(0);
    } finally {
      await service.end('SIGKILL');
    }
  });
});
