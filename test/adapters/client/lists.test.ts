import { expect } from 'chai';
import {
  type Body,
  type InsuranceClient,
  isCode,
  type PartnerEvent,
} from '../../../adapters/client/src/index.ts';
import { withApi } from '../../support/api.ts';
import { clientOf, failureOf, Wire } from '../../support/client.ts';
import { saleOrder } from '../../support/generic-sales.ts';

const SALES = '/private/integration/sales';
const EVENTS = '/private/integration/events';
const IMPORT = '/private/integration/sales/import';

const honeymoon = (externalSaleId: string, over = {}) =>
  saleOrder({ externalSaleId, ...over }) as unknown as Body<'createSale'>;

const take = async <Item>(list: AsyncIterable<Item>, count = Number.POSITIVE_INFINITY) => {
  const items: Item[] = [];
  for await (const item of list) if (items.push(item) >= count) break;
  return items;
};

const nameOf = ({ data }: PartnerEvent): string =>
  'external_sale_id' in data ? String(data.external_sale_id) : '';

describe("the client's lists", () => {
  withApi((api) => {
    const wire = new Wire();
    let client: InsuranceClient;
    const names = Array.from({ length: 7 }, (_, index) => `list-${index}`);
    before(async () => {
      client = await clientOf(api(), { wire });
      for (const name of names) await client.createSale(honeymoon(name));
    });

    it('of sales are read page by page, as far as they are taken', async () => {
      const list = client.listSales({ limit: 3, status: ['paid'] });
      const found = await take(list);
      expect(found.map(({ external_sale_id }) => external_sale_id)).to.deep.equal(
        names.toReversed(),
      );
      expect(wire.to(SALES)).to.have.length(3);
      expect(wire.to(SALES)[0]?.path).to.equal(`${SALES}?limit=3&status=paid`);
      expect(list.cursor).to.equal(null);
      expect(await take(list, 2)).to.deep.equal(found.slice(0, 2));
      expect(wire.to(SALES)).to.have.length(4);
    });

    it('of sales go on behind a page', async () => {
      const pages = [];
      for await (const page of client.listSales({ limit: 5 }).pages()) pages.push(page);
      expect(pages.map(({ items }) => items.length)).to.deep.equal([5, 2]);
      const cursor = pages[0]?.cursor ?? '';
      expect(await take(client.listSales({ limit: 5, cursor }))).to.deep.equal(pages[1]?.items);
    });

    it('of events go on where the last one was taken', async () => {
      const feed = client.listEvents({ type: ['sale.paid'], limit: 2 });
      const seen: string[] = [];
      for await (const event of feed) {
        seen.push(nameOf(event));
        // The fourth event ends a page; the process stops while it works on the fifth.
        if (seen.length === 5) break;
      }
      const { cursor } = feed;
      const rest = client.listEvents({ type: ['sale.paid'], after: cursor ?? '' });
      seen.push(...(await take(rest)).map(nameOf));
      // The fifth comes again: it was not known to be done.
      expect(seen).to.deep.equal([...names.slice(0, 5), ...names.slice(4)]);
      expect(await take(client.listEvents({ after: rest.cursor ?? '' }))).to.deep.equal([]);
    });

    it('of events can be followed until a signal', async () => {
      const feed = client.listEvents();
      await take(feed);
      const controller = new AbortController();
      const { signal } = controller;
      const asked = wire.to(EVENTS).length;
      const heard: string[] = [];
      const query = { after: feed.cursor ?? '', type: ['sale.paid' as const] };
      const following = (async () => {
        for await (const event of client.followEvents(query, { everyMs: 5, signal })) {
          heard.push(nameOf(event));
          if (heard.length === 2) controller.abort(new Error('enough'));
        }
      })();
      const failure = failureOf(following);
      while (wire.to(EVENTS).length < asked + 2)
        await new Promise((resolve) => setTimeout(resolve, 2));
      await client.createSale(honeymoon('followed-1'));
      await client.createSale(honeymoon('followed-2'));
      expect(await failure).to.have.property('message', 'enough');
      expect(heard).to.deep.equal(['followed-1', 'followed-2']);
    });

    it('of events whose cursor is wrong fail', async () => {
      const failure = await failureOf(take(client.listEvents({ after: '!' })));
      expect(isCode(failure, 'validation_failed') && failure.fields).to.deep.equal({
        after: ['invalid_format'],
      });
    });

    it('of deliveries are those of a webhook', async () => {
      const url = 'https://partner.example/deliveries';
      const { data: webhook } = await client.createWebhook({ url, events: ['sale.paid'] });
      expect(webhook.secret).to.match(/^whsec_/);
      for (let count = 0; count < 3; count += 1) await client.testWebhook(webhook.id);
      const found = await take(client.listWebhookDeliveries(webhook.id, { limit: 2 }));
      expect(found.map(({ event_type, status }) => [event_type, status])).to.deep.equal(
        Array(3).fill(['webhook.test', 'waiting']),
      );
      const retried = await client.retryWebhookDelivery(webhook.id, found[0]?.id ?? 0);
      expect(retried.data.id).to.equal(found[0]?.id);
      const changed = await client.changeWebhook(webhook.id, { status: 'paused' });
      expect(changed.data.status).to.equal('paused');
      expect(isCode(await failureOf(client.testWebhook(webhook.id)), 'webhook_disabled')).to.equal(
        true,
      );
      await client.changeWebhook(webhook.id, { status: 'active' });
      const { data: rotated } = await client.rotateWebhookSecret(webhook.id);
      expect(rotated.secret).not.to.equal(webhook.secret);
      const from = '2026-11-20T00:00:00Z';
      const replay = await client.replayWebhookEvents(webhook.id, { from });
      expect(replay.success).to.equal(true);
      expect((await client.getWebhook(webhook.id)).data.secret_available).to.equal(true);
      await client.deleteWebhook(webhook.id);
      expect(isCode(await failureOf(client.getWebhook(webhook.id)), 'not_found')).to.equal(true);
    });
  });
});

