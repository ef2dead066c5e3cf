import { expect } from 'chai';
import { cents, isUnpaid, protocolOf, type Sale } from '#domain';
import { withApi } from '../../support/api.ts';
import { ANA, linkFor } from '../../support/people.ts';
import { cardOf, phoneSale, soldIn, ticketSale } from '../../support/selling.ts';
import { Visitor } from '../../support/visitor.ts';

/** The hidden fields of a form. */
const hiddenIn = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

describe('what people do with a sale in the console', () => {
  withApi((api) => {
    const enter = async (
      name = 'Ana Lima',
      role: 'support' | 'finance' = 'support',
    ): Promise<Visitor> => {
      const visitor = new Visitor(api().url);
      await visitor.post(await linkFor(api().memory, { ...ANA, name, role }));
      return visitor;
    };
    const sell = async (
      ...order: Parameters<ReturnType<typeof api>['memory']['useCases']['sell']>
    ) => {
      const sold = soldIn(await api().memory.useCases.sell(...order));
      await api().memory.runJobs();
      return sold;
    };
    const load = async ({ id }: Sale): Promise<Sale> => (await api().memory.sales.load(id)) as Sale;
    const place = ({ id }: Sale, path = ''): string => `/console/sales/${id}${path && `/${path}`}`;
    const read = async (visitor: Visitor, address: string): Promise<string> =>
      (await visitor.get(address)).text();
    /** Sends the form of a page with these fields. */
    const send = async (
      visitor: Visitor,
      address: string,
      fields: Record<string, string> = {},
    ): Promise<Response> =>
      visitor.post(address, { ...hiddenIn(await read(visitor, address)), ...fields });
    const goneTo = (answer: Response): string | null => answer.headers.get('Location');
    const phone = () => sell(phoneSale('credit'), { card: cardOf() });
    /** Costs above R$ 1.000,00. */
    const dear = () => sell(ticketSale({ insuredAmount: cents(1_000_000) }));

    it('cancels a sale to the cent, with its protocol, and once from two tabs', async () => {
      const sale = await phone();
      const visitor = await enter();
      const page = await read(visitor, place(sale, 'cancel'));
      const { refund } = await figuresOf(sale);
      expect(page)
        .to.include(`voltam ${refund}`)
        .and.include('a pedido do segurado')
        .and.include('por parte da seguradora')
        .and.include('prazo de arrependimento');
      const form = { ...hiddenIn(page), choice: 'insured', reason: 'customer_request' };
      for (const _ of ['one tab', 'another']) {
        const done = await visitor.post(place(sale, 'cancel'), form);
        expect(goneTo(done)).to.equal(`${place(sale)}?done=cancelled`);
      }
      const cancelled = await load(sale);
      expect(await read(visitor, `${place(sale)}?done=cancelled`)).to.include(
        `Protocolo: <strong>${protocolOf(cancelled)}</strong>`,
      );
      const entries = await api().memory.auditLog.list({ action: 'sale.cancelled', limit: 9 });
      expect(entries.map(({ actor }) => actor.name?.slice(0, 10))).to.deep.equal(['Ana Lima (']);
      const over = await visitor.get(place(sale, 'give-up'));
      expect([over.status, await over.text()])
        .to.have.property('1')
        .that.includes('já foi encerrada');
    });

    const figuresOf = async (sale: Sale) => {
      const figures = await api().memory.useCases.cancelSale.preview(sale, 'insured');
      if (!('refund' in figures)) throw new Error('no figures');
      const reais = (figures.refund.total / 100).toFixed(2).replace('.', ',');
      return { refund: `R$ ${reais}` };
    };

    it('says what is missing in a form, and keeps what was typed', async () => {
      const sale = await phone();
      const visitor = await enter();
      for (const [fields, words] of [
        [{ choice: 'somebody', reason: 'other', text: '' }, ['Escolha quem', 'Escreva por quê']],
        [{ choice: 'insured', reason: 'none', text: 'x'.repeat(501) }, ['Escolha um motivo']],
        [{ choice: 'insured', reason: 'other', text: ' ' }, ['href="#text"']],
      ] as const) {
        const answer = await send(visitor, place(sale, 'cancel'), fields);
        const page = await answer.text();
        expect(answer.status).to.equal(422);
        for (const each of words) expect(page).to.include(each);
      }
      const changed = await send(visitor, place(sale, 'cancel'), {
        ...{ choice: 'insured', reason: 'other', text: 'mudou de ideia' },
        'amount-insured': '1',
      });
      expect([changed.status, await changed.text()])
        .to.have.property('1')
        .that.includes('A venda mudou')
        .and.includes('value="mudou de ideia"');
      expect((await load(sale)).status).to.equal('issued');
    });

    it('lets two people decide above the limit, who see what is asked for', async () => {
      const sale = await dear();
      const [ana, bia] = [await enter(), await enter('Bia Reis')];
      expect(await read(ana, place(sale, 'cancel'))).to.include('outra pessoa precisa aprovar');
      const form = { choice: 'insured', reason: 'other', text: 'evento &amp; show' };
      const asked = await send(ana, place(sale, 'cancel'), form);
      expect(goneTo(asked)).to.equal(`${place(sale)}?done=asked`);
      expect((await load(sale)).status).not.to.equal('cancelled');
      for (const [visitor, words] of [
        [ana, 'Ana Lima pediu para cancelar a pedido do segurado'],
        [bia, 'Ana Lima pediu para cancelar a pedido do segurado'],
      ] as const)
        expect(await read(visitor, place(sale))).to.include(words);
      expect(await read(bia, '/console')).to.include(place(sale, 'approval'));
      const finance = await enter('Caio Sá', 'finance');
      expect(await read(finance, '/console')).not.to.include('Esperam outra pessoa');
      expect(await read(finance, place(sale))).to.include('Espera outra pessoa');

      expect(await read(ana, place(sale, 'approval'))).not.to.include('value="approve"');
      const own = await send(ana, place(sale, 'approval'), { answer: 'approve' });
      expect([own.status, await own.text()])
        .to.have.property('1')
        .that.includes('Quem pediu não pode aprovar');
      const stale = await send(bia, place(sale, 'approval'), { answer: 'approve', seen: 'x' });
      expect(stale.status).to.equal(409);
      const given = await send(bia, place(sale, 'approval'), { answer: 'approve' });
      expect(goneTo(given)).to.equal(`${place(sale)}?done=cancelled`);
      expect((await load(sale)).status).to.equal('cancelled');
      const gone = await bia.get(place(sale, 'approval'));
      expect([gone.status, await gone.text()])
        .to.have.property('1')
        .that.includes('Nenhum pedido espera');
    });

    it('ends a request that is taken back or refused', async () => {
      const sale = await dear();
      const ana = await enter();
      const form = { choice: 'insurer', reason: 'duplicate' };
      for (const visitor of [ana, await enter('Bia Reis')]) {
        await send(ana, place(sale, 'cancel'), form);
        const over = await send(visitor, place(sale, 'approval'), { answer: 'decline' });
        expect(goneTo(over)).to.equal(`${place(sale)}?done=declined`);
        expect(await read(ana, '/console')).not.to.include('Esperam outra pessoa');
      }
    });

    it('tries a stuck sale again, or gives it up with all of the money', async () => {
      const { memory } = api();
      memory.issuer.mishaps.always = 'unreached';
      const sale = await phone();
      const visitor = await enter();
      expect(await read(visitor, place(sale, 'retry'))).to.include('falta a apólice');
      const tried = await send(visitor, place(sale, 'retry'));
      expect(goneTo(tried)).to.equal(`${place(sale)}?done=waiting`);
      expect(await read(visitor, `${place(sale)}?done=waiting`)).to.include('Foi tentado');

      const empty = await send(visitor, place(sale, 'give-up'), { reason: ' ' });
      expect([empty.status, await empty.text()])
        .to.have.property('1')
        .that.includes('Escreva por quê');
      const given = await send(visitor, place(sale, 'give-up'), { reason: 'há dois dias' });
      memory.issuer.mishaps.always = undefined;
      expect(goneTo(given)).to.equal(`${place(sale)}?done=cancelled`);
      expect(await load(sale)).to.have.nested.property('cancellation.by', 'insurer');

      const settled = await phone();
      expect(goneTo(await send(visitor, place(settled, 'retry')))).to.equal(
        `${place(settled)}?done=settled`,
      );
      const until = '2999-01-01T00:00:00.000Z' as Sale['registeredAt'];
      await memory.sales.claim(settled.id, { holder: 'worker', until }, memory.clock.now());
      const busy = await send(visitor, place(settled, 'retry'));
      expect([busy.status, await busy.text()])
        .to.have.property('1')
        .that.includes('está sendo processada');
    });

    it('compares a sale with the gateway, and says what resolves a difference', async () => {
      const sale = await phone();
      const before = await load(sale);
      const finance = await enter('Caio Sá', 'finance');
      const same = await read(finance, place(sale, 'gateway'));
      expect(same).to.include('Gateway e venda dizem o mesmo').and.include('aprovado');
      const { memory } = api();
      const [charge] = await memory.sandbox.chargesOf(sale.id);
      const find = memory.payments.find.bind(memory.payments);
      memory.payments.find = async () => [];
      const missing = await read(finance, place(sale, 'gateway'));
      expect(missing)
        .to.include('Gateway e venda diferem')
        .and.include('cobrança que o gateway não conhece')
        .and.include('uma pessoa decide')
        .and.include(charge?.id)
        .and.not.include('/retry"');
      memory.payments.find = async () => 'unreached';
      expect(await read(await enter(), place(sale, 'gateway')))
        .to.include('esperar o gateway')
        .and.include(place(sale, 'retry'));
      memory.payments.find = find;
      expect(await load(sale)).to.deep.equal(before);

      const ofChannel = await sell(ticketSale());
      expect(await read(finance, place(ofChannel))).not.to.include(place(ofChannel, 'gateway'));
      expect(await read(finance, place(ofChannel, 'gateway'))).to.include('dizem o mesmo');
    });

    it('decides about a payment that is less than the price', async () => {
      const { memory } = api();
      const visitor = await enter();
      const short = async (): Promise<Sale> => {
        const sale = await sell(phoneSale());
        const { chargeId = '' } = sale.payment;
        await memory.sandbox.payOnPage(chargeId, 'pix', undefined, 'once', cents(80));
        memory.clock.advance(60);
        await memory.runJobs();
        return load(sale);
      };
      const sale = await short();
      expect(isUnpaid(sale)).to.equal(true);
      expect(await read(visitor, place(sale))).to.include(place(sale, 'decide'));
      const page = await read(visitor, place(sale, 'decide'));
      expect(page).to.include('entraram R$ 0,80 de').and.include('voltam R$ 0,80');
      for (const [fields, words] of [
        [{ choice: '', note: '' }, ['Escolha o que fazer', 'Escreva por quê']],
        [{ choice: 'returned', note: 'TED', returned: 'x' }, ['Escreva o valor devolvido']],
        [
          { choice: 'returned', note: 'TED', returned: '10', protocol: 'x'.repeat(101) },
          ['até 100 caracteres'],
        ],
      ] as const) {
        const answer = await send(visitor, place(sale, 'decide'), fields);
        const text = await answer.text();
        expect(answer.status).to.equal(422);
        for (const each of words) expect(text).to.include(each);
      }
      const none = { choice: 'returned', note: 'TED', returned: '0,80', protocol: 'E1' };
      const refused = await send(visitor, place(sale, 'decide'), none);
      expect([refused.status, await refused.text()])
        .to.have.property('1')
        .that.includes('Não há o que decidir');
      const done = await send(visitor, place(sale, 'decide'), { choice: 'accept', note: 'ok' });
      expect(goneTo(done)).to.equal(`${place(sale)}?done=decide`);
      expect((await load(sale)).status).to.equal('issued');

      const other = await short();
      await send(visitor, place(other, 'decide'), { choice: 'return', note: 'pagou errado' });
      expect((await load(other)).status).to.equal('refused');
    });
  });
});
