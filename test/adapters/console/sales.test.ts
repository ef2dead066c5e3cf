import { expect } from 'chai';
import { unzipSync } from 'fflate';
import type { TSchema } from 'typebox';
import { type CalendarDate, cents, type Sale } from '#domain';
import { FIELD_WORDS } from '../../../adapters/console/field-words.ts';
import { chargedAnswer, insuredAnswer, mailAnswer } from '../../../adapters/console/sale-words.ts';
import { gatewayComparison } from '../../../adapters/http/admin/gateway-route.ts';
import { inspectedTransaction } from '../../../adapters/http/admin/transaction-shapes.ts';
import { evidenceContent } from '../../../adapters/http/generic/evidence-answer.ts';
import type { Mailing } from '../../../application/mail/mailings.ts';
import { CREATE, mainBody, withApi } from '../../support/api.ts';
import { entry } from '../../support/identity.ts';
import { ANA, linkFor } from '../../support/people.ts';
import {
  AT,
  AWAITING,
  cancelledOn,
  ISSUED,
  PAID,
  paidSale,
  pendingSale,
} from '../../support/sales.ts';
import { Visitor } from '../../support/visitor.ts';
import { readSheets } from '../../support/xlsx.ts';

const day = (text: string): CalendarDate => text as CalendarDate;

describe('what stands above a sale', () => {
  const now = AT;

  it('says whether the customer is insured', () => {
    const { period } = ISSUED.policy;
    for (const [sale, on, words] of [
      [ISSUED, period.start, /^Sim, de \d\d\/\d\d\/\d{4} a /],
      [ISSUED, '2000-01-01', /^Sim, a partir de /],
      [ISSUED, '2999-01-01', /^Não mais: a vigência terminou em /],
      [PAID, period.start, /^Ainda não: a seguradora não emitiu/],
      [AWAITING, period.start, /^Ainda não: falta o pagamento/],
      [pendingSale(), period.start, /em processamento/],
      [cancelledOn(paidSale(), '2026-11-25'), period.start, /cancelad/],
    ] as const)
      expect(insuredAnswer(sale, day(on)), sale.status).to.match(words);
  });

  it('says whether the customer was charged, and what went back', () => {
    expect(chargedAnswer(paidSale())).to.match(
      /^Sim, pela loja: R\$ 202,52 em \d\d\/\d\d\/\d{4}\.$/,
    );
    expect(chargedAnswer(AWAITING)).to.equal('Ainda não: o link espera o pagamento.');
    expect(chargedAnswer(pendingSaleOfService())).to.equal('Não: nada entrou.');
    expect(chargedAnswer(PAID)).to.equal('Sim: entraram R$ 202,52.');
    const [receipt] = PAID.receipts;
    const back = { ...PAID, receipts: [{ ...receipt, returned: cents(500) }] } as Sale;
    expect(chargedAnswer(back)).to.equal('Sim: entraram R$ 202,52. Voltaram R$ 5,00.');
  });

  it('says whether the mail arrived, and where', () => {
    const mail = (status: Mailing['status']): Mailing => ({
      ...{ saleId: 1, number: 0, requestedAt: AT, status, failures: 0 },
      ...(status !== 'waiting' && { settledAt: AT }),
    });
    const sale = paidSale();
    const corrected = {
      ...sale,
      corrections: [{ email: 'b@example.com', at: AT }],
    } as unknown as Sale;
    expect(mailAnswer(sale, [], now)).to.equal('Nenhum e-mail até agora.');
    expect(mailAnswer(sale, [mail('waiting')], now)).to.match(
      /^Ainda não: o e-mail com o bilhete ou a apólice, para .*, espera/,
    );
    expect(mailAnswer(corrected, [mail('sent')], now)).to.equal(
      'Sim: o e-mail com o bilhete ou a apólice foi enviado para b@example.com (hoje 12:00).',
    );
    const settledAt = '2026-11-20T14:59:59.999Z' as typeof AT;
    expect(mailAnswer(corrected, [{ ...mail('sent'), settledAt }], now)).to.match(
      /foi enviado para \S+ .*Para b@example\.com ainda não seguiu nenhum\.$/,
    );
    expect(mailAnswer(sale, [{ ...mail('withdrawn'), number: -1 }], now)).to.include(
      'o e-mail sobre o cancelamento foi retirado',
    );
    expect(mailAnswer(sale, [mail('undelivered')], now)).to.match(/^Não: o servidor/);
  });
});

