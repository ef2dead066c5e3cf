import { expect } from 'chai';
import { mainBody } from '../support/api.ts';
import { temporaryFolder } from '../support/children.ts';
import { rowsIn } from '../support/postgres.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { inDays } from '../support/today.ts';

/** Tells of each file of MikroORM that a process loads. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.includes('/@mikro-orm/')) process.stderr.write('loaded ' + url + '\\n');
      return next(url, context);
    },
  });`)}`;

const MIKRO_ORM = /loaded \S+@mikro-orm/;

describe('a process on a database that has its tables', () => {
  let service: ServiceProcess;
  after(() => service.end('SIGKILL'));

  // Loading it in a rush makes all sales wait for about a second, and takes 40 MB.
  it('starts, sells and mails certificates without MikroORM, and loads it for a list', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const environment = { DATABASE_URL: url, DATA_DIR: temporaryFolder() };
    const command = [process.execPath, '--import', TELL, 'bootstrap/main.ts'];
    service = new ServiceProcess(environment, command);
    const partner = new Partner(await service.ready(), service.credentials('Demo partner'));
    const token = await partner.token();
    const order = mainBody({ dataPagamento: inDays(0), dataEvento: inDays(30) });
    expect((await partner.sell(token, order)).status).to.equal(200);
    const sent = await within(
      () => rowsIn(url, `select from mailing where status = 'sent'`),
      ({ length }) => length === 1,
    );
    expect(sent).to.have.length(1);
    expect(service.errors).not.to.match(MIKRO_ORM);

    expect((await partner.call('/private/integration/sales', token)).status).to.equal(200);
    const errors = await within(
      async () => service.errors,
      (written) => MIKRO_ORM.test(written),
    );
    expect(errors).to.match(MIKRO_ORM);
  });
});
