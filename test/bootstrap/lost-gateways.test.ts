import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';
import { KEYS } from '../support/combinations.ts';
import { phoneOrder } from '../support/orders.ts';
import { rowsIn } from '../support/postgres.ts';
import { LocalService, Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';

const ASAAS = {
  ASAAS_API_URL: 'https://asaas.example',
  ASAAS_API_KEY: 'key',
  ASAAS_WEBHOOK_TOKEN: 'token',
};

describe('a start without the settings of a gateway', () => {
  it('is refused while it has open charges or channels, and says how many', async () => {
    const DATABASE_URL = await sharedPostgres.migratedDatabase();
    const environment = { ...KEYS, DATABASE_URL, DATA_DIR: temporaryFolder() };
    const service = await LocalService.start({ ...environment, ...ASAAS });
    const partner = new Partner(service.baseUrl, service.credentials('Demo partner'));
    const administrator = new Partner(service.baseUrl, service.credentials('Administrator'));
    const asks = async (each: Partner, path: string, method: string, body?: object) =>
      each.call(path, await each.token(), { method, ...(body && { body: JSON.stringify(body) }) });

    const sold = await asks(partner, '/seguros/seguro-celular/create', 'POST', phoneOrder());
    const { data } = (await sold.json()) as { data: { transaction_id: number } };
    const path = '/admin/channels/canal-demo';
    const found = await asks(administrator, path, 'GET');
    const { response } = (await found.json()) as { response: { data: Record<string, unknown> } };
    const {
      version: _,
      updated_at: __,
      upcoming: ___,
      effectiveFrom: ____,
      ...channel
    } = response.data;
    const unknown = await asks(administrator, path, 'PUT', { ...channel, gateway: 'other' });
    expect([unknown.status, await unknown.text()].join(' ')).to.match(/422 .*asaas, sandbox/);
    const put = await asks(administrator, path, 'PUT', { ...channel, gateway: 'asaas' });
    expect(put.status, await put.clone().text()).to.equal(200);
    await service.end();

    await rowsIn(
      DATABASE_URL,
      `update sale set progress = replace(progress::text, 'sandbox"', 'gone"')::json where id = $1`,
      [data.transaction_id],
    );
    const start = new ServiceProcess({ ...environment, PORT: '0' }, [
      process.execPath,
      'bootstrap/main.ts',
    ]);
    expect(await start.ended()).to.equal(1);
    expect(start.errors + start.output)
      .to.include('1 sales have an open charge or refund at gone')
      .and.include('the channel canal-demo charges by asaas');
  });
});
