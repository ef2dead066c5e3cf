import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { COLUMNS } from '../../../../adapters/http/books/statement-lines.ts';
import type { BookedLine } from '../../../../application/sales/sales.ts';
import { CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { within } from '../../../support/stores.ts';
import { hasPython, readSheets, readWithPython } from '../../../support/xlsx.ts';

const STATEMENT = '/private/integration/statement';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const FORMULA = '=HYPERLINK("http://evil")';
/** Names that fill the buffers of a connection soon, compressed or not. */
const LONG_NAMES = Array.from({ length: 50 }, () => randomBytes(20_000).toString('base64'));

const ODD_NAMES = [FORMULA, '+1;=2', '_x0041_', 'a & <b> "ç" 🎟', '007'];

type Headers = Record<string, string>;

const PORTUGUESE = [
  ...['Tipo', 'Instante (UTC)', 'Data', 'Transação', 'Ticket', 'Venda no canal', 'Produto'],
  ...['Plano', 'Recebido por', 'Prêmio líquido', 'IOF', 'Total', 'Comissão', 'Valor líquido'],
  ...['Devolução pendente', 'Vendedor'],
];

describe('the statement that a channel reads', () => {
  withApi((api) => {
    let seller: { Authorization: string };
    let other: { Authorization: string };
    before(async () => {
      await api().channel('loja');
      await api().channel('outra-loja');
      [seller, other] = [await api().bearer('loja'), await api().bearer('outra-loja')];
      const sell = (externalSaleId: string, over: object = {}) =>
        api().post(SALE, saleOrder({ externalSaleId, ...over }), seller);
      for (const name of ODD_NAMES) await sell(name, { sellerCode: '=1+1' });
      await api().post(CREATE, mainBody({ channelLink: 'loja' }), seller);
      api().memory.clock.advance(60);
      await api().post(`${SALE}/007/cancel`, {}, seller);
      await api().post(SALE, saleOrder({ externalSaleId: 'of-the-other' }), other);
    });

    const statement = (query: string, headers: Headers = seller) =>
      api().get(`${STATEMENT}${query}`, headers);
    const download = (query: string, headers: Headers = {}) =>
      fetch(`${api().url}/api${STATEMENT}${query}`, { headers: { ...seller, ...headers } });
    const bytesOf = async (answer: Promise<Response>) =>
      new Uint8Array(await (await answer).arrayBuffer());

    it('is the one that the administrator sees, in every format', async () => {
      const admin = await api().bearer(null);
      for (const query of [
        '?month=2026-11',
        '?month=2026-11&format=csv',
        '?month=2026-11&format=csv&locale=pt-BR',
        '?month=2026-11&format=xlsx',
      ]) {
        const own = await bytesOf(download(query));
        const path = `/api/admin/channels/loja/statement${query}`;
        const seen = await bytesOf(fetch(`${api().url}${path}`, { headers: admin }));
        expect(own.length).to.be.above(1_000);
        expect(Buffer.compare(own, seen), query).to.equal(0);
      }
    });

    it('has the sales of its own channel alone', async () => {
      const names = async (headers: Headers) => {
        const { status, body } = await statement('?month=2026-11', headers);
        expect(status).to.equal(200);
        return body.response.data.lines.map((line: Headers) => line['external_sale_id']);
      };
      expect(await names(seller)).to.deep.equal([...ODD_NAMES, null, '007']);
      expect(await names(other)).to.deep.equal(['of-the-other']);
      await api().channel('loja-vazia');
      expect(await names(await api().bearer('loja-vazia'))).to.deep.equal([]);
    });

    it('takes HTTP Basic, and needs the scope of a seller', async () => {
      const { client_id, client_secret } = await api().client('loja');
      const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
      expect((await statement('?month=2026-11', { Authorization: basic })).status).to.equal(200);
      expect((await statement('?month=2026-11', {})).status).to.equal(401);
      const admin = await api().bearer(null);
      expect((await statement('?month=2026-11', admin)).status).to.equal(403);
    });

    it('is empty for a month without sales, and for a month to come', async () => {
      for (const month of ['2026-10', '2031-01']) {
        const { lines, totals, final } = (await statement(`?month=${month}`)).body.response.data;
        expect([lines, totals.all.lines, final]).to.deep.equal([[], 0, month === '2026-10']);
        const csv = await (await download(`?month=${month}&format=csv`)).text();
        expect(csv.trim().split('\r\n')).to.have.length(8);
        const [sheet, sums] = await readSheets(
          await bytesOf(download(`?month=${month}&format=xlsx`)),
        );
        expect(sheet?.rows).to.deep.equal([]);
        expect(sums?.rows.map(({ total }) => total)).to.deep.equal([
          ...[0, 0, 0, 0],
          ...[null, null, null],
        ]);
      }
    });

    it('names every fault of its query at once', async () => {
      const { status, body } = await statement(
        '?month=2026-13&format=pdf&locale=en-US&channelLink=loja&mes=1&mes=2',
      );
      expect(status).to.equal(422);
      expect(body.error_codes).to.deep.equal({
        month: ['invalid_format'],
        format: ['not_offered'],
        locale: ['not_offered'],
        channelLink: ['unknown'],
        mes: ['repeated'],
      });
      const more = await statement('?month=2026-11&month=2026-12&locale=pt-BR');
      expect(more.body.error_codes).to.deep.equal({
        month: ['repeated'],
        locale: ['contradicts'],
      });
      expect((await statement('')).body.error_codes).to.deep.equal({ month: ['required'] });
      expect(more.body.errors.locale[0]).to.include('só cabe em CSV e XLSX');
    });

    it('has the format that is asked for by name, or else by Accept', async () => {
      const typeOf = async (query: string, Accept: string) => {
        const { headers, body } = await download(`?month=2026-11${query}`, { Accept });
        await body?.cancel();
        return headers.get('Content-Type')?.split(';')[0];
      };
      expect(await typeOf('', '*/*')).to.equal('application/json');
      expect(await typeOf('', 'text/csv')).to.equal('text/csv');
      expect(await typeOf('', XLSX)).to.equal(XLSX);
      expect(await typeOf('', 'text/csv;q=0.5, application/json;q=0.1')).to.equal('text/csv');
      expect(await typeOf('', 'image/png')).to.equal('application/json');
      expect(await typeOf('&format=csv', XLSX)).to.equal('text/csv');
      expect(await typeOf('&locale=pt-BR', 'text/csv')).to.equal('text/csv');
      const { headers } = await download('?month=2026-11&format=xlsx');
      expect(headers.get('Content-Disposition')).to.equal(
        'attachment; filename="statement-loja-2026-11.xlsx"',
      );
    });

    it('opens in a Brazilian spreadsheet: semicolons, decimal commas, UTF-8, no formulas', async () => {
      const file = Buffer.from(await bytesOf(download('?month=2026-11&format=csv&locale=pt-BR')));
      expect([...file.subarray(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf]);
      const options = {
        delimiter: ';',
        record_delimiter: '\r\n',
        bom: true,
      } as const;
      const [header = [], ...cells] = parse(file, options) as string[][];
      expect(header).to.deep.equal(PORTUGUESE);
      const rows = cells.map((row) =>
        Object.fromEntries(row.map((cell, at) => [COLUMNS[at], cell])),
      ) as Headers[];
      const { lines, totals } = (await statement('?month=2026-11')).body.response.data;
      expect(rows).to.have.length(lines.length + 7);
      const brazilian = (amount: number) => amount.toFixed(2).replace('.', ',');
      for (const [index, line] of lines.entries()) {
        const { external_sale_id: _, seller_code: seller, ...row } = rows[index] as Headers;
        const { external_sale_id: __, seller_code: code, refunds: ___, ...facts } = line;
        expect(seller).to.equal(code === null ? '' : `'${code}`);
        for (const name of [
          ...['net_premium', 'iof', 'total', 'commission', 'net_amount', 'refund_pending'],
        ])
          facts[name] = brazilian(facts[name]);
        expect(row).to.deep.equal({
          ...facts,
          transaction_id: String(line.transaction_id),
          type: line.type === 'sale' ? 'Venda' : 'Devolução',
          collected_by: 'canal',
        });
      }
      expect(rows.slice(0, 5).map((row) => row['external_sale_id'])).to.deep.equal([
        `'${FORMULA}`,
        "'+1;'=2",
        ...ODD_NAMES.slice(2),
      ]);
      expect(
        rows.slice(-7).map((row) => [row['type'], row['collected_by'], row['net_amount']]),
      ).to.deep.equal([
        ['Total', 'canal', brazilian(totals.all.net_amount)],
        ['Devoluções no total', 'canal', brazilian(totals.refunds.net_amount)],
        ['Total', 'serviço', '0,00'],
        ['Devoluções no total', 'serviço', '0,00'],
        ['Você deve', '', brazilian(totals.owed_by_channel)],
        ['Você recebe', '', brazilian(totals.owed_to_channel)],
        ['Saldo', '', brazilian(totals.owed_by_channel - totals.owed_to_channel)],
      ]);
    });

    it('is an Excel file with numbers, dates and texts', async () => {
      const file = await bytesOf(download('?month=2026-11&format=xlsx'));
      const [sheet, sums] = await readSheets(file);
      const { lines, totals } = (await statement('?month=2026-11')).body.response.data;
      expect([sheet?.name, sums?.name]).to.deep.equal(['Extrato 2026-11', 'Totais']);
      expect(sheet?.rows).to.deep.equal(
        lines.map(({ refunds: _, ...line }: Headers) => ({
          ...line,
          booked_at: new Date(line['booked_at'] as string),
          date: new Date(line['date'] as string),
        })),
      );
      expect(sums?.rows[0]).to.deep.equal({
        ...{ type: 'total', collected_by: 'channel' },
        net_premium: totals.all.net_premium,
        iof: totals.all.iof,
        total: totals.all.total,
        commission: totals.all.commission,
        net_amount: totals.all.net_amount,
      });
      expect(sums?.rows.map((row) => row['net_amount'])).to.deep.equal([
        totals.owed_by_channel,
        totals.refunds.net_amount,
        ...[0, 0],
        totals.owed_by_channel,
        totals.owed_to_channel,
        totals.owed_by_channel - totals.owed_to_channel,
      ]);
    });

    it('is an Excel file in Portuguese: names beside codes, and times of São Paulo', async () => {
      const file = await bytesOf(download('?month=2026-11&format=xlsx&locale=pt-BR'));
      const [sheet] = (await readXlsx(file, { readStyles: true })).sheets;
      const [header, first] = sheet?.rows ?? [];
      expect(header).to.deep.equal([
        ...['Tipo', 'Instante (São Paulo)', 'Data', 'Transação', 'Ticket', 'Venda no canal'],
        ...['Produto', 'Nome do produto', 'Plano', 'Nome do plano', ...PORTUGUESE.slice(8)],
      ]);
      const [line] = (await statement('?month=2026-11')).body.response.data.lines;
      expect([line.booked_at, line.date]).to.deep.equal(['2026-11-20T15:00:00.000Z', '2026-11-20']);
      expect(first?.slice(1, 3)).to.deep.equal([
        new Date('2026-11-20T12:00:00Z'),
        new Date('2026-11-20'),
      ]);
      expect(['1,1', '1,2'].map((at) => sheet?.cells?.get(at)?.style?.numFmt)).to.deep.equal([
        'dd/mm/yyyy hh:mm:ss',
        'dd/mm/yyyy',
      ]);
      expect(first?.slice(6, 10)).to.deep.equal([
        ...['LUA_DE_MEL', 'Seguro Lua de Mel', 'NACIONAL', 'Nacional'],
      ]);
    });

    it('prints one page wide, with the header on each page, and its balance stands out', async () => {
      const file = await bytesOf(download('?month=2026-11&format=xlsx'));
      const { sheets } = await readXlsx(file, { readStyles: true });
      for (const { pageSetup } of sheets)
        expect(pageSetup).to.include({
          ...{ orientation: 'landscape', paperSize: 'a4', printTitlesRow: '$1:$1' },
          ...{ fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
        });
      const [lines, sums] = sheets;
      expect(lines?.autoFilter?.range).to.equal('A1:P1048576');
      const bold = sums?.rows.filter((_, at) => sums.cells?.get(`${at},0`)?.style?.font?.bold);
      expect(bold?.map(([name]) => name)).to.deep.equal(['type', 'balance']);
    });

    it('is an Excel file that other programs can read, without a formula', async function () {
      if (!hasPython()) return this.skip();
      const file = readWithPython(await bytesOf(download('?month=2026-11&format=xlsx')));
      expect(file).to.deep.include({ broken: null, formulas: 0 });
      expect(file.rows.map((rows) => rows.length)).to.deep.equal([8, 8]);
      for (const [header] of file.rows)
        expect(new Set(header?.map(([, , format]) => format))).to.deep.equal(new Set(['bold']));
      const [, first] = file.rows[0] ?? [];
      const cell = (column: string) => first?.find(([address]) => address === `${column}2`);
      expect(cell('B')?.slice(1)).to.deep.equal(['n', 'yyyy-mm-dd hh:mm:ss" UTC"', '46346.625']);
      expect(cell('C')?.slice(1)).to.deep.equal(['n', 'yyyy-mm-dd', '46346']);
      expect(cell('F')?.slice(1, 2)).to.deep.equal(['inlineStr']);
      expect(cell('F')?.[3]).to.equal(FORMULA);
      expect(cell('L')?.slice(1)).to.deep.equal(['n', '#,##0.00', '90.24']);
      // An underscore that would begin an escaped character is escaped itself.
      expect(file.rows[0]?.[3]?.find(([address]) => address === 'F4')?.[3]).to.equal(
        '_x005F_x0041_',
      );
    });

    it('says until when it is complete where it is read from a copy, and is not final too early', async () => {
      const { sales } = api().memory;
      const { booksAsOf } = sales;
      const answer = (month: string) => statement(`?month=${month}`);
      expect((await answer('2026-10')).headers.get('x-data-as-of')).to.equal(null);
      for (const [asOf, final] of [
        ['2026-11-01T03:59:59.000Z', false],
        ['2026-11-01T04:00:01.000Z', true],
      ] as const) {
        Object.assign(sales, { booksAsOf: () => asOf });
        const october = await answer('2026-10');
        expect(october.headers.get('x-data-as-of')).to.equal(asOf);
        expect(october.body.response.data.final).to.equal(final);
      }
      const list = await api().post(
        '/private/integration/reconciliation?from=2026-11-01&to=2026-11-01',
        'externalSaleId,total\r\n',
        { ...seller, 'Content-Type': 'text/csv' },
      );
      expect(list.headers.get('x-data-as-of')).to.equal('2026-11-01T04:00:01.000Z');
      sales.booksAsOf = booksAsOf;
    });

    it('is refused as XLSX if Excel could not hold it, before its first byte', async () => {
      const { sales } = api().memory;
      const asked: number[] = [];
      const { countBooked } = sales;
      sales.countBooked = async (_, limit) => {
        asked.push(limit);
        return 1_048_576;
      };
      const refused = await statement('?month=2026-11&format=xlsx');
      expect([refused.status, refused.body.error_codes]).to.deep.equal([
        422,
        { format: ['out_of_range'] },
      ]);
      expect(refused.body.errors.format[0]).to.match(/1\.048\.575 linhas.*format=csv/);
      expect((await download('?month=2026-11&format=csv')).status).to.equal(200);
      sales.countBooked = countBooked;
      expect(asked).to.deep.equal([1_048_576]);
    });

    it('is made twice at the same time for one client, and a third one is refused', async () => {
      const { sales } = api().memory;
      const { countBooked } = sales;
      const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
      sales.countBooked = async () => {
        await mayGoOn;
        return 0;
      };
      const running = [1, 2].map(() => download('?month=2020-01&format=xlsx'));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const third = await statement('?month=2020-01&format=csv');
      goOn();
      for (const each of running) {
        const answer = await each;
        expect(answer.status).to.equal(200);
        await answer.arrayBuffer();
      }
      sales.countBooked = countBooked;
      expect([third.status, third.headers.get('Retry-After')]).to.deep.equal([429, '10']);
      expect((await statement('?month=2020-01')).status).to.equal(200);
    });

    for (const format of ['json', 'csv', 'xlsx'])
      it(`is not read from the store while the caller reads nothing, nor after a hang-up: ${format}`, async () => {
        const { sales } = api().memory;
        const { booked, countBooked } = sales;
        const reading = { lines: 0, isOver: false };
        const [line] = await Array.fromAsync(
          booked.call(sales, {
            channelLink: 'loja',
            from: '2026-11-01T03:00:00.000Z',
            to: '2026-12-01T03:00:00.000Z',
          } as Parameters<typeof booked>[0]),
        );
        sales.countBooked = async () => 1_000_000;
        sales.booked = async function* manyLines() {
          try {
            for (; reading.lines < 1_000_000; reading.lines += 1) {
              if (reading.lines % 200 === 0) await new Promise(setImmediate);
              const externalSaleId = LONG_NAMES[reading.lines % LONG_NAMES.length] as string;
              const { sale, booking } = line as BookedLine;
              yield { booking, sale: { ...sale, externalSaleId } };
            }
          } finally {
            reading.isOver = true;
          }
        };
        const hangUp = new AbortController();
        const { body } = await fetch(
          `${api().url}/api${STATEMENT}?month=2026-11&format=${format}`,
          { headers: seller, signal: hangUp.signal },
        );
        const reader = body?.getReader();
        await reader?.read();
        let before = -1;
        const stoodStill = await within(
          async () => {
            await new Promise((resolve) => setTimeout(resolve, 200));
            const stands = before === reading.lines;
            before = reading.lines;
            return stands;
          },
          (stands) => stands,
        );
        expect(stoodStill).to.equal(true);
        expect(reading.lines).to.be.within(1, 500_000);
        expect(reading.isOver).to.equal(false);
        hangUp.abort();
        await within(async () => reading.isOver, Boolean);
        expect(reading.isOver).to.equal(true);
        Object.assign(sales, { booked, countBooked });
      });
  });
});