describe("the client's books", () => {
  withApi((api) => {
    const wire = new Wire();
    let client: InsuranceClient;
    before(async () => {
      client = await clientOf(api(), { wire });
    });

    it('import many sales, and answer each', async () => {
      const faulty = honeymoon('import-2', { coverage: { startDate: '2199-12-01' } });
      const sales = [honeymoon('import-1'), faulty, honeymoon('import-3')];
      const sent = client.importSales(sales);
      expect(sent.summary).to.equal(undefined);
      const lines = await take(sent);
      expect(lines.map(({ line, status, code }) => [line, status, code])).to.deep.equal([
        [1, 201, undefined],
        [2, 422, 'validation_failed'],
        [3, 201, undefined],
      ]);
      expect(lines[1]?.error_codes).to.deep.equal({ 'coverage.endDate': ['required'] });
      expect(sent.summary).to.include({ lines: 3, created: 2, invalid: 1 });
      expect((await take(sent)).map(({ status }) => status)).to.deep.equal([200, 422, 200]);
      expect(sent.summary).to.include({ repeated: 2 });
    });

    it('send an import once that is made as it goes, and say if its answer broke off', async () => {
      async function* make() {
        for (const name of ['import-4', 'import-5']) yield honeymoon(name);
      }
      expect(await take(client.importSales(make()))).to.have.length(2);

      const cut = async (text: string) => {
        wire.disturb(IMPORT, async () => new Response(text, { status: 200 }));
        return failureOf(take(client.importSales([honeymoon('import-6')])));
      };
      const line = '{"line":1,"status":201,"external_sale_id":"import-6"}\n';
      for (const text of ['', line, `${line}{"summ`])
        expect(isCode(await cut(text), 'incomplete_answer'), text).to.equal(true);
      const last = await cut(`${line}{"error":"Tarde.","code":"request_timeout","lines":1}\n`);
      expect(isCode(last, 'request_timeout') && last.text).to.equal('Tarde.');
      wire.disturb(IMPORT, ({ pass }) => pass());
      expect(await take(client.importSales([honeymoon('import-6')]))).to.have.length(1);
    });

    it('check sales without selling them, and get the header of a spreadsheet', async () => {
      const checked = client.importSales([honeymoon('import-7')], { dryRun: true });
      const [line] = await take(checked);
      expect(line).to.include({ status: 201 }).and.not.have.property('ticket');
      expect(checked.summary).to.include({ created: 1, dry_run: true });
      const header = await client.getImportTemplate({ product: 'LUA_DE_MEL' });
      expect(await header.text()).to.include('attributes.destination');
    });

    it('reconcile a list, and read the statement as JSON and as files', async () => {
      const day = '2026-11-20';
      const { data } = await client.reconcileSales({ from: day, to: day }, [
        { externalSaleId: 'import-1', total: 90.25, status: 'paid' },
      ]);
      expect(data.differences.map(({ kind, name }) => `${kind} ${name}`)).to.include.members([
        'amount_differs import-1',
        'missing_there import-3',
      ]);
      const statement = await client.getStatement('2026-11');
      expect(JSON.stringify(statement)).to.include('import-1');
      const csv = await client.getStatementFile({
        month: '2026-11',
        format: 'csv',
        locale: 'pt-BR',
      });
      expect(await csv.text()).to.include(';import-1;');
      const xlsx = await client.getStatementFile({ month: '2026-11', format: 'xlsx' });
      expect(await xlsx.slice(0, 2).text()).to.equal('PK');
    });

    it('show what was answered to a request, and the way to production', async () => {
      const failure = await failureOf(client.createSale(honeymoon('own', { product: { id: 99 } })));
      if (!isCode(failure, 'validation_failed')) throw failure;
      const { data } = await client.getRequest(failure.requestId);
      expect(data.answers[0]).to.deep.include({
        ...{ status: 422, code: 'validation_failed', route: '/private/integration/sale' },
        fields: [{ path: 'product.id', codes: ['not_offered'] }],
      });
      const { data: readiness } = await client.getReadiness();
      expect(readiness.steps.map(({ step }) => step)).to.include('sell_LUA_DE_MEL');
    });
  });
});
