import { expect } from 'chai';
import { CREATE, mainBody, withApi } from '../../support/api.ts';
import { ANA, linkFor } from '../../support/people.ts';
import { phoneSale, soldIn } from '../../support/selling.ts';
import { Visitor } from '../../support/visitor.ts';

describe('the first page of the console', () => {
  withApi((api) => {
    const enter = async (role: 'finance' | 'support'): Promise<string> => {
      const visitor = new Visitor(api().url);
      await visitor.post(await linkFor(api().memory, { ...ANA, role }));
      return (await visitor.get('/console')).text();
    };

    it('shows finance how sales go, with the figures in words and in a table', async () => {
      const { memory } = api();
      const empty = await enter('finance');
      expect(empty).to.include('Ainda nada foi somado').and.include('Nenhum canal vendeu menos');
      const sell = async (numeroIngresso: string): Promise<void> => {
        await api().post(CREATE, mainBody({ numeroIngresso }), await api().bearer());
      };
      for (const number of ['V-1', 'V-2', 'V-3']) await sell(number);
      memory.clock.advance(7 * 86_400);
      await sell('V-4');
      memory.clock.advance(86_400);
      await memory.runJobs();
      const page = await enter('finance');
      expect(page)
        .to.match(/Ontem: <strong>1 venda, R\$ 202,52<\/strong>/)
        .and.match(/Uma semana antes: 3 vendas, R\$ 607,56 \(-67 %\)/)
        .and.include('<title>27/11: R$ 202,52</title>')
        .and.include('Canais que venderam menos')
        .and.include('Somado até hoje');
      expect(page.match(/<rect /g)).to.have.length(30);
    });

    it('shows how much of what was offered to pay was paid', async () => {
      const { memory } = api();
      const { sell } = memory.useCases;
      const paid = soldIn(await sell(phoneSale()));
      soldIn(await sell(phoneSale('boleto')));
      const { payment } = (await memory.sales.load(paid.id)) ?? paid;
      const chargeId = 'chargeId' in payment ? payment.chargeId : '';
      await memory.sandbox.payOnPage(chargeId, 'pix', undefined, 'once');
      memory.clock.advance(86_400);
      await memory.runJobs();
      const page = await enter('finance');
      expect(page)
        .to.include('Em 30 dias: <strong>50 %</strong>')
        .and.include('class="whole"')
        .and.include('Oferecidas');
    });

    it('shows support what waits, and no totals', async () => {
      const page = await enter('support');
      expect(page).to.include('O que precisa de alguém').and.not.include('Como vão as vendas');
    });
  });
});
