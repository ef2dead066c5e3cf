import { expect } from 'chai';
import pg from 'pg';
import { temporaryFolder } from '../support/children.ts';
import { KEYS, type Variables } from '../support/combinations.ts';
import { SALE } from '../support/generic-sales.ts';
import { GroupedService, groupOf, ticketOrder } from '../support/grouped-service.ts';
import { runOperator } from '../support/operator-command.ts';
import { address, creditCard, phoneOrder } from '../support/orders.ts';
import { rowsIn } from '../support/postgres.ts';
import { LocalService, type Partner } from '../support/service.ts';
import { embeddedDataFolder, sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { Visitor } from '../support/visitor.ts';

/** The form of the payment page. */
const PAY = { method: 'pix', action: 'pay', notice: 'once', amount: '32,11' };

/** The channel of group 0 and that of group 1. */
const CHANNELS = ['canal-demo', 'loja-1'];

const suite = (
  title: string,
  open: () => Promise<{ readonly environment: Variables; readonly groupAddress: string }>,
) =>
  describe(`two groups of channels, ${title}`, () => {
    let two: GroupedService;
    let ids: number[];
    before(async () => {
      const { environment, groupAddress } = await open();
      two = await new GroupedService(environment).start(groupAddress);
    });
    after(() => two.service.end());

    it('sell side by side, and each numbers its own sales', async () => {
      ids = [];
      for (const partner of two.partners) {
        const sold = await two.post(partner, SALE, ticketOrder());
        expect(sold.status, await sold.clone().text()).to.equal(201);
        const { data } = (await sold.json()) as { data: { transaction_id: number } };
        ids.push(data.transaction_id);
      }
      expect(ids.map(groupOf)).to.deep.equal([0, 1]);
    });

    it('show a partner its own sales alone, though both have the same name', async () => {
      for (const [index, partner] of two.partners.entries()) {
        const found = (await two.json(partner, `${SALE}/order-1`)) as {
          data?: { transaction_id: number };
        };
        expect(found.data?.transaction_id).to.equal(ids[index]);
        const other = await two.get(
          partner,
          `/seguros/ingresso-protegido/status/${ids[1 - index]}`,
        );
        expect(other.status).to.equal(404);
      }
    });

    it('charge, issue and mail a sale of each, with links that lead into its group', async () => {
      for (const [index, partner] of two.partners.entries()) {
        const path = '/seguros/seguro-celular/create';
        const bought = phoneOrder({ address, creditCard: creditCard() });
        const sold = await two.post(partner, path, { ...bought, channelLink: CHANNELS[index] });
        const { data } = (await sold.json()) as {
          data: { status: string; policy_no: string; transaction_id: number; ticket: string };
        };
        expect(data, JSON.stringify(data)).to.include({ status: 'issued' });
        expect(groupOf(data.transaction_id)).to.equal(index);
        expect(data.policy_no).to.match(index === 0 ? /-0000\d\d$/ : /-10000000000\d$/);
        const status = (await two.json(
          partner,
          `/seguros/seguro-celular/status/${data.ticket}`,
        )) as unknown as { data: { document_url: string } };
        const url = status.data.document_url;
        expect((await fetch(url)).status).to.equal(200);
        expect(new URL(url).pathname.startsWith('/g1/')).to.equal(index === 1);
      }
    });

    it('take a payment on the page of the link, and its notice', async () => {
      const [, partner] = two.partners as [Partner, Partner];
      const path = '/seguros/seguro-celular/create';
      const sold = await two.post(partner, path, { ...phoneOrder(), channelLink: CHANNELS[1] });
      const { link, data } = (await sold.json()) as { link: string; data: { ticket: string } };
      expect(link).to.include('/g1/sandbox/pay/');
      expect((await fetch(link)).status).to.equal(200);
      const paid = await fetch(link, {
        method: 'POST',
        body: new URLSearchParams(PAY),
      });
      expect(paid.status).to.be.below(400);
      const status = async () => {
        const answer = await two.json(partner, `/seguros/seguro-celular/status/${data.ticket}`);
        return (answer as { data?: { status?: string } }).data?.status;
      };
      expect(await within(status, (found) => found === 'issued')).to.equal('issued');
    });

    it('are one list for administrators, the newest first, page after page', async () => {
      const found: number[] = [];
      let path: string | null = '/admin/transactions?limit=2';
      while (path !== null) {
        const { response } = (await two.json(two.administrator, path)) as unknown as {
          response: { data: { transaction_id: number }[]; next_cursor: string | null };
        };
        expect(response).not.to.have.property('incomplete');
        found.push(...response.data.map(({ transaction_id: id }) => id));
        const cursor = response.next_cursor;
        path = cursor === null ? null : `/admin/transactions?limit=2&cursor=${cursor}`;
      }
      expect(found).to.have.length(5);
      expect(new Set(found.map(groupOf))).to.deep.equal(new Set([0, 1]));
      expect(found).to.deep.equal([...new Set(found)]);
      for (const id of ids) {
        const one = await two.get(two.administrator, `/admin/transactions/${id}`);
        expect(one.status).to.equal(200);
      }
      const nobody = await two.get(two.administrator, `/admin/transactions/${7 * 1e11}`);
      expect(nobody.status).to.equal(404);
    });

    it('are searched and summed together', async () => {
      const search = async () => {
        const answer = await two.post(two.administrator, '/admin/transactions/search', {
          q: 'Maria da Silva',
        });
        const { response } = (await answer.json()) as {
          response: { data: { transaction_id: number }[] };
        };
        return new Set(response.data.map(({ transaction_id: id }) => groupOf(id)));
      };
      expect(await within(search, (groups) => groups.size === 2)).to.have.property('size', 2);
      const channels = async () => {
        const answer = (await two.json(
          two.administrator,
          '/admin/totals?by=channel',
        )) as unknown as {
          response: { data: { rows: { key: string }[] } };
        };
        return answer.response.data.rows.map(({ key }) => key);
      };
      const both = ['canal-demo', 'loja-1'];
      expect(await within(channels, (found) => found.length === 2)).to.deep.equal(both);
    });

    it('have one audit log and one list of alerts and mails', async () => {
      for (const path of ['/admin/audit', '/admin/alerts', '/admin/mailings']) {
        const answer = await two.get(two.administrator, path);
        expect(answer.status, path).to.equal(200);
      }
      const { response } = (await two.json(
        two.administrator,
        `/admin/mailings?transaction_id=${ids[1]}`,
      )) as unknown as { response: { data: object[] } };
      expect(response.data).to.have.length(1);
    });

    it('show the group of a channel, which only changes while it has no sale', async () => {
      const channel = async (link: string) => {
        const { response } = (await two.json(
          two.administrator,
          `/admin/channels/${link}`,
        )) as unknown as { response: { data: Record<string, unknown> } };
        const { updated_at: _, upcoming: __, effectiveFrom: ___, ...body } = response.data;
        return body;
      };
      expect((await channel('loja-1'))['group']).to.equal(1);
      expect((await channel('canal-demo'))['group']).to.equal(0);
      const put = async (link: string, group: number) =>
        two.post(
          two.administrator,
          `/admin/channels/${link}`,
          { ...(await channel(link)), group },
          'PUT',
        );
      const moved = await put('loja-1', 0);
      expect(moved.status).to.equal(422);
      expect(await moved.text()).to.include('já tem venda');
      expect((await put('loja-1', 3)).status).to.equal(422);
      // The emptiest group is chosen for a new channel; it may still go to another.
      await two.partnerOf('loja-9', undefined);
      const chosen = Number((await channel('loja-9'))['group']);
      expect((await put('loja-9', 1 - chosen)).status).to.equal(200);
      expect((await channel('loja-9'))['group']).to.equal(1 - chosen);
    });

    it('are listed by a command, without passwords; adding one again changes nothing', async () => {
      const { output, code } = await runOperator(['group', 'list'], two.environment);
      expect(code).to.equal(0);
      const [group] = JSON.parse(output) as { group: number; database: string }[];
      expect(group).to.include({ group: 1, takes_new_channels: true });
      expect(group?.database).not.to.include('@');
    });

    it('are one list in the console too, and each sale has its page', async () => {
      const { origin } = new URL(two.service.baseUrl);
      const visitor = new Visitor(origin);
      const link = await two.service.consoleLink();
      await visitor.get(link);
      await visitor.post(new URL(link).pathname);
      for (const id of ids) {
        const page = await (await visitor.get(`/console/sales/${id}`)).text();
        expect(page).to.include('Maria da Silva').and.include(String(id));
      }
      const list = await (await visitor.get('/console/sales')).text();
      for (const id of ids) expect(list).to.include(`/sales/${id}"`);
      const file = await visitor.get('/console/sales/file?form=csv');
      const lines = (await file.text()).trim().split('\n');
      expect(lines).to.have.length(6);
      const form = await visitor.post('/console/sales', { q: 'Maria da Silva' });
      const found = await (await visitor.follow(form.headers.get('Location') ?? '')).text();
      for (const id of ids) expect(found).to.include(`/sales/${id}"`);
      for (const path of ['/console', '/console/alerts', '/console/audit', '/console/refunds'])
        expect((await visitor.get(path)).status, path).to.equal(200);
      const ofChannel = await (await visitor.get('/console/sales?channel=loja-1')).text();
      expect(ofChannel.split(`/sales/${ids[1]}"`)).to.have.length(2);
      expect(ofChannel).not.to.include(`/sales/${ids[0]}"`);
      const retried = await visitor.post('/console/alerts/mails', { mailing: `${ids[1]}-0` });
      // Group 0 would not know it: it was sent, so there is nothing to do.
      expect(retried.headers.get('Location')).to.equal('/console/alerts');
      const looking = await visitor.get('/console/as/loja-1/sales');
      expect((await looking.text()).split(`/sales/${ids[1]}"`)).to.have.length(2);
    });

    it('are each looked at by the commands of operators, which never leave one out silently', async () => {
      const saleIds = async (...args: readonly string[]) => {
        const { output, errors, code } = await runOperator(['mailings', ...args], two.environment);
        expect(code, errors).to.equal(0);
        const mails = JSON.parse(output) as { transaction_id: number }[];
        return { errors, groups: new Set(mails.map(({ transaction_id: id }) => groupOf(id))) };
      };
      const first = await saleIds();
      expect(first.groups).to.deep.equal(new Set([0]));
      expect(first.errors).to.include('--group 1');
      expect(await saleIds('--group', '1')).to.deep.equal({ errors: '', groups: new Set([1]) });
      const none = await runOperator(['mailings', '--group', '2'], two.environment);
      expect(none.errors).to.equal('there is no group 2\n');
    });
  });

suite('on the embedded database', async () => ({
  environment: { DATA_DIR: await embeddedDataFolder() },
  groupAddress: 'embedded',
}));

suite('on PostgreSQL', async () => ({
  environment: {
    DATABASE_URL: await sharedPostgres.migratedDatabase(),
    DATA_DIR: temporaryFolder(),
  },
  groupAddress: await sharedPostgres.database(),
}));

describe('a group of channels', () => {
  it('must have a database that is neither the control database nor that of another group', async () => {
    const DATABASE_URL = await sharedPostgres.migratedDatabase();
    const environment = { ...KEYS, DATABASE_URL, DATA_DIR: temporaryFolder() };
    await (await LocalService.start(environment)).end();
    const add = (url: string) => runOperator(['group', 'add', url], environment);
    expect((await add(DATABASE_URL)).errors).to.include('must not have API clients');
    const url = await sharedPostgres.database();
    expect((await add(url)).code).to.equal(0);
    expect((await add(url)).code).to.equal(0);
    expect((await add(`${url}?application_name=other`)).errors).to.include('is that of group 1');
    expect((await add('mysql://elsewhere')).errors).to.include('postgres://');
    expect(await rowsIn(DATABASE_URL, 'select number from channel_group')).to.have.length(1);
  });

  it('is not added while a version runs that knows no groups', async () => {
    const DATABASE_URL = await sharedPostgres.migratedDatabase();
    const earlier = new pg.Client({ connectionString: DATABASE_URL });
    await earlier.connect();
    await earlier.query('listen insurance_sales');
    const environment = { ...KEYS, DATABASE_URL, DATA_DIR: temporaryFolder() };
    const url = await sharedPostgres.database();
    const refused = await runOperator(['group', 'add', url], environment);
    await earlier.end();
    expect([refused.code, refused.errors]).to.deep.equal([
      1,
      'processes of an earlier version, which knows no groups, run at 127.0.0.1: replace them first\n',
    ]);
    expect(await rowsIn(DATABASE_URL, 'select number from channel_group')).to.deep.equal([]);
  });
});
