import { expect } from 'chai';
import type { Instant } from '#domain';
import { CREATE, mainBody, withApi } from '../../support/api.ts';
import { entry } from '../../support/identity.ts';
import { settle } from '../../support/mailings.ts';
import { ANA, linkFor } from '../../support/people.ts';
import { AT } from '../../support/sales.ts';
import { Visitor } from '../../support/visitor.ts';

describe('what needs a person, in the console', () => {
  withApi((api) => {
    const enter = async (role: 'support' | 'finance' = 'support'): Promise<Visitor> => {
      const visitor = new Visitor(api().url);
      await visitor.post(await linkFor(api().memory, { ...ANA, role }));
      return visitor;
    };
    const read = async (visitor: Visitor): Promise<string> =>
      (await visitor.get('/console/alerts')).text();

    it('is nothing at first, in words', async () => {
      const page = await read(await enter());
      for (const words of ['Nenhum alerta aberto', 'Todos os e-mails', 'Todos os webhooks'])
        expect(page).to.include(words);
    });

    it('is each open alert, with its guide, until somebody says what was done', async () => {
      const { memory } = api();
      memory.alerts.raise({ kind: 'sale_stuck', saleId: 7, tries: 25 });
      await memory.alertNotes.flush();
      const visitor = await enter();
      const page = await read(visitor);
      expect(page)
        .to.include('/docs/en/operator/alerts#sale_stuck')
        .and.include('/console/sales/7"');
      const [open] = await memory.alertRecords.list({ status: 'open', limit: 1 });
      const place = `/console/alerts/${open?.id}`;
      const empty = await visitor.post(place, { note: '' });
      expect([
        empty.status,
        (await empty.text()).includes('Escreva o que foi feito'),
      ]).to.deep.equal([...[422, true]]);
      const done = await visitor.post(place, { note: 'Falei com a seguradora' });
      expect(done.headers.get('Location')).to.equal('/console/alerts');
      expect(await read(visitor)).to.include('Nenhum alerta aberto');
      expect(await (await visitor.get(place)).text()).to.include('Falei com a seguradora');
      for (const unknown of ['999', 'x', '0'])
        for (const answer of [
          await visitor.get(`/console/alerts/${unknown}`),
          await visitor.post(`/console/alerts/${unknown}`, { note: 'x' }),
        ])
          expect(answer.status, unknown).to.equal(404);
    });

    it('is each mail that was not delivered, until it is tried again', async () => {
      const { memory } = api();
      const sold = await api().post(CREATE, mainBody(), await api().bearer());
      const sale = await memory.sales.loadByTicket(sold.body.data.ticket);
      const name = { saleId: sale?.id ?? 0, number: 0 };
      await settle(memory.mailings, name, 'undelivered', AT, '550 no such user');
      const visitor = await enter();
      expect(await read(visitor)).to.include('550 no such user');
      const finance = await read(await enter('finance'));
      expect(finance).to.include('550 no such user').and.not.include('Tentar de novo');
      for (const _ of ['once', 'twice'])
        expect(
          (await visitor.post('/console/alerts/mails', { mailing: `${name.saleId}-0` })).status,
        ).to.equal(303);
      expect(await read(visitor)).to.include('Todos os e-mails');
      for (const mailing of ['', 'x', '999-0'])
        expect((await visitor.post('/console/alerts/mails', { mailing })).status).to.equal(404);
    });

    it('is each webhook that fails or was disabled, without its whole address', async () => {
      const { memory } = api();
      const token = await api().bearer();
      const url = 'https://hooks.example/secret-path';
      await api().post('/private/integration/webhooks', { url, events: ['sale.paid'] }, token);
      const [endpoint] = await memory.webhookEndpoints.list(undefined);
      if (endpoint === undefined) throw new Error('no webhook');
      const disabled = { reason: 'gone', at: AT as Instant } as const;
      await memory.webhookEndpoints.save({ ...endpoint, disabled }, entry());
      const page = await read(await enter());
      expect(page).to.include('hooks.example').and.include('desativado (gone)');
      expect(page).not.to.include('secret-path');
    });

    it('comes page by page', async () => {
      const { memory } = api();
      for (let saleId = 100; saleId < 155; saleId += 1)
        memory.alerts.raise({ kind: 'sale_stuck', saleId, tries: 25 });
      await memory.alertNotes.flush();
      const visitor = await enter();
      const [, next = ''] =
        /href="(\/console\/alerts\?after=\d+)">Mais antigos/.exec(await read(visitor)) ?? [];
      const older = await (await visitor.get(next)).text();
      expect(older).to.include('/console/sales/100"').and.not.include('Mais antigos');
    });
  });
});
