import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';
import { SALE } from '../support/generic-sales.ts';
import { GroupSeller } from '../support/group-seller.ts';
import { GroupedService, groupOf, ticketOrder } from '../support/grouped-service.ts';
import { freePort, PostgresServer, rowsIn } from '../support/postgres.ts';
import { LocalService, type Partner } from '../support/service.ts';
import { within } from '../support/stores.ts';
import { Visitor } from '../support/visitor.ts';

const isSold = (status: number): boolean => status === 201;
const isRefused = (status: number): boolean => status >= 400;

describe('the server of a group of channels', () => {
  const servers: PostgresServer[] = [];
  const control = new PostgresServer();
  let groups: GroupedService;
  let urls: string[];
  let visitor: Visitor;
  before(async function () {
    if (process.env['TEST_DATABASE_URL'] !== undefined) this.skip();
    servers.push(new PostgresServer(), new PostgresServer());
    urls = await Promise.all(servers.map((each) => each.database()));
    const DATABASE_URL = await control.database();
    const PORT = String(await freePort());
    const environment = { DATABASE_URL, DATA_DIR: temporaryFolder(), PORT, RATE_LIMIT: 'off' };
    groups = await new GroupedService(environment).start(...urls);
    visitor = new Visitor(new URL(groups.service.baseUrl).origin);
    const link = await groups.service.consoleLink();
    await visitor.get(link);
    await visitor.post(new URL(link).pathname);
  });
  after(async () => {
    await groups?.service.end();
    for (const each of [control, ...servers]) await each.stop();
  });

  const readiness = async () => {
    const answer = await fetch(`${new URL(groups.service.baseUrl).origin}/health/ready`);
    return { code: answer.status, ...((await answer.json()) as object) };
  };

  /** Sells in all groups while something is done to the server of group 2. */
  const sellAround = async (
    title: string,
    disturb: (during: () => Promise<void>) => Promise<void>,
  ) => {
    const sellers = groups.partners.map(
      (each, group) => new GroupSeller(groups, each, `${title}-${group}`),
    );
    const [, , hit] = sellers as [GroupSeller, GroupSeller, GroupSeller];
    for (const each of sellers) await each.more(5, isSold);
    await disturb(async () => {
      await hit.more(1, isRefused);
      for (const each of sellers.slice(0, 2)) await each.more(10, isSold);
      const named = await within(readiness, (found) => 'groups_unavailable' in found);
      expect(named).to.deep.equal({ code: 200, status: 'ok', groups_unavailable: [2] });
      const { response } = (await groups.json(
        groups.administrator,
        '/admin/transactions',
      )) as unknown as { response: { data: object[]; incomplete: number[] } };
      expect(response.incomplete).to.deep.equal([2]);
      const list = await (await visitor.get('/console/sales')).text();
      expect(list).to.include('Incompleto: o grupo 2');
      expect((await visitor.get('/console/sales/file?form=csv')).status).to.equal(503);
      expect(response.data).not.to.deep.equal([]);
    });
    await hit.more(5, isSold);
    for (const each of sellers) await each.stop();
    for (const each of sellers.slice(0, 2))
      expect(each.statuses.filter(isRefused)).to.deep.equal([]);
    expect(new Set(hit.statuses.filter(isRefused))).to.deep.equal(new Set([503]));
    expect(hit.retryAfter.every((each) => Number(each) > 0)).to.equal(true);
    expect(
      await within(readiness, (found) => !('groups_unavailable' in found)),
    ).to.not.have.property('groups_unavailable');
    return sellers;
  };

  /** Nothing acknowledged is lost, made twice or has another number. */
  const expectAllOf = async (sellers: readonly GroupSeller[]): Promise<void> => {
    const stored = await rowsIn<{ name: string; id: string }>(
      urls[1] as string,
      'select external_sale_id as name, id from sale',
    );
    const ids = new Map(stored.map(({ name, id }) => [name, Number(id)]));
    expect(ids.size).to.equal(stored.length);
    for (const [name, id] of sellers[2]?.sold ?? []) {
      expect(ids.get(name)).to.equal(id);
      expect(groupOf(id)).to.equal(2);
    }
  };

  it('stops its own group alone when it goes away, which comes back by itself', async () => {
    await expectAllOf(
      await sellAround('away', (during) => (servers[1] as PostgresServer).outage(during)),
    );
    const alerts = async () => {
      const { response } = (await groups.json(
        groups.administrator,
        '/admin/alerts?kind=group_unavailable',
      )) as unknown as { response: { data: { details: object }[] } };
      return response.data.map(({ details }) => details);
    };
    expect(await within(alerts, (found) => found.length > 0)).to.deep.equal([{ group: 2 }]);
  });

  it('stops its own group alone while it is frozen', async () => {
    await expectAllOf(
      await sellAround('frozen', (during) => (servers[1] as PostgresServer).freeze(during)),
    );
  });

  it('stops all groups with 503 while the control database is away, and they come back', async () => {
    const sellers = groups.partners.map(
      (each, group) => new GroupSeller(groups, each, `control-${group}`),
    );
    for (const each of sellers) await each.more(5, isSold);
    await control.outage(async () => {
      for (const each of sellers) await each.more(3, isRefused);
    });
    for (const each of sellers) await each.more(5, isSold);
    for (const each of sellers) await each.stop();
    for (const each of sellers)
      expect(new Set(each.statuses.filter(isRefused))).to.deep.equal(new Set([503]));
    await expectAllOf(sellers);
  });

  it('may be away at the start: the others sell, and its group is opened later', async () => {
    await groups.service.end();
    await (servers[1] as PostgresServer).outage(async () => {
      groups.service = await LocalService.start(groups.environment);
      const [one, other, hit] = groups.partners as [Partner, Partner, Partner];
      for (const [index, partner] of [one, other].entries()) {
        const order = ticketOrder({ externalSaleId: `start-${index}` });
        expect((await groups.post(partner, SALE, order)).status).to.equal(201);
      }
      const refused = await groups.post(hit, SALE, ticketOrder({ externalSaleId: 'start-2' }));
      expect(refused.status).to.equal(503);
    });
    const hit = groups.partners[2] as Partner;
    const again = await within(
      () => groups.post(hit, SALE, ticketOrder({ externalSaleId: 'start-2' })),
      ({ status }) => status !== 503,
    );
    expect(again.status).to.equal(201);
  });
});
