import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { importFile } from '../../../adapters/partner/import-file.ts';
import { findListFile } from '../../../adapters/partner/list-file.ts';
import type { SalesService } from '../../../adapters/partner/sales-service.ts';
import { temporaryFolder } from '../../support/children.ts';
import { expectError } from '../../support/expected-error.ts';
import {
  type CommandRun,
  PartnerProcess,
  runPartner,
  type StandInRequest,
  StandInService,
} from '../../support/partner-command.ts';

const IMPORT = '/api/private/integration/sales/import';
const TOKEN = '/api/seguros/auth/token';

type Row = Readonly<Record<string, string>>;

/** The records of a body, each with its line in it. */
const recordsOf = ({ body, headers }: StandInRequest): readonly (readonly [number, Row])[] => {
  if (headers['content-type'] === 'application/x-ndjson')
    return body
      .trim()
      .split('\n')
      .map((line, index) => [index + 1, JSON.parse(line)] as const);
  const delimiter = body.split('\n')[0]?.includes(';') ? ';' : ',';
  const options = { columns: true, delimiter, info: true, raw: true };
  const rows = parse(body, options) as unknown as { record: Row; raw: string }[];
  let next = 2;
  const numbered = rows.map(({ record, raw }) => {
    const line = next;
    next += raw.trimEnd().split('\n').length;
    return [line, record] as const;
  });
  return numbered.filter(([, row]) => Object.values(row).some((cell) => cell !== ''));
};

