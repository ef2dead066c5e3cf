import { Readable } from 'node:stream';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { writeCsv } from '../../../../adapters/http/books/statement-csv.ts';
import type { StatementLine } from '../../../../application/statements/channel-statement.ts';
import { Unavailable } from '../../../../application/unavailable.ts';
import { CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';

const FIGURES = ['net_premium', 'iof', 'total', 'commission', 'net_amount'] as const;

type Line = Record<string, string | number | null>;

const inCents = (value: unknown): number => Math.round(Number(value) * 100);

const sumOf = (lines: readonly Line[], figure: string): number =>
  lines.reduce((sum, line) => sum + inCents(line[figure]), 0);

describe('the statement of a channel', () => {
  withApi((api) => {
    let admin: { Authorization: string };
    before(async () => {
      admin = await api().bearer(null);
      await api().channel('loja');
      const seller = await api().bearer('loja');
      const sell = async (externalSaleId: string, over: object = {}) =>
        (await api().post(SALE, saleOrder({ externalSaleId, ...over }), seller)).body.data;
      const { clock, sandbox, runJobs } = api().memory;
      await sell('a', { plan: { id: 42 } });
      await sell('=HYPERLINK("http://evil")');
      await api().post(CREATE, mainBody({ channelLink: 'loja' }), seller);
      await sell('unpaid', { payment: { status: 'pending', method: 'pix' } });
      const link = await sell('link', { payment: { status: 'pending', method: 'pix' } });
      clock.advance(60);
      await sandbox.payOnPage(link.payment_url.split('/').at(-1), 'pix', undefined, 'once');
      await runJobs();
      clock.advance(60);
      await api().post(`${SALE}/a/cancel`, {}, seller);
      await api().post(`${SALE}/unpaid/cancel`, {}, seller);
      await sell('link', {});
      // In December, a sale of November is refunded, and another sale is made.
      clock.advance(12 * 86_400);
      await api().post(
        `${SALE}/${encodeURIComponent('=HYPERLINK("http://evil")')}/cancel`,
        {},
        await api().bearer('loja'),
      );
      await api().post(SALE, saleOrder({ externalSaleId: 'december' }), await api().bearer('loja'));
      admin = await api().bearer(null);
    });
    const statement = (month: string, query = '', headers: Record<string, string> = {}) =>
      api().get(`/admin/channels/loja/statement?month=${month}${query}`, { ...admin, ...headers });

    it('has each paid sale and each refund in order of time, without the insured', async () => {
      const { status, body } = await statement('2026-11');
      expect(status).to.equal(200);
      const { lines, ...rest } = body.response.data;
      expect(rest).to.deep.include({ channelLink: 'loja', month: '2026-11', final: true });
      expect(
        lines.map(({ type, external_sale_id, product, plan, collected_by }: Line) => [
          type,
          external_sale_id,
          product,
          plan,
          collected_by,
        ]),
      ).to.deep.equal([
        ['sale', 'a', 'LUA_DE_MEL', 'INTERNACIONAL', 'channel'],
        ['sale', '=HYPERLINK("http://evil")', 'LUA_DE_MEL', 'NACIONAL', 'channel'],
        ['sale', null, 'INGRESSO', 'PADRAO', 'channel'],
        ['sale', 'link', 'LUA_DE_MEL', 'NACIONAL', 'service'],
        ['refund', 'a', 'LUA_DE_MEL', 'INTERNACIONAL', 'channel'],
      ]);
      expect(lines[0]).to.deep.include({
        date: '2026-11-20',
        booked_at: '2026-11-20T15:00:00.000Z',
        net_premium: 249.9,
        iof: 0.95,
        total: 250.85,
        commission: 49.98,
        net_amount: 200.87,
      });
      expect(lines[4]).to.deep.include({
        net_premium: -249.9,
        iof: -0.95,
        total: -250.85,
        commission: -49.98,
        net_amount: -200.87,
      });
      expect(JSON.stringify(body)).not.to.match(/Maria|52998224725|example\.com/);
    });

    it('has totals exact to the cent, and what channel and service owe each other', async () => {
      const { lines, totals } = (await statement('2026-11')).body.response.data;
      const sales = lines.filter(({ type }: Line) => type === 'sale');
      const refunds = lines.filter(({ type }: Line) => type === 'refund');
      for (const [name, of] of [
        ['sales', sales],
        ['refunds', refunds],
        ['all', lines],
      ] as const) {
        expect(totals[name].lines).to.equal(of.length);
        for (const figure of FIGURES)
          expect(inCents(totals[name][figure]), `${name}.${figure}`).to.equal(sumOf(of, figure));
      }
      const by = (side: string): readonly Line[] =>
        lines.filter(({ collected_by }: Line) => collected_by === side);
      expect(inCents(totals.owed_by_channel)).to.equal(sumOf(by('channel'), 'net_amount'));
      expect(inCents(totals.owed_to_channel)).to.equal(sumOf(by('service'), 'commission'));
      expect(totals.owed_to_channel).to.equal(17.98);
    });

    it('puts a refund into the month in which the sale ended', async () => {
      const { lines, totals } = (await statement('2026-12')).body.response.data;
      expect(
        lines.map(({ type, external_sale_id }: Line) => [type, external_sale_id]),
      ).to.deep.equal([
        ['refund', '=HYPERLINK("http://evil")'],
        ['sale', 'december'],
      ]);
      expect(totals.all.lines).to.equal(2);
    });

    it('uses days of São Paulo, and is final an hour after its month', async () => {
      const { clock } = api().memory;
      // 2026-12-31T23:59:30 in São Paulo, and a minute later.
      clock.advance((Date.parse('2027-01-01T02:59:30.000Z') - Date.parse(clock.now())) / 1_000);
      const seller = await api().bearer('loja');
      await api().post(SALE, saleOrder({ externalSaleId: 'last-of-december' }), seller);
      clock.advance(60);
      await api().post(SALE, saleOrder({ externalSaleId: 'first-of-january' }), seller);
      admin = await api().bearer(null);
      const names = async (month: string) => {
        const { lines, final } = (await statement(month)).body.response.data;
        return [final, lines.at(-1)?.external_sale_id, lines.at(-1)?.date];
      };
      expect(await names('2026-12')).to.deep.equal([false, 'last-of-december', '2026-12-31']);
      expect(await names('2027-01')).to.deep.equal([false, 'first-of-january', '2027-01-01']);
      clock.advance(3_600);
      admin = await api().bearer(null);
      expect((await names('2026-12'))[0]).to.equal(true);
    });

    it('is empty for a month without lines, with totals of zero', async () => {
      const { lines, totals } = (await statement('2027-03')).body.response.data;
      expect(lines).to.deep.equal([]);
      const nothing = { lines: 0, net_premium: 0, iof: 0, total: 0, commission: 0, net_amount: 0 };
      expect(totals).to.deep.equal({
        sales: nothing,
        refunds: nothing,
        all: nothing,
        owed_by_channel: 0,
        owed_to_channel: 0,
        declined_offers: [],
      });
    });

    it('is also available as CSV, without formulas', async () => {
      const url = `${api().url}/api/admin/channels/loja/statement?month=2026-11`;
      const [byName, byAccept] = await Promise.all([
        fetch(`${url}&format=csv`, { headers: admin }),
        fetch(url, { headers: { ...admin, Accept: 'text/csv' } }),
      ]);
      expect(byName.headers.get('Content-Type')).to.match(/^text\/csv; charset=utf-8/);
      expect(byName.headers.get('Content-Disposition')).to.equal(
        'attachment; filename="statement-loja-2026-11.csv"',
      );
      const text = await byName.text();
      expect(await byAccept.text()).to.equal(text);
      const rows = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<
        string,
        string
      >[];
      const { lines, totals } = (await statement('2026-11')).body.response.data;
      expect(rows.slice(0, -7).map(({ external_sale_id, ...row }) => row)).to.deep.equal(
        lines.map(({ external_sale_id, refunds, ...line }: Line) =>
          Object.fromEntries(
            Object.entries(line).map(([name, value]) => [
              name,
              typeof value === 'number' && name !== 'transaction_id'
                ? value.toFixed(2)
                : String(value ?? ''),
            ]),
          ),
        ),
      );
      expect(rows[1]?.['external_sale_id']).to.equal(`'=HYPERLINK("http://evil")`);
      const shown = rows
        .slice(-7)
        .map(({ type, collected_by, total, commission, net_amount }) => [
          type,
          collected_by,
          total,
          commission,
          net_amount,
        ]);
      const fixed = (value: number): string => value.toFixed(2);
      expect(shown[0]).to.deep.equal([
        'total',
        'channel',
        '292.76',
        '55.70',
        fixed(totals.owed_by_channel),
      ]);
      expect(shown[2]).to.deep.equal([
        'total',
        'service',
        '90.24',
        fixed(totals.owed_to_channel),
        '72.26',
      ]);
      // What the channel owes, and what it is owed, are not added up.
      expect(shown.slice(4)).to.deep.equal([
        ['owed_by_channel', '', '', '', fixed(totals.owed_by_channel)],
        ['owed_to_channel', '', '', '', fixed(totals.owed_to_channel)],
        ['balance', '', '', '', fixed(totals.owed_by_channel - totals.owed_to_channel)],
      ]);
    });

    it('requires the admin scope, a known channel and a month', async () => {
      expect(
        (
          await api().get(
            '/admin/channels/loja/statement?month=2026-11',
            await api().bearer('loja'),
          )
        ).status,
      ).to.equal(403);
      expect(
        (await api().get('/admin/channels/nenhum/statement?month=2026-11', admin)).status,
      ).to.equal(404);
      for (const query of [
        '',
        '?month=2026-13',
        '?month=2026-1',
        '?month=2026-11-01',
        '?month=2026-11&format=pdf',
        '?month=2026-11&x=1',
      ]) {
        expect(
          (await api().get(`/admin/channels/loja/statement${query}`, admin)).status,
          query,
        ).to.equal(422);
      }
    });

    it('answers 503 if the first line fails, and cuts the connection after a later failure', async () => {
      const sales = api().memory.sales;
      const { booked } = sales;
      const failing = (after: number): typeof booked =>
        async function* broken(query) {
          let left = after;
          for await (const line of booked.call(sales, query)) {
            if (left === 0) throw new Unavailable('the database is gone');
            left -= 1;
            yield line;
          }
        };
      sales.booked = failing(0);
      expect((await statement('2026-11')).status).to.equal(503);
      sales.booked = failing(2);
      for (const format of ['json', 'csv']) {
        const url = `${api().url}/api/admin/channels/loja/statement?month=2026-11&format=${format}`;
        const outcome = await fetch(url, { headers: admin })
          .then((response) => response.text())
          .catch(() => 'cut off');
        expect(outcome, format).to.equal('cut off');
      }
      sales.booked = booked;
    });
  });
});

describe('the external sale id in CSV', () => {
  const inTable = async (externalSaleId: string): Promise<string | undefined> => {
    const amounts = { net: 0, iof: 0, total: 0, commission: 0, netAmount: 0 };
    const booking = {
      kind: 'sale',
      at: '2026-11-20T15:00:00.000Z',
      collectedBy: 'channel',
      ...amounts,
    };
    const line = {
      booking,
      on: '2026-11-20',
      sale: { id: 1, ticket: 't', productCode: 'P', planCode: 'Q', externalSaleId },
    };
    let table = '';
    for await (const chunk of writeCsv(Readable.from([line as unknown as StatementLine])))
      table += chunk;
    return (parse(table, { columns: true }) as Record<string, string>[])[0]?.['external_sale_id'];
  };

  const FORMULAS = [
    '=1',
    '+1',
    '-1',
    '@x',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '﹦1',
    '−1',
    '\u200b=1',
    '\u00ad＝1',
    ' =1',
    '\u3000@x',
    '\ufeff+1',
  ];
  for (const formula of FORMULAS)
    it(`is marked as text if a spreadsheet would see a formula: ${JSON.stringify(formula)}`, async () => {
      expect(await inTable(formula)).to.equal(`'${formula}`);
      expect(await inTable(`a;${formula}`)).to.equal(`a;'${formula}`);
    });

  it('is unchanged otherwise', async () => {
    for (const name of ['1=1', 'a-b', 'a;b', 'pedido @ loja', '1;2', 'é'])
      expect(await inTable(name)).to.equal(name);
  });
});
