import { expect } from 'chai';
import { CREATE, mainBody, withApi } from '../../support/api.ts';
import { ANA, linkFor } from '../../support/people.ts';
import { within } from '../../support/stores.ts';
import { Visitor } from '../../support/visitor.ts';
import { readSheets } from '../../support/xlsx.ts';

describe('statements in the console', () => {
  withApi((api) => {
    const enter = async (): Promise<Visitor> => {
      const visitor = new Visitor(api().url);
      await visitor.post(await linkFor(api().memory, { ...ANA, role: 'finance' }));
      return visitor;
    };
    const read = async (visitor: Visitor, search = ''): Promise<string> =>
      (await visitor.get(`/console/statements${search}`)).text();

    it('close a month: what was sold, given back and is owed, as the channel reads it', async () => {
      const { memory } = api();
      const token = await api().bearer();
      for (const numeroIngresso of ['M-1', 'M-2', 'M-3'])
        await api().post(CREATE, mainBody({ numeroIngresso }), token);
      const sale = await memory.sales.load(1);
      if (sale === undefined) throw new Error('no sale');
      const actor = { kind: 'service', name: null, address: null, requestId: null } as const;
      await memory.useCases.cancelSale.cancel({ sale, by: 'insured', actor });
      await memory.runJobs();
      const visitor = await enter();
      const page = await read(visitor, '?channel=canal-demo&month=2026-11');
      expect(page)
        .to.include('<dt>Vendido</dt><dd>R$ 607,56</dd>')
        .and.include('<dt>Devolvido</dt><dd>R$ 202,52</dd>')
        .and.include('<dt>Vendido menos devolvido</dt><dd>R$ 405,04</dd>')
        .and.include('O mês ainda está aberto')
        .and.include('<dt>O canal deve à seguradora</dt><dd>R$ 329,60</dd>')
        .and.include('20/11/2026');
      const of = '?channel=canal-demo&month=2026-11';
      const { body } = await api().get('/private/integration/statement?month=2026-11', token);
      expect(
        body.response.data.owed_by_channel ?? body.response.data.totals.owed_by_channel,
      ).to.equal(329.6);
      const csv = await visitor.get(`/console/statements/file${of}&form=csv`);
      expect(csv.headers.get('Content-Disposition')).to.equal(
        'attachment; filename="extrato-canal-demo-2026-11.csv"',
      );
      expect((await csv.text()).trim().split('\r\n').length).to.be.greaterThan(4);
      const xlsx = await visitor.get(`/console/statements/file${of}&form=xlsx`);
      expect(await readSheets(new Uint8Array(await xlsx.arrayBuffer()))).to.have.length(2);
    });

    it('are read line by line by few at once', async () => {
      const { sales } = api().memory;
      const visitor = await enter();
      const address = '/console/statements/file?channel=canal-demo&month=2026-11&form=csv';
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const { booked } = sales;
      sales.booked = async function* holdLines(...given) {
        await held;
        yield* booked.apply(sales, given);
      };
      const three = [1, 2, 3].map(() => visitor.get(address));
      const refused = await Promise.any(
        three.map(async (each) => {
          expect((await each).status).to.equal(429);
          return each;
        }),
      );
      expect(await refused.text()).to.include('2 arquivos em andamento');
      release();
      sales.booked = booked;
      const sent = (await Promise.all(three)).filter(({ status }) => status === 200);
      expect(sent).to.have.length(2);
      for (const each of sent) expect((await each.text()).length).to.be.above(99);
      await within(
        () => visitor.get(address),
        ({ status }) => status === 200,
      );
    });

    it('are of all channels and this month at first, and say what is wrong', async () => {
      const visitor = await enter();
      expect(await read(visitor))
        .to.include('value="2026-11"')
        .and.include('Escolha um canal para');
      expect(await read(visitor, '?month=2026-12')).to.include('<dt>Vendido</dt><dd>R$ 0,00');
      for (const bad of ['?channel=nenhum', '?month=novembro', '?month=2026-13']) {
        const page = await visitor.get(`/console/statements${bad}`);
        expect([page.status, (await page.text()).includes('Confira')], bad).to.deep.equal([
          ...[422, true],
        ]);
        expect((await visitor.get(`/console/statements/file${bad}`)).status).to.equal(303);
      }
      expect((await visitor.get('/console/statements/file')).status).to.equal(303);
    });

    it('say from which day on the sums are, where earlier ones are not counted yet', async () => {
      const { memory } = api();
      expect(await read(await enter())).not.to.include('totals rebuild');
      // As after an upgrade of a version that counted nothing.
      await memory.bookingTotals.empty();
      memory.clock.advance(40 * 86_400);
      const token = await api().bearer();
      await api().post(CREATE, mainBody({ numeroIngresso: 'M-9' }), token);
      await memory.runJobs();
      const visitor = await enter();
      expect(await read(visitor, '?month=2026-11'))
        .to.include('Nada de antes de 30/12/2026')
        .and.include('totals rebuild');
      expect(await read(visitor, '?month=2027-01')).not.to.include('totals rebuild');
    });
  });
});
