import { expect } from 'chai';
import { mainBody } from '../support/api.ts';
import { temporaryFolder } from '../support/children.ts';
import { rush } from '../support/rush.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

describe('a rush of sales', function () {
  this.timeout(240_000);

  it('loses no acknowledged sale and makes none twice when the service is killed', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const outcome = await rush(url, { kills: 2, connections: 128 });
    expect(outcome).to.deep.include({ lost: 0, twice: 0 });
    expect(outcome.acknowledged).to.be.above(256);
    expect(outcome.unanswered).to.be.within(1, 128);
  });
});

describe('services with one role each', () => {
  it('divide the work by role: web sells, worker sends the mail', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const common = { DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'info' };
    const web = new ServiceProcess({ ...common, ROLE: 'web' });
    let worker: ServiceProcess | undefined;
    try {
      const baseUrl = await web.ready();
      const partner = new Partner(baseUrl, web.credentials('Demo partner'));
      const admin = await new Partner(baseUrl, web.credentials('Administrator')).token();
      expect((await partner.sell(await partner.token(), mainBody(), 'one')).status).to.equal(200);
      const mailed = async (): Promise<string> =>
        (await (await partner.call('/admin/mailings', admin)).text()).replaceAll(' ', '');
      expect(await mailed()).to.include('"status":"waiting"');
      worker = new ServiceProcess({ ...common, ROLE: 'worker', PUBLIC_URL: web.address });
      await worker.ready();
      await worker.logged(/"msg":"ready"/);
      expect(await within(mailed, (text) => text.includes('"status":"sent"'))).to.include(
        '"status":"sent"',
      );
      expect(await worker.end()).to.equal(0);
    } finally {
      await Promise.all([web.end('SIGKILL'), worker?.end('SIGKILL')]);
    }
  });
});
