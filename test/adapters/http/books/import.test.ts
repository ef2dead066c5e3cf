import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as openRequest } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Outage } from '../../../../adapters/http/books/outage.ts';
import { Unavailable, Unstorable } from '../../../../application/unavailable.ts';
import { type Api, withApi } from '../../../support/api.ts';
import { temporaryFolder } from '../../../support/children.ts';
import { petProduct, SALE, saleOrder } from '../../../support/generic-sales.ts';
import {
  fileOf,
  IMPORT,
  type ImportLine,
  linesOf,
  numberedSales,
} from '../../../support/imports.ts';
import { hasLibreOffice, savedByLibreOffice } from '../../../support/libreoffice.ts';

const NDJSON = 'application/x-ndjson';

const SPREADSHEETS = new URL('../../../golden/spreadsheets', import.meta.url).pathname;
const SAVED = 'libreoffice-pt-BR.csv';

/** CPFs without their leading zeros, as numbers. */
const CPFS = ['1234567890', '191', '52998224725'];

/** Sales of a shop in the words and forms of Brazilian Excel, in windows-1252. */
const excelFile = (sales: number): Buffer => {
  const header = [
    ...['EXTERNALSALEID', 'Product.Code', 'INSURED.NAME', 'Insured.CpfOrCnpj', 'insured.email'],
    ...['insured.phone', 'Insured.BirthDate', 'coverage.startDate', 'coverage.endDate'],
    ...['Payment.Status', 'PAYMENT.METHOD', 'Payment.PaidAt', 'Amounts.Net Premium'],
    'attributes.destination',
  ];
  const row = (number: number): readonly string[] => [
    ...[`excel-${number}`, 'LUA_DE_MEL', number % 2 === 0 ? 'José D\u0092Ávila' : 'Maria da Silva'],
    ...[CPFS[number % CPFS.length] ?? '', 'cliente@example.com', '11987654321', '05/01/1990'],
    ...['01/12/2199', '10/12/2199', 'Paid', 'PIX', '20/11/2026', 'R$ 89,90', 'São Luís'],
  ];
  const lines = [
    'sep=;',
    header.join(';'),
    ...Array.from({ length: sales }, (_, at) => row(at).join(';')),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
};

describe('an import of sales', () => {
  withApi((api) => {
    let partner: { Authorization: string };
    before(async () => {
      partner = await api().bearer();
    });

    const post = (body: string | Buffer, type = NDJSON, headers: object = partner, query = '') =>
      fetch(`${api().url}/api${IMPORT}${query}`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': type, ...headers },
      });
    const importFile = async (
      body: string | Buffer,
      type?: string,
    ): Promise<readonly ImportLine[]> => {
      const response = await post(body, type);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal(NDJSON);
      return linesOf(await response.text());
    };

    it('answers each line like a single sale, in the order of the file, and sums up', async () => {
      const sold = saleOrder({ externalSaleId: 'file-1' });
      const file = fileOf([
        sold,
        saleOrder({ externalSaleId: 'file-2', payment: { status: 'pending', method: 'pix' } }),
        '',
        '{"externalSaleId":',
        saleOrder({ externalSaleId: 'file-3', planCode: 'NACIONAL', saleDate: '2026-11-21' }),
        sold,
        saleOrder({ externalSaleId: 'file-1', saleDate: '2026-11-19' }),
        saleOrder({ externalSaleId: 'file-4', channelLink: 'outro-canal' }),
      ]);
      const [first, second, third, fourth, fifth, sixth, seventh, last] = await importFile(file);

      const single = await api().post(SALE, sold, partner);
      const { transaction_id, ticket, status, amounts } = single.body.data;
      expect(first).to.deep.equal({
        line: 1,
        external_sale_id: 'file-1',
        status: 201,
        transaction_id,
        ticket,
        sale_status: status,
        total: amounts.total,
        ...(single.body.data.policy_no && { policy_no: single.body.data.policy_no }),
      });
      expect(second).to.include({ line: 2, status: 201, sale_status: 'awaiting_payment' });
      expect(second.payment_url).to.match(/^http/);
      expect(third).to.include({ line: 4, external_sale_id: null, status: 422 });
      expect(third.code).to.equal('invalid_json');
      expect(fourth.error_codes).to.deep.equal({
        planCode: ['unknown'],
        saleDate: ['in_the_future'],
      });
      expect(fifth).to.deep.equal({ ...first, line: 6, status: 200 });
      expect(sixth).to.include({ line: 7, status: 409, code: 'content_conflict', transaction_id });
      expect(sixth.differences).to.have.length(1);
      expect(seventh).to.include({ line: 8, status: 403, code: 'channel_mismatch' });
      expect(last).to.deep.equal({
        summary: { lines: 7, created: 2, repeated: 1, conflicts: 1, invalid: 3, unavailable: 0 },
      });
    });

    it('answers and sells each line of a CSV whose lines end with CR CR LF', async () => {
      const file = excelFile(70).toString('latin1').replaceAll('excel-', 'python-');
      const answers = await importFile(
        Buffer.from(file.replaceAll('\r\n', '\r\r\n'), 'latin1'),
        'text/csv',
      );
      expect(answers.at(-1).summary).to.include({ lines: 70, created: 70 });
      expect(answers[69]).to.include({ line: 143, external_sale_id: 'python-69' });
    });

    it('sells nothing twice when the file is sent again', async () => {
      const file = fileOf(numberedSales('again', 200));
      const first = await importFile(file);
      const second = await importFile(file);
      expect(first.at(-1).summary).to.include({ lines: 200, created: 200 });
      expect(second.at(-1).summary).to.include({ lines: 200, repeated: 200 });
      expect(second.slice(0, -1)).to.deep.equal(
        first.slice(0, -1).map((each) => ({ ...each, status: 200 })),
      );
      expect(first.map(({ line }) => line)).to.deep.equal([
        ...Array.from({ length: 200 }, (_, at) => at + 1),
        undefined,
      ]);
    });

    it('reads a CSV whose columns are the paths of fields, as Brazilian spreadsheets write it', async () => {
      const administrator = await api().bearer(null);
      const schema = (type: string, more = {}) => ({ type, ...more });
      const attributes = {
        ...schema('object'),
        additionalProperties: false,
        properties: {
          petName: schema('string'),
          weight: schema('number'),
          isNeutered: schema('boolean'),
          chips: schema('array', { items: schema('integer') }),
        },
      };
      const put = async (path: string, body: object): Promise<void> => {
        const { status } = await api().put(path, body, administrator);
        expect(status).to.equal(201);
      };
      await put('/admin/products/PET', petProduct({ attributes }));
      await put('/admin/channels/pet-shop', {
        name: 'Pet Shop',
        products: [{ code: 'PET', commissionRate: 10 }],
      });
      const seller = await api().bearer('pet-shop');
      const file = [
        '\uFEFFexternalSaleId;product.code;insured.name;insured.cpfOrCnpj;insured.email;payment.status;payment.method;payment.paidAt;amounts.insuredAmount;coverages.0.code;coverages.1.code;additionalInsured.0.name;additionalInsured.0.cpfOrCnpj;attributes.petName;attributes.weight;attributes.isNeutered;attributes.chips.0;attributes.chips.1',
        `'=1+1;PET;"Maria; ""da"" Silva";529.982.247-25;maria@example.com;paid;pix;2026-11-20;1.234,56;VACINAS;;;;Rex;1,234;sim;7;8`,
        'pet-2;PET;Maria;52998224725;maria@example.com;paid;pix;;abc;;;;;Rex;1.234;talvez;;x',
        ';;;;;;;;;;;;;;;;;',
        'pet-3;PET;Maria',
      ].join('\r\n');
      const response = await post(file, 'text/csv; charset=utf-8', seller);
      const [first, second, third, last] = linesOf(await response.text());
      expect(first).to.include({ line: 2, external_sale_id: '=1+1', status: 201 });
      const { named: stored } = await api().memory.sales.findByEitherName('pet-shop', '=1+1');
      expect(stored?.terms.insured.name).to.equal('Maria; "da" Silva');
      expect(stored?.terms.insuredAmount).to.equal(123_456);
      expect(stored?.terms.insuredObject).to.deep.equal({
        petName: 'Rex',
        weight: 1.234,
        isNeutered: true,
        chips: [7, 8],
      });
      expect(second.error_codes).to.deep.equal({
        'amounts.insuredAmount': ['invalid_type'],
        'attributes.weight': ['invalid_type'],
        'attributes.isNeutered': ['invalid_type'],
        'attributes.chips.0': ['invalid_type'],
      });
      expect(third).to.include({ line: 5, external_sale_id: null, code: 'invalid_csv' });
      expect(last.summary).to.include({ lines: 3, created: 1, invalid: 2 });
    });

    it('is refused before its first line if the columns are not those of sales', async () => {
      const refused = async (file: string): Promise<string> => {
        const answer = await post(file, 'text/csv');
        const [status, body] = [answer.status, (await answer.json()) as ImportLine];
        expect([status, body.code]).to.deep.equal([400, 'invalid_csv']);
        return body.response;
      };
      const wrong = await refused('externalSaleId,plano,__proto__.x,product.code,insured.name\n');
      expect(wrong).to.include('Colunas desconhecidas: plano, __proto__.x.');
      expect(wrong).to.include('Faltam colunas: insured.cpfOrCnpj, insured.email, payment.status');
      const joined = 'externalSaleId,insured.nameA-1,MariaA-2,João';
      expect(await refused(joined)).to.include('Colunas desconhecidas: insured.nameA-1, MariaA-2');
    });

    it('takes a file as Brazilian Excel writes it, and checks it without selling', async () => {
      const file = excelFile(500);
      const rehearsed = linesOf(
        await (await post(file, 'text/csv', partner, '?dry_run=true')).text(),
      );
      const expected = { lines: 500, created: 500, repeated: 0, conflicts: 0, invalid: 0 };
      expect(rehearsed.at(-1).summary).to.include({ ...expected, dry_run: true });
      expect(rehearsed[0]).to.deep.equal({
        ...{ line: 3, external_sale_id: 'excel-0', status: 201, total: 90.24 },
      });
      const [first, ...others] = await importFile(file, 'text/csv');
      expect(others.at(-1).summary).to.include(expected).and.not.have.property('dry_run');
      const sale = await api().memory.sales.load(first.transaction_id);
      expect(sale?.terms.insured).to.include({ name: 'José D’Ávila', taxId: '01234567890' });
      expect(sale?.terms.period).to.deep.equal({ start: '2199-12-01', end: '2199-12-10' });
      const again = await post(file, 'text/csv', partner, '?dry_run=true');
      expect(linesOf(await again.text()).at(-1).summary).to.include({ repeated: 500, created: 0 });
      const odd = await post(file, 'text/csv', partner, '?dry_run=yes');
      expect([odd.status, ((await odd.json()) as ImportLine).error_codes]).to.deep.equal([
        422,
        { dry_run: ['not_offered'] },
      ]);
    });

    it('takes a file as LibreOffice writes it in Portuguese', async () => {
      const answers = await importFile(readFileSync(join(SPREADSHEETS, SAVED)), 'text/csv');
      expect(answers.map(({ status, errors }) => [status, errors]).slice(0, -1)).to.deep.equal(
        Array.from({ length: 3 }, () => [201, undefined]),
      );
      const sale = await api().memory.sales.load(answers[0].transaction_id);
      expect(sale?.terms.insured).to.include({ name: 'João D’Ávila', birthDate: '1990-01-05' });
      expect(sale?.terms.period.start).to.equal('2199-12-01');
    });

    it('is tried with the file that LibreOffice writes today', async function () {
      if (!hasLibreOffice) {
        process.stdout.write('    skipped: soffice (LibreOffice) is not installed\n');
        return this.skip();
      }
      const saved = await savedByLibreOffice(join(SPREADSHEETS, 'typed.csv'));
      expect(saved.equals(readFileSync(join(SPREADSHEETS, SAVED)))).to.equal(true);
    }).timeout(180_000);

    it('refuses what a spreadsheet writes in place of a value: two orders would be one', async () => {
      const words = [
        '#N/D;#n/a; #REF! ;#VALOR!;#VALUE!;#NOME?;#NAME?;#NULO!;#DIV/0!;#NÚM!;#NU\u0301M!;#SPILL!',
        '#DESPEJAR!;#¿NOMBRE?;#OBTENDO_DADOS;Err:502;#;########;\u00A0###;Carregando…;1,23457E+15',
      ].flatMap((line) => line.split(';'));
      const [header = '', model = ''] = excelFile(1)
        .toString('latin1')
        .replace('\u0092', '’')
        .split('\r\n')
        .slice(1);
      const good = model.replace('excel-0', 'named').replace('São Luís', '#1 Praia!');
      const rows = words.flatMap((word) => [
        model.replaceAll(/excel-0|José D.Ávila|São Luís/g, word),
        model.replace('excel-0', word),
      ]);
      const file = [header, good, ...rows].join('\n');
      const [named, ...answers] = await importFile(file, 'text/csv');
      expect(named).to.include({ external_sale_id: 'named', status: 201 });
      expect(answers.at(-1).summary).to.include({ created: 1, invalid: 2 * words.length });
      for (const [at, word] of words.entries()) {
        const [each, repeated] = answers.slice(2 * at);
        expect(each.error_codes, word).to.deep.equal({
          externalSaleId: ['invalid_format'],
          'insured.name': ['invalid_format'],
          'attributes.destination': ['invalid_format'],
        });
        expect(repeated.errors.externalSaleId[0], word).to.include('planilha');
      }
    });

    it('has a template for each product that the channel may sell', async () => {
      const template = (query = '') =>
        fetch(`${api().url}/api${IMPORT}/template${query}`, { headers: partner });
      const bytes = Buffer.from(await (await template('?product=LUA_DE_MEL')).arrayBuffer());
      expect([...bytes.subarray(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf]);
      const text = bytes.toString().trim();
      expect(text).to.include('externalSaleId;product.code').and.include('attributes.destination');
      expect(await (await template()).text()).not.to.include('attributes.');
      expect((await template('?product=NONE')).status).to.equal(404);
      const [summary] = await importFile(bytes, 'text/csv');
      expect(summary.summary).to.include({ lines: 0 });
    });

    it('takes no amount with three decimals, which are thousands to some', async () => {
      const columns = ['externalSaleId', 'product.code', 'insured.name', 'insured.cpfOrCnpj'];
      const more = ['insured.email', 'payment.status', 'payment.method', 'attributes.eventDate'];
      const header = [...columns, ...more, 'amounts.insuredAmount'];
      const cells = ['INGRESSO', 'Maria', '52998224725', 'maria@example.com', 'paid', 'pix'];
      const rows = (separator: string, amounts: readonly string[]): string =>
        [
          header.join(separator),
          ...amounts.map((amount) => ['', ...cells, '2199-01-01', amount].join(separator)),
        ].join('\n');
      for (const [separator, amounts] of [
        [',', ['1.500', '-1.500', '1e3']],
        [';', ['1,500', '90,240', '10,000', '1.500']],
      ] as const) {
        const lines = (await importFile(rows(separator, amounts), 'text/csv')).slice(0, -1);
        expect(lines).to.have.length(amounts.length);
        for (const line of lines)
          expect(line.error_codes['amounts.insuredAmount'], line.line).to.deep.equal([
            'invalid_type',
          ]);
      }
    });

    it('is refused before its first line: media type, encoding, credentials, header', async () => {
      const cases: readonly [() => Promise<Response>, number, string][] = [
        [() => post('{}', 'application/json'), 415, 'unsupported_media_type'],
        [
          () => post('{}', NDJSON, { ...partner, 'Content-Encoding': 'gzip' }),
          415,
          'invalid_encoding',
        ],
        [() => post('{}', NDJSON, {}), 401, 'unauthenticated'],
        [() => post('{"client_id":"x","client_secret":"y"}', NDJSON, {}), 401, 'unauthenticated'],
        [() => post('a,b,a\n', 'text/csv'), 400, 'invalid_csv'],
      ];
      for (const [ask, status, code] of cases) {
        const response = await ask();
        const body = (await response.json()) as { code: string };
        expect([response.status, body.code]).to.deep.equal([status, code]);
      }
    });

    it('takes the credentials by HTTP Basic as well', async () => {
      const { client_id, client_secret } = await api().client('canal-demo');
      const Authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
      const response = await post(fileOf(numberedSales('basic', 1)), NDJSON, { Authorization });
      const [line] = linesOf(await response.text());
      expect(line).to.include({ external_sale_id: 'basic-1', status: 201 });
    });

    it('without lines is answered with an empty summary', async () => {
      const [last, ...others] = await importFile('\n\n');
      expect(last.summary.lines).to.equal(0);
      expect(others).to.deep.equal([]);
    });

    it('answers a line while the next ones are still to come', async () => {
      const { client, lines } = openImport(api(), partner);
      const [one, two] = numberedSales('slow', 2);
      client.write(fileOf([one]));
      expect((await lines.next()).value).to.include({ external_sale_id: 'slow-1', status: 201 });
      client.end(fileOf([two]));
      expect((await lines.next()).value).to.include({ external_sale_id: 'slow-2', status: 201 });
      expect((await lines.next()).value.summary).to.include({ lines: 2, created: 2 });
    });

    it('runs twice at the same time for one client, and a third is refused', async () => {
      const running = [openImport(api(), partner), openImport(api(), partner)];
      for (const { client, lines } of running) {
        client.write(fileOf(['{}']));
        expect((await lines.next()).value.status).to.equal(422);
      }
      const refused = await post('{}');
      expect(refused.status).to.equal(429);
      expect(refused.headers.get('retry-after')).to.equal('10');
      for (const { client, lines } of running) {
        client.end();
        await lines.next();
      }
      expect((await post('{}')).status).to.equal(200);
    });

    for (const way of ['-T {file} -X POST', '--data-binary @{file}'])
      it(`comes from curl ${way}, which expects 100 Continue`, async () => {
        const file = join(temporaryFolder(), 'sales.ndjson');
        writeFileSync(file, fileOf(numberedSales(`curl ${way.slice(0, 3)}`, 500)));
        const { stdout } = await promisify(execFile)(
          'curl',
          [
            ...['-sS', '-H', `Authorization: ${partner.Authorization}`],
            ...['-H', `Content-Type: ${NDJSON}`, '-H', 'Expect: 100-continue'],
            ...way.replace('{file}', file).split(' '),
            `${api().url}/api${IMPORT}`,
          ],
          { maxBuffer: 2 ** 26 },
        );
        const lines = linesOf(stdout);
        expect(lines).to.have.length(501);
        expect(lines.at(-1).summary).to.include({ lines: 500, created: 500 });
      });
  });
});

describe('an import of many lines', () => {
  withApi((api) => {
    it('ends with its limit after 100,000 lines, also for a client that reads nothing before', async () => {
      const { client, lines } = openImport(api(), await api().bearer());
      for (let count = 0; count < 101; count += 1)
        if (!client.write('x\n'.repeat(1_000)))
          await new Promise((resolve) => client.once('drain', resolve));
      client.end();
      const answers = [];
      for await (const each of lines) answers.push(each);
      expect(answers).to.have.length(100_001);
      expect(answers.filter(({ code }) => code === 'invalid_json')).to.have.length(100_000);
      expect(answers.at(-1)).to.deep.equal({
        error: 'O arquivo tem mais de 100000 linhas. Envie as demais em outro arquivo.',
        code: 'body_too_large',
        lines: 100_000,
      });
    });
  });
});

describe('an import that is slow', () => {
  withApi(
    (api) => {
      it('may take longer than other requests, as long as lines come', async () => {
        const { client, lines } = openImport(api(), await api().bearer());
        for (const sale of numberedSales('slow', 8)) {
          client.write(fileOf([sale]));
          expect((await lines.next()).value.status).to.equal(201);
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
        client.end();
        expect((await lines.next()).value.summary).to.include({ created: 8 });
      });
    },
    { requestTimeout: 200 },
  );
});

describe('an import while the database is away', () => {
  it('tries one sale at a time, then none for some time', async () => {
    const outage = new Outage(100, 20);
    const startedAt = performance.now();
    for (let count = 0; count < 64; count += 1) {
      expect(await outage.mayTry()).to.equal(true);
      outage.note(503);
    }
    const tried = await Promise.all(
      Array.from({ length: 64 }, async () => {
        const mayTry = await outage.mayTry();
        if (mayTry) outage.note(503);
        return mayTry;
      }),
    );
    expect(performance.now() - startedAt).to.be.above(100);
    expect(tried.filter((each) => each).length).to.be.within(1, 8);

    expect(await outage.mayTry()).to.equal(false);
    outage.note(422);
    expect(await outage.mayTry(), 'a faulty line says nothing').to.equal(false);
    outage.note(200);
    expect(await outage.mayTry()).to.equal(true);
  });

  withApi((api) => {
    it('answers 503 to the lines that it concerns, and sells those after it', async () => {
      const partner = await api().bearer();
      const { sales } = api().memory;
      const register = sales.register.bind(sales);
      let calls = 0;
      sales.register = (...given) => {
        calls += 1;
        return calls > 100 && calls <= 170
          ? Promise.reject(new Unavailable('away'))
          : register(...given);
      };
      const { client, lines } = openImport(api(), partner);
      client.end(fileOf(numberedSales('away', 400)));
      const answers: ImportLine[] = [];
      for await (const each of lines) answers.push(each);
      expect(answers.at(-1).summary).to.deep.include({
        lines: 400,
        created: 330,
        unavailable: 70,
      });
      const failed = answers.filter(({ status }) => status === 503);
      expect(failed).to.have.length(70);
      for (const each of failed)
        expect(each).to.include({ code: 'unavailable' }).and.not.have.property('ticket');
    });

    it('calls a line faulty whose texts the store cannot hold: sending it again is no help', async () => {
      const partner = await api().bearer();
      api().memory.sales.register = () => Promise.reject(new Unstorable('refused with 22P05'));
      const { client, lines } = openImport(api(), partner);
      client.end(fileOf(numberedSales('faulty', 100)));
      const answers: ImportLine[] = [];
      for await (const each of lines) answers.push(each);
      expect(answers[0]).to.include({ status: 422, code: 'validation_failed' });
      expect(answers.at(-1).summary).to.deep.include({ invalid: 100, unavailable: 0 });
    });
  });
});

/** An import whose client sends and reads as a test wants. */
const openImport = (api: Api, headers: Record<string, string>) => {
  const client = openRequest(`${api.url}/api${IMPORT}`, {
    method: 'POST',
    headers: { 'Content-Type': NDJSON, ...headers },
  });
  client.flushHeaders();
  async function* readAnswer(): AsyncGenerator<ImportLine> {
    // biome-ignore lint/suspicious/noExplicitAny: the event has one argument
    const [response]: any[] = await responded;
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      yield* parts.map((each) => JSON.parse(each));
    }
  }
  const responded = once(client, 'response');
  return { client, lines: readAnswer() };
};
