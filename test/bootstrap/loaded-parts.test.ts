import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';

/** Tells of each file of MikroORM that a process loads. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.includes('/@mikro-orm/')) process.stderr.write('loaded ' + url + '\\n');
      return next(url, context);
    },
  });`)}`;

const MIKRO_ORM = /loaded \S+@mikro-orm\S+/g;

describe('a process on a database that has its tables', () => {
  let service: ServiceProcess;
  after(() => service.end('SIGKILL'));

  // Loading it takes a third of a second, in which nobody else's sale is answered.
  it('loads MikroORM before it is ready, and nothing of it for a list', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const environment = { DATABASE_URL: url, DATA_DIR: temporaryFolder() };
    const command = [process.execPath, '--import', TELL, 'bootstrap/main.ts'];
    service = new ServiceProcess(environment, command);
    const partner = new Partner(await service.ready(), service.credentials('Demo partner'));
    const token = await partner.token();
    const loaded = service.errors.match(MIKRO_ORM) ?? [];
    expect(loaded.length).to.be.above(0);
    expect((await partner.call('/private/integration/sales', token)).status).to.equal(200);
    await service.end('SIGTERM');
    expect(service.errors.match(MIKRO_ORM)).to.deep.equal(loaded);
  });
});
