import { expect } from 'chai';
import { Api, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';

const COPY = '/seguros/ingresso-protegido/segunda-via';
const SENT = {
  success: true,
  message: 'A segunda via do bilhete foi enviada para o e-mail cadastrado na transação.',
};

describe('POST /seguros/ingresso-protegido/segunda-via', () => {
  withApi((api) => {
    let headers: { Authorization: string };
    before(async () => {
      headers = await api().bearer();
    });
    const sell = async (over: object = {}): Promise<{ transaction_id: number; ticket: string }> =>
      (await api().post(CREATE, mainBody(over as never), headers)).body.data;
    const copy = (body: unknown, more: object = {}) =>
      api().post(COPY, body, { ...headers, ...more });

    it('mails the certificate to the address on the transaction', async () => {
      const { transaction_id } = await sell({ email: 'copia@example.com' });
      await api().memory.runJobs();
      const answer = await copy({ transaction_id, extra: 'ignored' });
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal(SENT);
      await api().memory.runJobs();
      const mails = api().memory.mailer.sent.filter(({ to }) => to === 'copia@example.com');
      expect(mails.map(({ occasion }) => occasion)).to.deep.equal(['issue', 'second_copy']);
    });

    it('answers 404 for an unknown transaction, another channel’s, and another product’s', async () => {
      await api().channel('outro');
      const theirs = await api().bearer('outro');
      const other = (await api().post(CREATE, mainBody({ channelLink: 'outro' }), theirs)).body
        .data;
      const honeymoon = (await api().post(SALE, saleOrder(), headers)).body.data;
      const answers = await Promise.all(
        [999_999, other.transaction_id, honeymoon.transaction_id].map((id) =>
          copy({ transaction_id: id }),
        ),
      );
      for (const answer of answers) {
        expect(answer.status).to.equal(404);
        expect(answer.body).to.deep.equal({
          success: false,
          response: 'Transação não encontrada.',
          status_code: '404',
          code: 'not_found',
        });
      }
    });

    it('answers 409 for a cancelled or unpaid transaction', async () => {
      const { transaction_id, ticket } = await sell();
      await api().post(`${SALE}/${ticket}/cancel`, {}, headers);
      const cancelled = await copy({ transaction_id });
      expect(cancelled.status).to.equal(409);
      expect(cancelled.body.response).to.equal(
        'A transação foi cancelada; não há bilhete a enviar.',
      );
      const order = {
        externalSaleId: 'unpaid',
        product: { code: 'INGRESSO' },
        payment: { status: 'pending', method: 'pix' },
        amounts: { insuredAmount: 100 },
      };
      const sold = await api().post(
        SALE,
        saleOrder({ ...order, coverage: undefined, attributes: { eventDate: '2199-12-01' } }),
        headers,
      );
      expect(sold.status, JSON.stringify(sold.body)).to.equal(201);
      const unpaid = await copy({ transaction_id: sold.body.data.transaction_id });
      expect(unpaid.status).to.equal(409);
      expect(unpaid.body.response).to.equal('A transação não está paga; não há bilhete a enviar.');
    });

    it('answers 429 with Retry-After after three copies of a transaction within an hour', async () => {
      const { transaction_id } = await sell();
      for (let times = 0; times < 3; times += 1)
        expect((await copy({ transaction_id })).status).to.equal(200);
      const answer = await copy({ transaction_id });
      expect(answer.status).to.equal(429);
      expect(answer.headers.get('Retry-After')).to.equal('3600');
      expect(answer.body.response).to.match(
        /^São enviadas no máximo 3 segundas vias por transação e hora\./,
      );
      expect((await copy({ transaction_id: (await sell()).transaction_id })).status).to.equal(200);
    });

    it('mails one copy for one Idempotency-Key', async () => {
      const [one, two] = [await sell({ email: 'key@example.com' }), await sell()];
      const key = { 'Idempotency-Key': 'copy-1' };
      const answers = await Promise.all(
        [1, 2, 3, 4, 5].map(() => copy({ transaction_id: one.transaction_id }, key)),
      );
      for (const answer of answers) expect([answer.status, answer.body]).to.deep.equal([200, SENT]);
      expect(
        answers.filter((each) => each.headers.get('Idempotent-Replayed') === 'true'),
      ).to.have.length(4);
      const conflict = await copy({ transaction_id: two.transaction_id }, key);
      expect(conflict.status).to.equal(409);
      expect(conflict.body).to.deep.include({
        transaction_id: one.transaction_id,
        differences: [
          { path: 'transaction_id', stored: one.transaction_id, received: two.transaction_id },
        ],
      });
      await api().memory.runJobs();
      const copies = api().memory.mailer.sent.filter(
        ({ to, occasion }) => to === 'key@example.com' && occasion === 'second_copy',
      );
      expect(copies).to.have.length(1);
      expect(
        (await copy({ transaction_id: one.transaction_id }, { 'Idempotency-Key': '' })).status,
      ).to.equal(400);
    });

    it('copies any other product’s document through the generic sale, with each way to authenticate', async () => {
      const client = await api().client('canal-demo');
      const order = saleOrder({
        externalSaleId: 'copied',
        insured: { ...(saleOrder()['insured'] as object), email: 'trip@example.com' },
      });
      const { ticket } = (await api().post(SALE, order, headers)).body.data;
      const byName = await api().post(`${SALE}/copied/second-copy`, client);
      expect([byName.status, byName.body]).to.deep.equal([200, SENT]);
      expect((await api().post(`${SALE}/${ticket}/second-copy`, {}, headers)).status).to.equal(200);
      expect((await api().post(`${SALE}/${ticket}/second-copy`, '', headers)).status).to.equal(200);
      expect((await api().post(`${SALE}/copied/second-copy`, {}, headers)).status).to.equal(429);
      expect((await api().post(`${SALE}/nobody/second-copy`, {}, headers)).status).to.equal(404);
      expect(
        (await api().post(`${SALE}/copied/second-copy`, { to: 'x' }, headers)).status,
      ).to.equal(422);
      await api().memory.runJobs();
      expect(api().memory.mailer.sent.filter(({ to }) => to === 'trip@example.com')).to.have.length(
        4,
      );
    });

    const BAD: readonly unknown[] = [
      {},
      { transaction_id: '1' },
      { transaction_id: 0 },
      { transaction_id: 1.5 },
      { transaction_id: 1e16 },
      { transaction_id: null },
      { transaction_id: [1] },
    ];
    for (const body of BAD) {
      it(`answers 422 to ${JSON.stringify(body)}`, async () => {
        const answer = await copy(body);
        expect(answer.status).to.equal(422);
        expect(answer.body).to.deep.include({ success: false, status_code: '422' });
        expect(answer.body.errors.transaction_id).to.have.length(1);
      });
    }

    it('answers 401 without a token, 403 without the scope, 400 to a body that is not JSON', async () => {
      expect((await api().post(COPY, { transaction_id: 1 })).status).to.equal(401);
      expect(
        (await api().post(COPY, { transaction_id: 1 }, await api().bearer(null))).status,
      ).to.equal(403);
      expect((await copy('{')).status).to.equal(400);
    });
  });
});

describe('a document link', () => {
  withApi((api) => {
    let headers: { Authorization: string };
    let url: string;
    let ticket: string;
    before(async () => {
      headers = await api().bearer();
      ({ ticket } = (await api().post(CREATE, mainBody(), headers)).body.data);
      url = (await api().get(`${SALE}/${ticket}`, headers)).body.document_url;
    });

    it('opens the document without authentication, and forbids caching and indexing', async () => {
      const response = await fetch(url);
      expect(response.status).to.equal(200);
      const expected: Record<string, string> = {
        'Content-Type': 'application/pdf',
        'Content-Disposition': 'inline; filename="bilhete-B-000000001.pdf"',
        'Cache-Control': 'private, max-age=60',
        'X-Robots-Tag': 'noindex',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      };
      for (const [name, value] of Object.entries(expected))
        expect(response.headers.get(name), name).to.equal(value);
      expect(await response.text()).to.include('Maria da Silva');
      expect(url).not.to.match(/Maria|52998224725|maria/i);
      const head = await fetch(url, { method: 'HEAD' });
      expect([head.status, await head.text()]).to.deep.equal([200, '']);
    });

    it('answers 404 if altered, 410 once expired or the sale is cancelled; browsers get a page', async () => {
      const page = async (address: string) => {
        const response = await fetch(address, {
          headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
        });
        return {
          status: response.status,
          type: response.headers.get('Content-Type'),
          text: await response.text(),
          headers: response.headers,
        };
      };
      const forged = await page(`${url}9`);
      expect([forged.status, forged.type]).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect(forged.text).to.include('Documento não encontrado');
      expect(forged.headers.get('Content-Security-Policy')).to.match(
        /^default-src 'none'; style-src 'self' 'sha256-/,
      );
      expect(forged.headers.get('X-Robots-Tag')).to.equal('noindex');
      const asProgram = await fetch(`${url}9`);
      expect([
        asProgram.status,
        ((await asProgram.json()) as { status_code: string }).status_code,
      ]).to.deep.equal([404, '404']);
      api().memory.clock.advance(7 * 86_400);
      expect((await page(url)).status).to.equal(410);
      const again = (await api().get(`${SALE}/${ticket}`, await api().bearer())).body.document_url;
      expect((await page(again)).status).to.equal(200);
      await api().post(`${SALE}/${ticket}/cancel`, {}, await api().bearer());
      const ended = await page(again);
      expect([ended.status, ended.text.includes('Seguro cancelado')]).to.deep.equal([410, true]);
      expect(
        (await api().get(`${SALE}/${ticket}`, await api().bearer())).body.document_url,
      ).to.equal(null);
    });
  });
});

describe('/verify, in production', () => {
  withApi(
    (api) => {
      it('says nothing of tests', async () => {
        const { body } = await api().post(CREATE, mainBody(), await api().bearer());
        const address = `${api().url}/verify/${body.data.ticket}`;
        expect(await (await fetch(address)).json()).not.to.have.property('test');
        const page = await fetch(address, { headers: { Accept: 'text/html' } });
        expect(await page.text())
          .to.include('Documento autêntico')
          .and.not.include('TESTE');
      });
    },
    { environment: 'production' },
  );
});

describe('/verify', () => {
  withApi((api) => {
    const sell = async (over: object = {}) =>
      (await api().post(CREATE, mainBody(over as never), await api().bearer())).body.data;
    const html = { Accept: 'text/html' };

    it('confirms a genuine document, with only the initials of the insured', async () => {
      const { ticket } = await sell({
        nomeCompleto: 'Conceição <b>Araújo</b>',
        nomeSocial: undefined,
      });
      const response = await fetch(`${api().url}/verify/${ticket}`);
      expect(response.status).to.equal(200);
      expect(await response.json()).to.deep.equal({
        success: true,
        genuine: true,
        test: true,
        status: 'in_force',
        product: 'Ingresso Protegido',
        number: 'B-000000001',
        insured: 'C. <.',
        vigencia: { inicio: '2026-11-20', fim: '2026-12-31' },
        insurer: 'Seguradora Demonstração S.A.',
        susep_process: '15414.900001/2026-00',
      });
      const page = await (await fetch(`${api().url}/verify/${ticket}`, { headers: html })).text();
      expect(page)
        .to.include('TESTE – SEM VALOR')
        .and.include('Documento autêntico')
        .and.include('vigente')
        .and.include('das 0h de 20/11/2026 às 24h de 31/12/2026')
        .and.include('C. &lt;.');
      for (const personal of [
        'Conceição',
        'Araújo',
        '52998224725',
        '529.982',
        'example.com',
        'Flores',
      ])
        expect(page).not.to.include(personal);
    });

    it('shows the status: not started, ended, cancelled', async () => {
      const headers = await api().bearer();
      const { ticket } = (await api().post(SALE, saleOrder({ externalSaleId: 'x' }), headers)).body
        .data;
      const status = async () =>
        ((await (await fetch(`${api().url}/verify/${ticket}`)).json()) as { status: string })
          .status;
      expect(await status()).to.equal('to_begin');
      await api().post(`${SALE}/x/cancel`, {}, headers);
      expect(await status()).to.equal('cancelled');
      const page = await (await fetch(`${api().url}/verify/${ticket}`, { headers: html })).text();
      expect(page)
        .to.include('Seguro cancelado')
        .and.include('ele não vale mais')
        .and.include('Vigência contratada')
        .and.include('class="sheet bad"');
      expect(page).not.to.include('Documento autêntico');
    });

    it('answers an unknown code with 404 and no further data', async () => {
      for (const code of [
        'XYZ',
        '1',
        '0'.repeat(26),
        `${'A'.repeat(300)}`,
        '%3Cscript%3E',
        '..%2f..',
        '%00',
        '🎸',
      ]) {
        const response = await fetch(`${api().url}/verify/${code}`);
        expect(response.status, code).to.equal(404);
        expect(await response.json()).to.deep.include({
          success: false,
          genuine: false,
          response: 'Nenhum documento tem esse código.',
        });
      }
      const page = await fetch(`${api().url}/verify/XYZ`, { headers: html });
      expect(page.status).to.equal(404);
      expect(await page.text()).to.include('este não foi emitido por este serviço');
    });

    it('shows a form for the code, and accepts codes with blanks, lower case and similar letters', async () => {
      const ask = await fetch(`${api().url}/verify`, { headers: html });
      expect(await ask.text())
        .to.include('<form')
        .and.include('name="code"');
      const typed = '01m7y t3jah dr4ex injjc gwcz8 p'.replace('0', 'o');
      const sent = await fetch(`${api().url}/verify?code=${encodeURIComponent(typed)}`, {
        redirect: 'manual',
      });
      expect([sent.status, sent.headers.get('Location')]).to.deep.equal([
        303,
        '/verify/01M7YT3JAHDR4EX1NJJCGWCZ8P',
      ]);
      const odd = await fetch(
        `${api().url}/verify?code=${encodeURIComponent('//evil.example/x')}`,
        { redirect: 'manual' },
      );
      expect(odd.headers.get('Location')).to.equal('/verify/%2F%2Fevil.example%2Fx');
      expect((await fetch(`${api().url}/verify?code=`)).status).to.equal(200);
    });
  });

  it('is rate-limited by network', async () => {
    const api = await new Api({ rateLimit: 3 }).start();
    const statuses = [];
    for (let times = 0; times < 5; times += 1)
      statuses.push((await fetch(`${api.url}/verify/XYZ`)).status);
    expect(statuses).to.deep.equal([404, 404, 404, 429, 429]);
    expect((await fetch(`${api.url}/documents/XYZ`)).status).to.equal(429);
    await api.stop();
  });
});

describe('/admin/mailings', () => {
  withApi((api) => {
    let admin: { Authorization: string };
    let id: number;
    before(async () => {
      admin = await api().bearer(null);
      const headers = await api().bearer();
      api().memory.mailer.next({ kind: 'refused', reason: 'EENVELOPE 550' });
      ({ transaction_id: id } = (await api().post(CREATE, mainBody(), headers)).body.data);
      await api().memory.runJobs();
      await api().post(CREATE, mainBody(), headers);
      await api().post(COPY, { transaction_id: id + 1 }, headers);
      await api().memory.runJobs();
    });
    const list = async (query = '') =>
      (await api().get(`/admin/mailings${query}`, admin)).body.response;

    it('lists the mailings page by page, without addresses', async () => {
      const { data } = await list();
      expect(
        data.map(
          (each: { mailing_id: string; status: string }) => `${each.mailing_id} ${each.status}`,
        ),
      ).to.deep.equal([`${id + 1}-1 sent`, `${id + 1}-0 sent`, `${id}-0 undelivered`]);
      expect(JSON.stringify(data)).not.to.match(/@|Maria/);
      const first = await list('?limit=2');
      expect(first.data).to.have.length(2);
      expect((await list(`?limit=2&cursor=${first.next_cursor}`)).data).to.deep.equal(
        data.slice(2),
      );
      expect((await list(`?transaction_id=${id + 1}`)).data).to.deep.equal(data.slice(0, 2));
      expect((await list('?status=undelivered')).data).to.deep.equal([
        {
          mailing_id: `${id}-0`,
          transaction_id: id,
          occasion: 'issue',
          status: 'undelivered',
          requested_at: '2026-11-20T15:00:00.000Z',
          failures: 1,
          settled_at: '2026-11-20T15:00:00.000Z',
          reason: 'EENVELOPE 550',
          next_at: null,
        },
      ]);
    });

    it('refuses unknown parameters, and callers without the scope', async () => {
      for (const query of ['?status=lost', '?transaction_id=x', '?cursor=x', '?foo=1'])
        expect((await api().get(`/admin/mailings${query}`, admin)).status, query).to.equal(422);
      expect((await api().get('/admin/mailings', await api().bearer())).status).to.equal(403);
      expect(
        (await api().post(`/admin/mailings/${id}-0/retry`, {}, await api().bearer())).status,
      ).to.equal(403);
    });

    it('retries a failed mailing once, and logs who requested it', async () => {
      const answer = await api().post(`/admin/mailings/${id}-0/retry`, '', admin);
      expect(answer.status).to.equal(200);
      expect(answer.body.response.data).to.deep.include({
        mailing_id: `${id}-0`,
        status: 'waiting',
        settled_at: null,
        reason: null,
      });
      expect((await api().post(`/admin/mailings/${id}-0/retry`, {}, admin)).status).to.equal(409);
      for (const none of ['99-0', `${id}-7`, 'x', `0${id}-0`])
        expect((await api().post(`/admin/mailings/${none}/retry`, {}, admin)).status).to.equal(404);
      await api().memory.runJobs();
      expect((await list('?status=undelivered')).data).to.deep.equal([]);
      const { body } = await api().get(`/admin/audit?subject=mailing/${id}-0`, admin);
      expect(body.response.data).to.have.length(1);
      expect(body.response.data[0]).to.deep.include({ action: 'mail.retried' });
    });
  });
});

describe('the certificate settings of a product', () => {
  withApi((api) => {
    it('are stored and returned: limits, contacts, and when to mail', async () => {
      const admin = await api().bearer(null);
      const { response } = (await api().get('/admin/products/CELULAR', admin)).body;
      const { data } = response;
      expect(data.certificateMail).to.equal('on_issue');
      expect(data.plans[0].limit).to.equal(5_000);
      expect(data.registration.insurer.ombudsman).to.match(/^0800/);
      const same = await api().put('/admin/products/CELULAR', data, admin);
      expect(same.body.response.data.version).to.equal(1);
      const insurer = { ...data.registration.insurer, customerService: '0800 5' };
      const plans = data.plans.map((plan: object) => ({ ...plan, limit: 1_234.56 }));
      const changed = {
        ...data,
        version: undefined,
        certificateMail: 'on_request',
        plans,
        registration: { ...data.registration, insurer },
      };
      const put = await api().put('/admin/products/CELULAR', changed, admin);
      expect(put.status, JSON.stringify(put.body)).to.equal(200);
      expect(put.body.response.data).to.deep.include({ certificateMail: 'on_request', version: 2 });
      expect(put.body.response.data.plans[0].limit).to.equal(1_234.56);
      const stored = (await api().memory.catalogue.current()).products.find(
        ({ code }) => code === 'CELULAR',
      );
      expect(stored?.plans[0].limit).to.equal(123_456);
      expect(stored?.registration.insurer.customerService).to.equal('0800 5');
    });

    it('are refused at their field if they are invalid', async () => {
      const admin = await api().bearer(null);
      const { data } = (await api().get('/admin/products/INGRESSO', admin)).body.response;
      const plans = data.plans.map((plan: object) => ({ ...plan, limit: 0 }));
      const answer = await api().put(
        '/admin/products/INGRESSO',
        { ...data, certificateMail: 'never', plans },
        admin,
      );
      expect(answer.status).to.equal(422);
      expect(Object.keys(answer.body.errors)).to.have.members(['certificateMail', 'plans.0.limit']);
    });
  });
});
