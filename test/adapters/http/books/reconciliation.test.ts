import { expect } from 'chai';
import { cents } from '#domain';
import { Unavailable } from '../../../../application/unavailable.ts';
import { type Answer, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';

const PATH = '/private/integration/reconciliation';
const NOVEMBER = '?from=2026-11-01&to=2026-11-30';
const CSV = { 'Content-Type': 'text/csv' };
const NDJSON = { 'Content-Type': 'application/x-ndjson' };

// 89.90 net, IOF 0.38 %.
const TOTAL = '90.24';

type Found = Record<string, unknown> & { readonly kind: string; readonly name: string };

const outline = ({ body }: Answer): readonly string[] =>
  body.data.differences.map(({ kind, name, reason }: Found) =>
    [kind, name, ...(reason === null ? [] : [reason])].join(' '),
  );

describe('the reconciliation of a channel', () => {
  withApi((api) => {
    let partner: { Authorization: string };
    let ticket = '';
    const inDays = (days: number): void => api().memory.clock.advance(days * 86_400);

    before(async () => {
      await api().channel('loja');
      partner = await api().bearer('loja');
      const sell = async (externalSaleId: string, over: object = {}): Promise<void> => {
        await api().post(SALE, saleOrder({ externalSaleId, ...over }), partner);
      };
      for (const name of ['a', 'b', 'c']) await sell(name);
      await sell('unpaid', { payment: { status: 'pending', method: 'pix' } });
      const made = await api().post(CREATE, mainBody({ channelLink: 'loja' }), {
        ...partner,
        'Idempotency-Key': 'order-9',
      });
      ticket = made.body.data.ticket;
      await api().post(`${SALE}/c/cancel`, {}, partner);
      inDays(12);
      partner = await api().bearer('loja');
      await sell('december');
      await api().post(`${SALE}/b/cancel`, {}, partner);
    });

    const list = (...lines: readonly string[]): string =>
      ['externalSaleId,total,status', ...lines].join('\r\n');
    const agreeing = (): readonly string[] => [
      `a,${TOTAL},paid`,
      `b,${TOTAL},cancelled`,
      `c,${TOTAL},cancelled`,
      `${ticket},202.52,`,
    ];
    const reconcile = (
      body: string,
      headers: Record<string, string> = CSV,
      query = NOVEMBER,
    ): Promise<Answer> => api().post(`${PATH}${query}`, body, { ...partner, ...headers });

    it('finds no difference in the right list, with the sums of the statement', async () => {
      const { status, body } = await reconcile(list(...agreeing()));
      expect(status).to.equal(200);
      expect(body.data).to.deep.include({ channelLink: 'loja', from: '2026-11-01' });
      expect(body.data).to.deep.include({ to: '2026-11-30', final: true, differences: [] });

      const admin = await api().bearer(null);
      const path = '/admin/channels/loja/statement?month=2026-11';
      const { totals } = (await api().get(path, admin)).body.response.data;
      const { statement, list: listed, difference } = body.data.summary;
      expect(statement).to.deep.equal({
        sales: { lines: totals.sales.lines, total: totals.sales.total },
        refunds: { lines: totals.refunds.lines, total: totals.refunds.total },
      });
      expect(statement.sales.lines).to.equal(4);
      expect([listed, difference]).to.deep.equal([statement.sales, 0]);
    });

    it('tells every difference, what each side has, and what to do', async () => {
      const answer = await reconcile(
        list(
          'a,90.25,paid',
          `b,${TOTAL},paid`,
          `${ticket},202.52,`,
          'typo,10.00,',
          `unpaid,${TOTAL},`,
          `december,${TOTAL},`,
          'a,90.24,',
        ),
      );
      expect(outline(answer)).to.deep.equal([
        'amount_differs a',
        'status_differs b',
        'missing_there c',
        'missing_here typo unknown',
        'missing_here unpaid not_paid',
        'missing_here december other_period',
        'missing_here a repeated',
      ]);
      const [amount, , there, unknown, unpaid, december, repeated] = answer.body.data.differences;
      expect(amount.here).to.deep.include({ external_sale_id: 'a', total: 90.24, status: 'paid' });
      expect(amount.here).to.deep.include({ booked_on: '2026-11-20' });
      expect(amount.there).to.deep.equal({ line: 2, total: 90.25, status: 'paid' });
      expect(amount.message).to.equal('O total é R$ 90,24 no extrato e R$ 90,25 na sua lista.');
      expect(there).to.deep.include({ there: null, reason: null });
      expect(unknown).to.deep.include({ here: null });
      expect(unpaid.here).to.deep.include({ status: 'awaiting_payment', booked_on: null });
      expect(december.here).to.deep.include({ booked_on: '2026-12-02' });
      expect(repeated.message).to.equal('A mesma venda já está na linha 2 da sua lista.');
      expect(answer.body.data.summary).to.deep.equal({
        statement: {
          sales: { lines: 4, total: 473.24 },
          refunds: { lines: 1, total: -90.24 },
        },
        list: { lines: 7, total: 663.73 },
        unpaid: { lines: 0, total: 0 },
        differences: {
          missing_here: { count: 4, total: 280.72 },
          missing_there: { count: 1, total: 90.24 },
          amount_differs: { count: 1, total: 0.01 },
          status_differs: { count: 1, total: 0 },
        },
        difference: 190.49,
      });
    });

    it('knows a sale by its ticket, not by its Idempotency-Key, and says where to search', async () => {
      const answer = await reconcile(list(...agreeing().slice(0, 3), 'order-9,202.52,'));
      expect(outline(answer)).to.deep.equal([
        `missing_there ${ticket}`,
        'missing_here order-9 unknown',
      ]);
      const [, unknown] = answer.body.data.differences;
      expect(unknown.message).to.include('Procure o pedido por idempotency_key na lista de vendas');

      const sales = await api().get('/private/integration/sales?limit=200', partner);
      const found = sales.body.data.find((each: Found) => each['idempotency_key'] === 'order-9');
      expect(found.ticket).to.equal(ticket);
    });

    it('takes the same list as NDJSON, with semicolons, and without statuses', async () => {
      const asJson = agreeing().map((line) => {
        const [externalSaleId, total, status] = line.split(',');
        return JSON.stringify({ externalSaleId, total: Number(total), status: status || null });
      });
      const withSemicolons = [
        '\uFEFFexternalSaleId;total',
        ...agreeing().map((line) => line.split(',').slice(0, 2).join(';').replace('.', ',')),
      ];
      for (const [body, headers] of [
        [asJson.join('\n'), NDJSON],
        [asJson.join('\n').replaceAll(/"total":([\d.]+)/g, '"total":"$1"'), NDJSON],
        [withSemicolons.join('\n'), CSV],
      ] as const) {
        const answer = await reconcile(body, headers);
        expect(answer.status, body).to.equal(200);
        expect(outline(answer), body).to.deep.equal([]);
      }
    });

    it('answers line by line where the caller prefers that', async () => {
      const response = await fetch(`${api().url}/api${PATH}${NOVEMBER}`, {
        method: 'POST',
        headers: { ...partner, ...CSV, Accept: 'application/x-ndjson' },
        body: list('a,90.24,paid', 'typo,1,'),
      });
      expect(response.headers.get('Content-Type')).to.equal('application/x-ndjson');
      const lines = (await response.text()).trim().split('\n');
      const { body } = await reconcile(list('a,90.24,paid', 'typo,1,'));
      const { differences, ...rest } = body.data;
      expect(lines.map((line) => JSON.parse(line))).to.deep.equal([...differences, rest]);
    });

    it('knows a name as the statement guards it against spreadsheets', async () => {
      const answer = await reconcile("externalSaleId,total\n'=a,1");
      expect(outline(answer)).to.include('missing_here =a unknown');
      const asJson = await reconcile(`{"externalSaleId":"'=a","total":1}`, NDJSON);
      expect(outline(asJson)).to.include("missing_here '=a unknown");
    });

    it('compares with nothing, if the list is empty', async () => {
      for (const [body, headers] of [
        [list(), CSV],
        ['', NDJSON],
      ] as const)
        expect(outline(await reconcile(body, headers))).to.deep.equal([
          ...['a', 'b', 'c', ticket].map((name) => `missing_there ${name}`),
        ]);
    });

    it('names every fault of every line, compares nothing, and counts the rest', async () => {
      const answer = await reconcile(
        list('a,90.24,paid', 'b,1e3,Paid', ',10,', 'c,-1,', 'd,1,paid,x', '"e,1,'),
      );
      expect([answer.status, answer.body.code]).to.deep.equal([422, 'validation_failed']);
      expect(answer.body.error_codes).to.deep.equal({
        '3.total': ['invalid_format'],
        '3.status': ['not_offered'],
        '4.externalSaleId': ['required'],
        '5.total': ['invalid_format'],
        6: ['invalid_format'],
        7: ['invalid_format'],
      });
      expect(answer.body.faulty_lines).to.equal(5);
      expect(answer.body.errors['3.status'][0]).to.include('awaiting_payment, paid, issued');

      const spoilt = await reconcile(list('#N/D,90.24,', 'b,#VALOR!,', 'c,####,#REF!'));
      expect(spoilt.body.error_codes).to.deep.equal({
        '2.externalSaleId': ['invalid_format'],
        '3.total': ['invalid_format'],
        '4.total': ['invalid_format'],
        '4.status': ['invalid_format'],
      });
      expect(spoilt.body.errors['2.externalSaleId'][0]).to.include('erro da planilha');

      const wrong = Array.from({ length: 300 }, (_, index) => `x${index},y,z`);
      const many = await reconcile(list(...wrong));
      expect(Object.keys(many.body.errors)).to.have.length(100);
      expect(many.body.faulty_lines).to.equal(300);
      expect(many.body.response).to.include('300 linhas');
    });

    it('refuses fields that it does not know', async () => {
      for (const file of [
        'externalSaleId,total,estado\na,1,paid',
        'externalSaleId,totala,1,paid',
      ]) {
        const { status, body } = await reconcile(file);
        expect([status, body.code], file).to.deep.equal([400, 'invalid_csv']);
        expect(body.response).to.include('Colunas desconhecidas: ');
      }
      const halved = await reconcile('externalSaleId;status\r\n');
      expect(halved.body.response).to.include('Faltam colunas: total.');
      const wrong = await reconcile('{"externalSaleId":7,"total":true}', NDJSON);
      expect(wrong.body.error_codes).to.deep.equal({
        '1.externalSaleId': ['invalid_type'],
        '1.total': ['invalid_type'],
      });
    });

    it('needs a period of at most 366 days', async () => {
      const codesFor = async (query: string): Promise<unknown> => {
        const { status, body } = await reconcile(list(), CSV, query);
        return status === 200 ? 200 : body.error_codes;
      };
      expect(await codesFor('')).to.deep.equal({ from: ['required'], to: ['required'] });
      expect(await codesFor('?from=2026-11-31&to=x&month=1')).to.deep.equal({
        from: ['invalid_format'],
        to: ['invalid_format'],
        month: ['unknown'],
      });
      expect(await codesFor('?from=2026-11-02&to=2026-11-01')).to.deep.equal({
        to: ['wrong_order'],
      });
      expect(await codesFor('?from=2026-01-01&to=2027-01-02')).to.deep.equal({
        to: ['out_of_range'],
      });
      expect(await codesFor('?from=2026-01-01&to=2027-01-01')).to.equal(200);
      expect(await codesFor('?from=2026-11-20&to=2026-11-20')).to.equal(200);
    });

    it('holds 100,000 lines, and refuses one more', async () => {
      const names = Array.from({ length: 100_000 }, (_, index) => `unknown-${index},1.00,`);
      const { body } = await reconcile(list(...names));
      expect(body.data.summary.differences.missing_here).to.deep.equal({
        count: 100_000,
        total: 100_000,
      });
      const { status, body: refused } = await reconcile(list(...names, 'x,1,'));
      expect([status, refused.code]).to.deep.equal([413, 'body_too_large']);
      expect(refused.response).to.include('períodos mais curtos');
    });

    it('takes a token or HTTP Basic, and no other credentials', async () => {
      const { client_id, client_secret } = await api().client('loja');
      const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
      const statusWith = async (headers: Record<string, string>): Promise<unknown> => {
        const all = { ...CSV, ...headers };
        const { status, headers: answered } = await api().post(`${PATH}${NOVEMBER}`, list(), all);
        return status === 200 ? 200 : answered.get('X-Error-Code');
      };
      expect(await statusWith({ Authorization: `Basic ${basic}` })).to.equal(200);
      expect(await statusWith({ Authorization: 'Basic eDp5' })).to.equal('invalid_client');
      expect(await statusWith({})).to.equal('unauthenticated');
      expect(await statusWith(await api().bearer(null))).to.equal('insufficient_scope');
      expect(await statusWith({ ...partner, 'Content-Type': 'application/json' })).to.equal(
        'unsupported_media_type',
      );
    });

    it('answers 503 if the books cannot be read', async () => {
      const { sales } = api().memory;
      const { booked } = sales;
      const next = () => Promise.reject(new Unavailable('the database is away'));
      sales.booked = () => ({ [Symbol.asyncIterator]: () => ({ next }) });
      try {
        const { status, headers } = await reconcile(list());
        expect([status, headers.get('Retry-After')]).to.deep.equal([503, '2']);
      } finally {
        sales.booked = booked;
      }
    });

    it('runs twice at the same time for a client, and again when one has ended', async () => {
      const { sales } = api().memory;
      const { booked } = sales;
      const waiting: (() => void)[] = [];
      sales.booked = async function* held() {
        await new Promise<void>((resolve) => waiting.push(resolve));
      };
      try {
        const running = [reconcile(list()), reconcile(list())];
        while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
        const third = await reconcile(list());
        expect([third.status, third.body.code]).to.deep.equal([429, 'rate_limited']);
        expect(third.headers.get('Retry-After')).to.equal('10');
        for (const release of waiting) release();
        expect((await Promise.all(running)).map(({ status }) => status)).to.deep.equal([200, 200]);
      } finally {
        sales.booked = booked;
      }
      expect((await reconcile(list())).status).to.equal(200);
    });

    it('adds up exactly beyond the largest safe integer', async () => {
      const most = cents(10_000_000_000_000);
      const lines = Array.from({ length: 1_000 }, (_, index) => `big-${index},100000000000.00,`);
      const response = await fetch(`${api().url}/api${PATH}${NOVEMBER}`, {
        method: 'POST',
        headers: { ...partner, ...CSV },
        body: list(...lines),
      });
      const sum = (BigInt(most) * 1_000n) / 100n;
      expect(await response.text()).to.include(`"missing_here":{"count":1000,"total":${sum}.00}`);
    });
  });
});
