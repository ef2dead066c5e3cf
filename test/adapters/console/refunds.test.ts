import { expect } from 'chai';
import type { Sale } from '#domain';
import { CREATE, mainBody, withApi } from '../../support/api.ts';
import { ADMINISTRATOR } from '../../support/identity.ts';
import { ANA, linkFor } from '../../support/people.ts';
import { Visitor } from '../../support/visitor.ts';

describe('refunds that channels owe, in the console', () => {
  withApi((api) => {
    const enter = async (): Promise<Visitor> => {
      const visitor = new Visitor(api().url);
      await visitor.post(await linkFor(api().memory, { ...ANA, role: 'finance' }));
      return visitor;
    };
    const load = async (id: number): Promise<Sale> => (await api().memory.sales.load(id)) as Sale;
    /** A cancelled sale of the channel. @returns its number */
    const owe = async (numeroIngresso: string): Promise<number> => {
      const sold = await api().post(CREATE, mainBody({ numeroIngresso }), await api().bearer());
      const sale = (await api().memory.sales.loadByTicket(sold.body.data.ticket)) as Sale;
      const actor = ADMINISTRATOR;
      await api().memory.useCases.cancelSale.cancel({ sale, by: 'insured', actor });
      return sale.id;
    };
    const read = async (visitor: Visitor, address: string): Promise<string> =>
      (await visitor.get(`/console${address}`)).text();

    it('are listed with the last day, and leave the list when they are confirmed', async () => {
      const visitor = await enter();
      expect(await read(visitor, '/refunds')).to.include('Nada a devolver');
      const id = await owe('D-1');
      for (const search of ['', '?channel=canal-demo'])
        expect(await read(visitor, `/refunds${search}`))
          .to.include(`/console/sales/${id}/refund"`)
          .and.include('R$ 202,52')
          .and.include('20261120-');
      expect(await read(visitor, `/sales/${id}`)).to.include('Confirmar a devolução');
      expect(await read(visitor, `/sales/${id}/refund`)).to.include('value="202,52"');

      const place = `/console/sales/${id}/refund`;
      const form = { amount: '202,52', on: '2026-11-20', method: 'pix', reference: 'E2E-1' };
      for (const [over, words] of [
        [{ amount: 'x' }, 'Escreva o valor'],
        [{ amount: '202,53' }, 'É mais do que a loja deve: R$ 202,52'],
        [{ on: '2026-11-21' }, 'Escreva o dia da devolução'],
        [{ on: '2020-01-01' }, 'Escreva o dia da devolução'],
        [{ method: 'cheque' }, 'Escolha como'],
        [{ reference: 'x'.repeat(101) }, 'até 100 caracteres'],
      ] as const) {
        const page = await visitor.post(place, { ...form, ...over });
        expect([page.status, await page.text()])
          .to.have.property('1')
          .that.includes(words);
        expect(page.status).to.equal(422);
      }
      for (const _ of ['one tab', 'another'])
        expect((await visitor.post(place, form)).headers.get('Location')).to.equal(
          `/console/sales/${id}?done=refund`,
        );
      expect((await load(id)).status).to.equal('refunded');
      expect(await read(visitor, `/sales/${id}?done=refund`)).to.include('A devolução foi anotada');
      expect(await read(visitor, '/refunds')).to.include('Nada a devolver');
      const entries = await api().memory.auditLog.list({
        ...{ action: 'sale.refund_confirmed', limit: 9 },
      });
      expect(entries.map(({ actor }) => actor.name?.slice(0, 10))).to.deep.equal(['Ana Lima (']);
      const again = await visitor.post(place, { ...form, reference: 'E2E-2' });
      expect(await again.text()).to.include('Não há devolução que a loja deva fazer');
    });

    it('are given as a file, all of them, the oldest first', async () => {
      const ids: number[] = [];
      for (let count = 0; count < 102; count += 1) {
        ids.push(await owe(`F-${count}`));
        api().memory.clock.advance(1);
      }
      const visitor = await enter();
      expect(await read(visitor, '/refunds')).to.include('Há mais: escolha um canal');
      const csv = await visitor.get('/console/refunds/file?form=csv');
      const lines = (await csv.text()).trim().split('\r\n').slice(1);
      expect(lines.map((line) => Number(line.split(';')[0]))).to.deep.equal(ids);
      expect(lines[0]).to.include(';202,52;');
      const [taken] = await api().memory.auditLog.list({ action: 'sales.exported', limit: 1 });
      expect(taken?.changes[0]?.after).to.equal(102);
      expect((await visitor.get('/console/refunds/file?form=xlsx')).status).to.equal(200);
      const wrong = await visitor.get('/console/refunds?channel=nenhum');
      expect([wrong.status, await wrong.text()])
        .to.have.property('1')
        .that.includes('Escolha um canal da lista');
      expect((await visitor.get('/console/refunds/file?channel=nenhum')).status).to.equal(303);
    });
  });
});