describe("the partner's command", () => {
  const service = new StandInService();
  let environment: Readonly<Record<string, string>>;
  let folder = '';
  before(async () => {
    environment = await service.start();
  });
  after(() => service.stop());
  beforeEach(() => {
    service.requests.length = 0;
    folder = temporaryFolder();
  });

  const run = (...args: readonly string[]): Promise<CommandRun> => runPartner(args, environment);
  const write = (name: string, text: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  /** The rows of a result file. */
  const results = (name: string): readonly Row[] =>
    parse(read(name), { columns: true, delimiter: ';', bom: true });

  /** Answers an import as the service does; `statusOf` decides about each sale. */
  const importing =
    (statusOf: (row: Row, earlier: number) => number) =>
    (request: StandInRequest, response: ServerResponse, earlier: number): void => {
      for (const [line, row] of recordsOf(request)) {
        const status = statusOf(row, earlier);
        const errors = { 'insured.email': ['O campo insured.email deve ser um e-mail válido.'] };
        const said = { line, external_sale_id: row['externalSaleId'], status };
        response.write(`${JSON.stringify({ ...said, ...(status === 422 && { errors }) })}\n`);
      }
      response.end('{"summary":{}}\n');
    };

  const csvOf = (count: number): string =>
    [
      'externalSaleId,email',
      ...Array.from({ length: count }, (_, at) => `o-${at},"a ""b"" c"`),
    ].join('\r\n');

  describe('import', () => {
    it('sends a file in parts, each with the header, and ends with 0', async () => {
      service.answer = importing((row) => (row['externalSaleId'] === 'o-7' ? 200 : 201));
      const { code, out, errors } = await run('import', write('sales.csv', csvOf(4_500)));
      expect([code, errors]).to.deep.equal([0, '']);
      expect(out).to.equal(
        'Registradas agora: 4499\nJá registradas antes: 1\nRecusadas: 0\n' +
          `O resultado de cada linha (números, links de pagamento, motivos) está em ${join(folder, 'sales.resultado.csv')}.\n`,
      );
      const parts = service.to(IMPORT);
      expect(parts.map((part) => recordsOf(part).length)).to.deep.equal([2_000, 2_000, 500]);
      expect(parts[2]?.headers['content-type']).to.equal('text/csv');
      const names = parts.flatMap((part) =>
        recordsOf(part).map(([, row]) => row['externalSaleId']),
      );
      expect(new Set(names).size).to.equal(4_500);
      expect(service.to(TOKEN)).to.have.length(1);
      expect(parts[0]?.headers.authorization).to.equal('Bearer token-0');
    });

    it('registers every line, whatever ends it, and fails if the service passes one over', async () => {
      service.answer = importing(() => 201);
      const text = 'externalSaleId,email\r\r\na,"x\ry"\r\r\nb,\r,\nc,\n\rd,';
      const path = write('sales.csv', text);
      const { code, out } = await run('import', path);
      expect([code, out.split('\n')[0]]).to.deep.equal([0, 'Registradas agora: 4']);
      expect(
        results('sales.resultado.csv').map(({ linha, venda }) => [linha, venda]),
      ).to.deep.equal([
        ['3', 'a'],
        ['6', 'b'],
        ['8', 'c'],
        ['10', 'd'],
      ]);

      service.answer = (_, response) => response.end('{"line":2,"status":201}\n{"summary":{}}\n');
      const failed = await run('import', path);
      expect(failed.code).to.equal(2);
      expect(failed.errors).to.include('O serviço não respondeu à linha 6 do arquivo.');
    });

    it('puts refused sales into a CSV that can be mended and sent again', async () => {
      service.answer = importing((row) => (row['email']?.includes('@') ? 201 : 422));
      const text =
        '\uFEFFexternalSaleId;email;note\r\na;a@b.co;1\r\nb;"b\r\nb";"2 ""x"""\r\n\r\n=c;c;3\r\n;;\r\n';
      const first = await run('import', write('sales.csv', text));
      expect(first.code).to.equal(1);
      expect(first.out).to.include('Recusadas: 2\n').and.to.include('sales.recusadas.csv');
      const refused = read('sales.recusadas.csv');
      expect(refused.split('\r\n')[0]).to.equal('\uFEFF_linha;_motivo;externalSaleId;email;note');
      const reason = 'insured.email: O campo insured.email deve ser um e-mail válido.';
      const rows = parse(refused, { columns: true, delimiter: ';', bom: true });
      expect(rows).to.deep.equal([
        { _linha: '3', _motivo: reason, externalSaleId: 'b', email: 'b\nb', note: '2 "x"' },
        { _linha: '6', _motivo: reason, externalSaleId: '=c', email: 'c', note: '3' },
      ]);

      service.requests.length = 0;
      write('sales.recusadas.csv', refused.replace('b\nb', 'b@b.co'));
      const second = await run('import', join(folder, 'sales.recusadas.csv'));
      expect([second.code, second.out.split('\n')[0]]).to.deep.equal([1, 'Registradas agora: 1']);
      const [sent] = service.to(IMPORT) as [StandInRequest];
      expect(recordsOf(sent).map(([, row]) => row)).to.deep.equal([
        { externalSaleId: 'b', email: 'b@b.co', note: '2 "x"' },
        { externalSaleId: '=c', email: 'c', note: '3' },
      ]);
      expect(read('sales.recusadas.csv')).to.include('b@b.co');
      expect(read('sales.recusadas.recusadas.csv')).to.include('=c');
    });

    it('does the same for NDJSON, also for lines that are not JSON', async () => {
      service.answer = (request, response) => {
        const lines = request.body.trim().split('\n');
        for (const [index, line] of lines.entries()) {
          const status = line.startsWith('{"externalSaleId":"a"') ? 201 : 422;
          const said = { line: index + 1, status, response: 'A linha não é um JSON válido.' };
          response.write(`${JSON.stringify(said)}\n`);
        }
        response.end('{"summary":{}}\n');
      };
      const path = write('sales', '{"externalSaleId":"a"}\n\n{"externalSaleId":"b"}\n{oops\n');
      expect((await run('import', path)).code).to.equal(1);
      const lines = read('sales.recusadas.ndjson').trim().split('\n');
      expect(lines.map((line) => JSON.parse(line))).to.deep.equal([
        { _linha: 3, _motivo: ['A linha não é um JSON válido.'], externalSaleId: 'b' },
        { _linha: 4, _motivo: ['A linha não é um JSON válido.'], _texto: '{oops' },
      ]);
      service.requests.length = 0;
      await run('import', join(folder, 'sales.recusadas.ndjson'));
      expect(service.to(IMPORT)[0]?.body).to.equal('{"externalSaleId":"b"}\n{oops\n');
      expect(existsSync(join(folder, 'sales.recusadas.recusadas.ndjson'))).to.equal(true);
    });

    it('goes on after outages, broken answers and ended tokens, and sends only what is left', async () => {
      const seen: number[] = [];
      service.answer = (request, response, earlier) => {
        seen.push(recordsOf(request).length);
        if (earlier === 0) return response.writeHead(503, { 'Retry-After': '0' }).end();
        if (earlier === 1) return response.writeHead(401).end();
        if (earlier === 2) {
          response.write('{"line":2,"external_sale_id":"o-0","status":201}\n');
          return setTimeout(() => response.destroy(), 50);
        }
        if (earlier === 3) return response.end('{"line":2,"status":201}\n');
        if (earlier === 4) return response.writeHead(429, { 'Retry-After': '1' }).end();
        return importing((row, again) => {
          if (row['externalSaleId'] !== 'o-1') return 201;
          return again === 5 ? 503 : 201;
        })(request, response, earlier);
      };
      const { code, out, errors } = await run('import', write('sales.csv', csvOf(3)));
      expect([code, out.split('\n')[0]], errors).to.deep.equal([0, 'Registradas agora: 3']);
      expect(seen).to.deep.equal([3, 3, 3, 3, 3, 3, 1]);
      expect(errors).to.include('O serviço está indisponível (503). Nova tentativa em 0 s.');
      expect(errors).to.include('O serviço está indisponível (429). Nova tentativa em 1 s.');
      expect(errors).to.include('O serviço não pôde registrar algumas linhas agora.');
      expect(service.to(TOKEN)).to.have.length(2);
    });

    it('gives up in the end, and says what to do; the next run leaves a complete result', async () => {
      service.answer = importing((row) => (row['externalSaleId'] === 'o-2100' ? 503 : 201));
      const path = write('sales.csv', csvOf(2_200));
      const { code, errors } = await run('import', path, '--patience', '2');
      expect(code).to.equal(2);
      const unfinished = 'sales.resultado.csv.part';
      expect(errors).to.include(
        `2000 linhas foram respondidas antes disso, e estão em ${join(folder, unfinished)}.`,
      );
      expect(errors).to.include('nenhuma venda é registrada duas vezes');
      expect(results(unfinished)).to.have.length(2_000);
      expect(existsSync(join(folder, 'sales.resultado.csv'))).to.equal(false);

      service.answer = importing((_, earlier) => (earlier === 0 ? 200 : 201));
      service.requests.length = 0;
      expect((await run('import', path)).code).to.equal(0);
      const rows = results('sales.resultado.csv');
      expect(rows.map(({ linha }) => Number(linha))).to.deep.equal(
        Array.from({ length: 2_200 }, (_, at) => at + 2),
      );
      expect([rows[0]?.['resultado'], rows[2_199]?.['resultado']]).to.deep.equal([
        'já registrada',
        'registrada',
      ]);
      expect(existsSync(join(folder, unfinished))).to.equal(false);
    });

    it('shows in the result what each line became, and no formula', async () => {
      const url = 'https://pay.test/1';
      const sold = {
        transaction_id: 7,
        ticket: 'T7',
        sale_status: 'awaiting_payment',
        total: 90.24,
      };
      const email = ['O e-mail falta.'];
      const answers = [
        { line: 2, status: 201, external_sale_id: '=1+1', ...sold, payment_url: url },
        { line: 3, status: 200, external_sale_id: 'b', ...sold, policy_no: 'P-1' },
        {
          ...{
            line: 5,
            status: 422,
            external_sale_id: 'c',
            response: 'Há erros.',
            code: 'validation_failed',
          },
          errors: { 'insured.email': email, total: ['O total é outro.', '@x não serve.'] },
          error_codes: { 'insured.email': ['required'], total: ['contradicts', 'invalid_format'] },
        },
        {
          line: 6,
          status: 409,
          external_sale_id: 'd',
          response: 'Outra venda tem este nome.',
          code: 'sale_conflict',
        },
      ];
      service.answer = (_, response) =>
        response.end(
          `${[...answers, { summary: {} }].map((each) => JSON.stringify(each)).join('\n')}\n`,
        );
      const path = write('sales.csv', 'externalSaleId;x\n=1+1;1\nb;"a\nb"\n\nc;1\nd;1\n');
      expect((await run('import', path)).code).to.equal(1);
      const text = read('sales.resultado.csv');
      expect(text.startsWith('\uFEFFlinha;resultado;')).to.equal(true);
      const none = {
        transacao: '',
        ticket: '',
        status: '',
        total: '',
        link_de_pagamento: '',
        apolice: '',
      };
      const known = { transacao: '7', ticket: 'T7', status: 'awaiting_payment', total: '90,24' };
      const well = { ...none, ...known, codigos: '', motivos: '' };
      expect(results('sales.resultado.csv')).to.deep.equal([
        { linha: '2', resultado: 'registrada', venda: "'=1+1", ...well, link_de_pagamento: url },
        { linha: '3', resultado: 'já registrada', venda: 'b', ...well, apolice: 'P-1' },
        {
          ...{ linha: '6', resultado: 'recusada', venda: 'c', ...none },
          codigos: 'insured.email: required | total: contradicts, invalid_format',
          motivos: 'O e-mail falta. O total é outro. @x não serve.',
        },
        {
          ...{ linha: '7', resultado: 'recusada', venda: 'd', ...none },
          ...{ codigos: 'sale_conflict', motivos: 'Outra venda tem este nome.' },
        },
      ]);
    });

    it('replaces no file but a result that --out names', async () => {
      service.answer = importing(() => 201);
      const path = write('sales.csv', csvOf(1));
      const kept = write('sales.resultado.csv', 'mine');
      const second = await run('import', path);
      expect(second.out).to.include('sales.resultado-2.csv.');
      expect(read('sales.resultado.csv')).to.equal('mine');

      service.requests.length = 0;
      const refused = await run('import', path, '--out', kept);
      expect([refused.code, refused.errors]).to.deep.equal([
        2,
        `${kept} não é um resultado de importação: escolha outro --out.\n`,
      ]);
      expect(service.to(IMPORT)).to.deep.equal([]);
      const again = await run(
        'import',
        write('two.csv', csvOf(2)),
        '--out',
        second.out.match(/está em (.*)\.\n/)?.[1] ?? '',
      );
      expect(again.code, again.errors).to.equal(0);
      expect(results('sales.resultado-2.csv')).to.have.length(2);

      const away = await run('import', path, '--out', join(folder, 'none', 'x.csv'));
      expect(away.errors).to.match(/^Não foi possível criar .*x\.csv\.part \(ENOENT\): escolha/);
    });

    it('ends the progress of a file without sales, which would keep the terminal', async () => {
      const stops: string[] = [];
      const progress = { update: () => {}, stop: () => void stops.push('stopped') };
      const file = await findListFile(write('empty.csv', ''));
      const choices = { isDryRun: false, out: undefined };
      await expectError(importFile({} as SalesService, file, progress, choices));
      expect(stops).to.deep.equal(['stopped']);
    });

    it('leaves no result if the service refuses the whole file, and does not advise to repeat', async () => {
      service.answer = (_, response) =>
        response.writeHead(400).end('{"response":"Faltam colunas: payment.status."}');
      const { code, errors } = await run('import', write('sales.csv', csvOf(1)));
      expect([code, errors]).to.deep.equal([
        2,
        'O serviço recusou o pedido (400): Faltam colunas: payment.status.\n',
      ]);
      expect(readdirSync(folder)).to.deep.equal(['sales.csv']);
    });

    it('takes quotes that do not close for an error of some lines, not of the file', async () => {
      service.answer = (request, response) => {
        const lines = request.body.trim().split('\n');
        for (let line = 2; line <= lines.length; line += 1) {
          const status = lines[line - 1]?.startsWith('a') ? 422 : 201;
          const said = { line, status, response: 'As aspas da linha não combinam.' };
          response.write(`${JSON.stringify(said)}\n`);
        }
        response.end('{"summary":{}}\n');
      };
      const path = write('sales.csv', 'externalSaleId,email\na,"x\nb,y\nc,z\n');
      const { code, out } = await run('import', path);
      expect([code, out.split('\n')[2]]).to.deep.equal([1, 'Recusadas: 1']);
      expect(read('sales.recusadas.csv')).to.include('a,"x\nb,y\nc,z');
    });
  });

  describe('import of a spreadsheet', () => {
    it('sends what Excel writes in UTF-8, without the line that names the separator', async () => {
      service.answer = importing(() => 201);
      const text = 'sep=;\rexternalSaleId;insured.name\rum;Jos\u00E9 D\u0092\u00C1vila\r';
      const path = write('excel.csv', Buffer.from(text, 'latin1'));
      const { code, out } = await run('import', path, '--dry-run');
      expect(code).to.equal(0);
      expect(out).to.match(
        /^Nada foi registrado\. Seriam registradas: 1\nJá registradas antes: 0\nRecusadas: 0\n/,
      );
      expect(results('excel.resultado.csv')[0]).to.include({
        ...{ linha: '3', resultado: 'seria registrada', venda: 'um' },
      });
      const [sent] = service.to(IMPORT) as [StandInRequest];
      expect(sent.path).to.equal(`${IMPORT}?dry_run=true`);
      expect(sent.body).to.equal('externalSaleId;insured.name\num;José D’Ávila\n');
    });
  });

  describe('reconcile', () => {
    const RECONCILIATION = '/api/private/integration/reconciliation';
    const period = ['--from', '2026-11-01', '--to', '2026-11-30'];
    const counted = (count: number) => ({ count, total: count });
    const last = (count: number, final = true): string =>
      JSON.stringify({
        ...{ channelLink: 'loja', from: '2026-11-01', to: '2026-11-30', final },
        summary: {
          statement: {
            sales: { lines: 2, total: 64.22 },
            refunds: { lines: 0, total: 0 },
          },
          list: { lines: 3, total: 96.33 },
          unpaid: { lines: 0, total: 0 },
          differences: {
            missing_here: counted(count),
            missing_there: counted(0),
            amount_differs: counted(0),
            status_differs: counted(0),
          },
          difference: 32.11,
        },
      });
    const difference = {
      kind: 'missing_here',
      name: '=order',
      reason: 'other_period',
      here: { ticket: 'T', total: 32.11, status: 'paid', booked_on: '2026-10-31' },
      there: { line: 4, total: 32.5, status: null },
      message: 'A venda está no extrato de 2026-10-31, fora deste período.',
    };

    it('ends with its own code if its output is closed', async () => {
      service.answer = (_, response) => response.end(`${last(0)}\n`);
      const list = write('list.csv', 'externalSaleId,total\na,32.11\n');
      const piped = new PartnerProcess(['reconcile', list, ...period], environment);
      piped.closeOutput();
      expect(await piped.ended()).to.include({ code: 0, errors: '' });
    });

    it('writes the differences for a spreadsheet, and ends with 1', async () => {
      service.answer = (_, response, earlier) => {
        if (earlier > 0) return response.end(`${JSON.stringify(difference)}\n${last(1)}\n`);
        // The first answer breaks off.
        return response.end(`${JSON.stringify(difference)}\n`);
      };
      const list = 'externalSaleId,total\na,32.11\n';
      const { code, out } = await run('reconcile', write('list.csv', list), ...period);
      expect(code).to.equal(1);
      expect(out).to.include('Extrato: 2 vendas, R$ 64,22\nLista: 3 vendas, R$ 96,33\n');
      expect(out).to.include('Na lista e não no extrato: 1\n');
      const [, sent] = service.to(RECONCILIATION) as [unknown, StandInRequest];
      expect([sent.path, sent.body]).to.deep.equal([
        `${RECONCILIATION}?from=2026-11-01&to=2026-11-30`,
        list,
      ]);
      const text = read('list.diferencas.csv');
      expect(text.startsWith('\uFEFF')).to.equal(true);
      expect(parse(text, { columns: true, delimiter: ';', bom: true })).to.deep.equal([
        {
          diferenca: 'na lista e não no extrato',
          motivo: 'outro período',
          venda: "'=order",
          ticket: 'T',
          linha: '4',
          total_extrato: '32,11',
          total_lista: '32,50',
          status_extrato: 'paid',
          status_lista: '',
          dia_extrato: '2026-10-31',
          explicacao: difference.message,
        },
      ]);
      expect(existsSync(join(folder, 'list.diferencas.csv.part'))).to.equal(false);
    });

    it('ends with 0 without differences, and says if the period is still open', async () => {
      service.answer = (_, response) => response.end(`${last(0, false)}\n`);
      const path = write('list.ndjson', '{"externalSaleId":"a","total":1}\n');
      const { code, out } = await run('reconcile', path, ...period, '--out', join(folder, 'x.csv'));
      expect([code, out.includes('não está fechado')]).to.deep.equal([0, true]);
      expect(service.to(RECONCILIATION)[0]?.headers['content-type']).to.equal(
        'application/x-ndjson',
      );
      expect(parse(read('x.csv'), { delimiter: ';' })).to.have.length(1);
    });

    it('shows each fault of the list once, with its lines, and at most 20', async () => {
      const faults = (each: (index: number) => readonly [string, readonly string[]]): void => {
        service.answer = (_, response) => {
          const errors = Object.fromEntries(Array.from({ length: 25 }, (_each, at) => each(at)));
          response.statusCode = 422;
          response.end(JSON.stringify({ response: 'A lista tem erros.', errors }));
        };
      };
      const list = write('list.csv', 'x');
      faults((index) => [`${index + 2}.total`, ['Valor errado.']]);
      const same = await run('reconcile', list, ...period);
      expect([same.code, same.errors]).to.deep.equal([
        2,
        'O serviço recusou o pedido (422): A lista tem erros.\n' +
          '  total: Valor errado. (linhas 2, 3, 4, 5, 6 e mais 20)\n',
      ]);
      faults((index) => [`${index + 2}`, [`A linha ${index + 2} não é um JSON válido.`]]);
      const { errors } = await run('reconcile', list, ...period);
      expect(errors).to.include('  A linha 2 não é um JSON válido. (linha 2)\n');
      expect(errors).to.match(/ {2}… e mais 5\.\n$/);
    });

    it('says in one line that the sales of a list have other fields, and sends nothing', async () => {
      const path = write('list.ndjson', '{"pedido":"a","total":1}\n{"pedido":"b","total":1}\n');
      const { code, errors } = await run('reconcile', path, ...period);
      expect([code, errors]).to.deep.equal([
        2,
        'Cada venda da lista precisa de externalSaleId e total. Falta externalSaleId; há pedido, total.\n',
      ]);
      expect(service.requests).to.deep.equal([]);
    });

    it('says that a list looks incomplete if it lacks most sales, and advises to cancel none', async () => {
      const lacking = { ...difference, kind: 'missing_there', reason: null, there: null };
      const message = 'Procure o pedido dela antes de mudar qualquer coisa.';
      const runLacking = async (count: number) => {
        const summed = JSON.parse(last(0));
        summed.summary.statement.sales.lines = 500;
        summed.summary.differences.missing_there = counted(count);
        service.answer = (_, response) =>
          response.end(`${JSON.stringify({ ...lacking, message })}\n${JSON.stringify(summed)}\n`);
        const list = write('list.csv', 'externalSaleId,total\na,32.11\n');
        return (await run('reconcile', list, ...period)).out;
      };
      expect(await runLacking(251)).to.include(
        'Atenção: a lista parece incompleta, faltam nela 251 das 500 vendas do extrato.\n' +
          'Confira o arquivo e os dias. Não cancele vendas por causa desta lista.\n',
      );
      expect(await runLacking(250)).not.to.include('incompleta');
      expect(read('list.diferencas.csv'))
        .to.include('Procure o pedido dela')
        .and.not.match(/cancel/i);
    });
  });

  describe('statement', () => {
    const STATEMENT = '/api/private/integration/statement';

    it('saves the file that the service sends', async () => {
      const sheet = Buffer.from([0x50, 0x4b, 0, 0xff]);
      service.answer = (_, response) => response.end(sheet);
      const out = join(folder, 'month.xlsx');
      const { code } = await run('statement', '2026-11', '--out', out);
      expect(code).to.equal(0);
      expect(readFileSync(out)).to.deep.equal(sheet);
      const csv = ['--format', 'csv', '--locale', 'pt-BR'];
      await run('statement', '2026-11', ...csv, '--out', out);
      await run('statement', '2026-11', '--out', join(folder, 'month.CSV'));
      expect(service.to(STATEMENT).map(({ path }) => path)).to.deep.equal([
        `${STATEMENT}?month=2026-11&format=xlsx`,
        `${STATEMENT}?month=2026-11&format=csv&locale=pt-BR`,
        `${STATEMENT}?month=2026-11&format=csv`,
      ]);
    });

    it('keeps the earlier file if an answer breaks off', async () => {
      service.answer = (_, response) => {
        response.write('half');
        setTimeout(() => response.destroy(), 20);
      };
      const out = write('month.csv', 'earlier');
      const { code, errors } = await run(
        ...['statement', '2026-11', '--format', 'csv', '--out', out, '--patience', '1'],
      );
      expect([code, read('month.csv')]).to.deep.equal([2, 'earlier']);
      expect(errors).to.include('Desisti depois de');
    });
  });

  describe('says what is missing or wrong, and ends with 2', () => {
    const failureOf = async (
      args: readonly string[],
      over: Readonly<Record<string, string>> = {},
    ): Promise<string> => {
      const { code, errors } = await runPartner(args, { ...environment, ...over });
      expect(code).to.equal(2);
      return errors;
    };

    it('with the call', async () => {
      expect(await failureOf(['import'])).to.include('falta um argumento: arquivo');
      expect(await failureOf(['import', 'x', '--secret', 'y'])).to.include(
        'a opção não existe: --secret',
      );
      expect(await failureOf(['sell'])).to.equal('o comando não existe: sell\nVeja --help.\n');
      expect(await failureOf(['imprt'])).to.include('o comando não existe: imprt. Seria import?');
      expect(await failureOf(['import', 'x', '--urk', 'y'])).to.include(': --urk. Seria --url?');
      expect(await failureOf(['reconcile', 'x', '--from', '2026-11-01'])).to.include(
        'falta uma opção obrigatória: --to',
      );
      expect(await failureOf(['statement', 'novembro'])).to.include('como 2026-11.');
      expect(await failureOf(['statement', '2026-11', '--format', 'pdf'])).to.include(
        'deve ser um destes: xlsx, csv, json.',
      );
      expect(await failureOf([])).to.include('Comandos:');
      const help = await run('reconcile', '--help');
      expect([help.code, help.out.startsWith('Uso: ')]).to.deep.equal([0, true]);
    });

    it('with the environment', async () => {
      expect(await failureOf(['statement', '2026-11'], { SALES_URL: '', CLIENT_ID: '' })).to.equal(
        'Falta --url ou a variável SALES_URL, a variável CLIENT_ID.\n',
      );
      expect(await failureOf(['statement', '2026-11', '--url', 'ftp://x'])).to.include('https://');
      expect(await failureOf(['statement', '2026-11'], { CLIENT_SECRET: 'wrong' })).to.equal(
        'O serviço recusou as credenciais: confira CLIENT_ID e CLIENT_SECRET.\n',
      );
    });

    it('with the file', async () => {
      expect(await failureOf(['import', join(folder, 'none.csv')])).to.match(
        /none\.csv não existe/,
      );
      expect(await failureOf(['import', folder])).to.include('é uma pasta');
      expect(await failureOf(['import', write('empty.csv', '')])).to.include('está vazio');
      expect(await failureOf(['import', write('list.json', '[{"a":1}]')])).to.include('NDJSON');
      const header = write('header.csv', 'externalSaleId\n');
      expect(await failureOf(['import', header])).to.include('não tem vendas');
      const long = write('long.ndjson', `{}\n{"a":"${'x'.repeat(1_100_000)}"}\n`);
      expect(await failureOf(['import', long])).to.include('A linha 2 tem mais de 1048576 bytes');
      const sheet = write('sales.xlsx', 'PK\u0003\u0004…');
      expect(await failureOf(['import', sheet])).to.include('sales.xlsx é uma planilha: salve-a');
    });

    it('with the service', async () => {
      service.answer = (_, response) => response.writeHead(404).end('<html>');
      expect(await failureOf(['statement', '2026-11'])).to.include('confira o endereço');
      const closed = new StandInService();
      const { SALES_URL: url = '' } = await closed.start();
      await closed.stop();
      const away = ['--url', url, '--patience', '0'];
      expect(await failureOf(['statement', '2026-11', ...away])).to.include('ECONNREFUSED');
    });
  });
});