const pendingSaleOfService = (): Sale => ({ ...AWAITING, status: 'expired' }) as unknown as Sale;

/** The names of all fields in a schema, however deep. */
const fieldsIn = (schema: TSchema): readonly string[] => {
  const {
    properties = {},
    anyOf = [],
    allOf = [],
    items,
  } = schema as {
    properties?: Record<string, TSchema>;
    anyOf?: TSchema[];
    allOf?: TSchema[];
    items?: TSchema;
  };
  return [
    ...Object.entries(properties).flatMap(([name, each]) => [name, ...fieldsIn(each)]),
    ...[...anyOf, ...allOf, ...(items ? [items] : [])].flatMap(fieldsIn),
  ];
};

describe('the words of a sale', () => {
  it('name each field of the API, and no other', () => {
    const fields = new Set(
      [inspectedTransaction, gatewayComparison, evidenceContent].flatMap(({ schema }) =>
        fieldsIn(schema),
      ),
    );
    expect([...fields].filter((name) => !(name in FIELD_WORDS))).to.deep.equal([]);
    // The details of an alert are of its kind.
    fields.add('expected');
    expect(Object.keys(FIELD_WORDS).filter((name) => !fields.has(name))).to.deep.equal([]);
  });
});

describe('finding a sale in the console', () => {
  withApi((api) => {
    const enter = async (): Promise<Visitor> => {
      const visitor = new Visitor(api().url);
      await visitor.post(await linkFor(api().memory, { ...ANA, role: 'support' }));
      return visitor;
    };
    const sell = async (over: Record<string, unknown>): Promise<number> => {
      const { body } = await api().post(CREATE, mainBody(over), await api().bearer());
      return (await api().memory.sales.loadByTicket(body.data.ticket))?.id ?? 0;
    };
    const follow = async (): Promise<void> => {
      while ((await api().memory.useCases.followSales()) === 'more');
    };

    it('needs what the customer says, and no address tells what was looked for', async () => {
      const id = await sell({ nomeCompleto: 'Zuleika <b>Prado</b>', numeroIngresso: 'Z-1' });
      await sell({ nomeCompleto: 'Outra Pessoa', numeroIngresso: 'Z-2', cpfCnpj: '11144477735' });
      await follow();
      const visitor = await enter();
      for (const q of ['zuleika prado', '529.982.247-25', String(id)]) {
        const sent = await visitor.post('/console/sales', { q });
        const address = sent.headers.get('Location') ?? '';
        expect(decodeURIComponent(address))
          .to.match(/^\/console\/sales\?find=/)
          .and.not.include(q);
        const page = await (await visitor.get(address)).text();
        expect(page, q).to.include(`/console/sales/${id}"`).and.include('Zuleika &lt;b&gt;Prado');
        expect(page, q).not.to.include('Outra Pessoa');
      }
      const none = await visitor.post('/console/sales', { q: 'ninguém' });
      const page = await visitor.get(none.headers.get('Location') ?? '');
      expect(await page.text()).to.include('Nenhuma venda encontrada');
      for (const odd of ['?find=forged', '?before=x', '?find=a&find=b'])
        expect((await visitor.get(`/console/sales${odd}`)).status, odd).to.equal(200);
    });

    it('shows the newest fifty, and leads on to older ones', async () => {
      for (let count = 0; count < 60; count += 1)
        await sell({ numeroIngresso: `P-${count}`, nomeCompleto: 'Muitos Iguais' });
      await follow();
      const visitor = await enter();
      const sent = await visitor.post('/console/sales', { q: 'iguais' });
      const rowsOn = (page: string): number =>
        page.match(/href="\/console\/sales\/\d+"/g)?.length ?? 0;
      const first = await (await visitor.get(sent.headers.get('Location') ?? '')).text();
      expect(rowsOn(first)).to.equal(50);
      const [, next = ''] = /href="(\/console\/sales\?[^"]+)">Mais antigas/.exec(first) ?? [];
      const second = await (await visitor.get(next.replaceAll('&amp;', '&'))).text();
      expect([rowsOn(second), second.includes('Mais antigas')]).to.deep.equal([10, false]);
    });

    it('lists the sales of some filters, in either order, and keeps them on the way on', async () => {
      const { memory } = api();
      memory.clock.advance(86_400);
      for (const number of [1, 2]) await sell({ numeroIngresso: `F-${number}` });
      const stored = (await memory.sales.load(await sell({ numeroIngresso: 'F-3' }))) as Sale;
      const closed = { ...stored, status: 'expired', closedAt: memory.clock.now() };
      await memory.sales.save(closed as unknown as Sale);
      const visitor = await enter();
      const today = memory.clock.today();
      const idsOf = async (search: string): Promise<readonly number[]> => {
        const page = await (await visitor.get(`/console/sales${search}`)).text();
        return [...page.matchAll(/href="\/console\/sales\/(\d+)"/g)].map(([, id]) => Number(id));
      };
      const all = await idsOf(`?from=${today}`);
      expect(all).to.have.length(3);
      expect(await idsOf(`?order=oldest&from=${today}`)).to.deep.equal(all.toReversed());
      expect(await idsOf('?status=expired')).to.deep.equal([stored.id]);
      expect(
        await idsOf(`?channel=canal-demo&product=INGRESSO&from=${today}&to=${today}`),
      ).to.deep.equal(all);
      for (const none of ['?channel=outro', '?product=CELULAR', '?to=2020-01-01'])
        expect(await idsOf(none), none).to.deep.equal([]);
      for (const [bad, words] of [
        ['?from=ontem', 'Escreva o dia como 2026-11-20.'],
        ['?to=2026-13-01', 'Escreva o dia como 2026-11-20.'],
        ['?from=2026-11-20&to=2026-11-19', 'O último dia vem antes do primeiro.'],
      ] as const) {
        const page = await visitor.get(`/console/sales${bad}`);
        expect([page.status, await page.text()])
          .to.have.property('1')
          .that.includes(words);
        expect(page.status).to.equal(422);
      }
      for (let count = 0; count < 50; count += 1) await sell({ numeroIngresso: `O-${count}` });
      const oldest = `/console/sales?order=oldest&status=paid&from=${today}`;
      const first = await (await visitor.get(oldest)).text();
      const [, next = ''] = /href="(\/console\/sales\?[^"]+)">Mais novas/.exec(first) ?? [];
      expect(next).to.include('order=oldest').and.include('status=paid');
      const rest = await idsOf(next.replaceAll('&amp;', '&').slice('/console/sales'.length));
      expect(rest).to.have.length(2);
    });

    it('gives the list as a file that spreadsheets read, and notes who took it', async () => {
      await sell({ numeroIngresso: 'X-1', nomeCompleto: '=SOMA(A1)' });
      const id = await sell({ numeroIngresso: 'X-2', nomeCompleto: 'Ana; "Lima"' });
      const visitor = await enter();
      const csv = await visitor.get('/console/sales/file?form=csv&order=oldest');
      expect(csv.headers.get('Content-Disposition')).to.equal('attachment; filename="vendas.csv"');
      const text = Buffer.from(await csv.arrayBuffer()).toString();
      expect(text).to.match(
        /^\uFEFFVenda;Registrada;Segurado;Produto;Canal;Total;Situação;Segurado até\r\n/,
      );
      expect(text)
        .to.include(";'=SOMA(A1);")
        .and.match(/;paga;31\/12\/2026\r\n/)
        .and.include(`${id};21/11/2026 12:00;"Ana; ""Lima""";`)
        .and.include(';202,52;');
      const xlsx = await visitor.get('/console/sales/file?form=xlsx');
      const [sheet] = await readSheets(new Uint8Array(await xlsx.arrayBuffer()));
      expect(JSON.stringify(sheet)).to.include('=SOMA(A1)').and.include('202.52');
      const [entry] = await api().memory.auditLog.list({ action: 'sales.exported', limit: 1 });
      expect(entry?.actor.name).to.match(/^Ana Lima \(/);
      expect(entry?.changes[0]?.after).to.be.greaterThan(1);
    });

    it('answers first, and shows all that the API says of a sale', async () => {
      const id = await sell({ numeroIngresso: 'S-1', nomeCompleto: 'Rita Sol' });
      await api().memory.runJobs();
      const visitor = await enter();
      const page = await (await visitor.get(`/console/sales/${id}`)).text();
      expect(page).to.match(/Está segurado\?<\/dt><dd>Sim, /);
      expect(page).to.match(/Foi cobrado\?<\/dt><dd>Sim, pela loja: R\$ /);
      expect(page).to.match(
        /Recebeu o e-mail\?<\/dt><dd>Sim: o e-mail .* foi enviado para maria@example\.com/,
      );
      for (const words of [
        'Rita Sol',
        '52998224725',
        'Prêmio líquido',
        '<dd>Pix</dd>',
        `GET /api/admin/transactions/${id}`,
      ])
        expect(page).to.include(words);
      for (const unknown of ['999999', '0', 'x', '99999999999999999999'])
        expect((await visitor.get(`/console/sales/${unknown}`)).status, unknown).to.equal(404);
    });

    it('packs what proves a sale, without what only concerns the service', async () => {
      const id = await sell({ numeroIngresso: 'K-1', nomeCompleto: 'Nair Cruz' });
      const { memory } = api();
      await memory.runJobs();
      memory.clock.advance(60);
      memory.alerts.raise({ kind: 'sale_stuck', saleId: id, tries: 25 });
      await memory.alertNotes.flush();
      const visitor = await enter();
      const sale = (await memory.sales.load(id)) as Sale;
      await memory.useCases.cancelSale.cancel({ sale, by: 'insured', actor: entry().actor });
      const packed = await visitor.get(`/console/sales/${id}/case`);
      expect(packed.headers.get('Content-Disposition')).to.equal(
        `attachment; filename="venda-${id}-2026-11-21.zip"`,
      );
      const files = unzipSync(new Uint8Array(await packed.arrayBuffer()));
      const [pdf, json] = [`venda-${id}-2026-11-21.pdf`, `venda-${id}-2026-11-21.json`].map(
        (name) => new TextDecoder().decode(files[name]),
      );
      const { content, protocol, timeline, evidence } = JSON.parse(json ?? '');
      expect(content).to.deep.include({ transaction_id: id, status: 'cancelled' });
      expect(protocol).to.match(/^20261121-/);
      expect(timeline.map(({ event }: { event: string }) => event)).to.deep.equal([
        ...['registered', 'paid', 'issued', 'mail_requested', 'mail_sent', 'cancelled'],
        'mail_requested',
      ]);
      expect(evidence).to.be.a('string');
      for (const words of ['Nair Cruz', protocol, 'e-mail enviado', 'maria@example.com'])
        expect(pdf).to.include(words);
      expect(pdf).not.to.include('sale_stuck');
      const [read] = await memory.auditLog.list({ action: 'sale.evidence_read', limit: 1 });
      expect(read?.actor.name).to.match(/^Ana Lima \(/);
    });

    it('mails the document again, once for two tabs, and says where it stops', async () => {
      const id = await sell({ numeroIngresso: 'C-1' });
      await api().memory.runJobs();
      const visitor = await enter();
      const copy = `/console/sales/${id}/copy`;
      expect(await (await visitor.get(copy)).text()).to.include('maria@example.com');
      const seen = async (): Promise<string> =>
        /name="seen" value="(\d+)"/.exec(await (await visitor.get(copy)).text())?.[1] ?? '';
      const first = await seen();
      for (const _ of ['one tab', 'another'])
        expect((await visitor.post(copy, { seen: first })).headers.get('Location')).to.equal(
          `/console/sales/${id}?done=copy`,
        );
      const mails = await api().memory.mailings.list({ saleId: id, limit: 9 });
      expect(mails).to.have.length(2);
      const [entry] = await api().memory.auditLog.list({ action: 'sale.copy_requested', limit: 1 });
      expect(entry?.actor.name).to.match(/^Ana Lima \(/);
      expect(await (await visitor.get(`/console/sales/${id}?done=copy`)).text()).to.include(
        'A segunda via segue',
      );
      for (const _ of ['second', 'third']) await visitor.post(copy, { seen: await seen() });
      const over = await visitor.post(copy, { seen: await seen() });
      expect(over.status).to.equal(422);
      expect(await over.text()).to.include('no máximo 3 segundas vias por hora');
    });

    it('corrects an e-mail, and has what was not delivered sent to it', async () => {
      const id = await sell({ numeroIngresso: 'E-1' });
      const visitor = await enter();
      const place = `/console/sales/${id}/email`;
      for (const email of ['', 'a@b', 'a@b.com, c@d.com']) {
        const page = await visitor.post(place, { email });
        expect(page.status, email).to.equal(422);
        expect(await page.text()).to.include('href="#email"');
      }
      const corrected = await visitor.post(place, { email: 'certo@example.com' });
      expect(corrected.headers.get('Location')).to.equal(`/console/sales/${id}?done=email`);
      await api().memory.runJobs();
      const page = await (await visitor.get(`/console/sales/${id}`)).text();
      expect(page).to.match(/foi enviado para certo@example\.com/);
      for (let times = 0; times < 20; times += 1)
        await visitor.post(place, { email: `c${times}@example.com` });
      expect((await visitor.post(place, { email: 'x@example.com' })).status).to.equal(422);
    });

    it('corrects an e-mail and mails the document again, in one step', async () => {
      const id = await sell({ numeroIngresso: 'E-2' });
      await api().memory.runJobs();
      const visitor = await enter();
      const place = `/console/sales/${id}/email`;
      expect(await (await visitor.get(place)).text()).to.include('name="copy" checked');
      const form = { email: 'novo@example.com', copy: 'on' };
      expect((await visitor.post(place, form)).headers.get('Location')).to.equal(
        `/console/sales/${id}?done=email-copy`,
      );
      await api().memory.runJobs();
      expect(await (await visitor.get(`/console/sales/${id}?done=email-copy`)).text())
        .to.include('a segunda via segue para o endereço novo')
        .and.match(/o e-mail com a segunda via foi enviado para novo@example\.com/);
      // The same address again: nothing was corrected, and nothing follows twice.
      await visitor.post(place, form);
      expect(await api().memory.mailings.list({ saleId: id, limit: 9 })).to.have.length(2);
    });

    it('has no such act for a sale that has ended', async () => {
      const id = await sell({ numeroIngresso: 'G-1' });
      const sale = await api().memory.sales.load(id);
      if (sale === undefined) throw new Error('no sale');
      const expired = { ...sale, status: 'expired' } as unknown as Sale;
      await api().memory.sales.save(expired);
      const visitor = await enter();
      expect(await (await visitor.get(`/console/sales/${id}`)).text()).not.to.include(
        'segunda via',
      );
      for (const act of ['copy', 'email']) {
        const body = { seen: '0', email: 'x@example.com' };
        const page = await visitor.post(`/console/sales/${id}/${act}`, body);
        expect([page.status, page.headers.get('X-Error-Code')], act).to.deep.equal([
          ...[422, 'validation_failed'],
        ]);
      }
    });
  });
});
