import { expect } from 'chai';
import {
  type Body,
  detailsOf,
  isCode,
  type SaleOptions,
} from '../../../adapters/client/src/index.ts';
import { mainBody, withApi } from '../../support/api.ts';
import { clientOf, failureOf, Wire } from '../../support/client.ts';
import { saleOrder } from '../../support/generic-sales.ts';

const INGRESSO = '/seguros/ingresso-protegido/create';
const SALE = '/private/integration/sale';

type Ticket = Body<'createIngressoSale'> & { externalSaleId: string };

const ticketSale = (over = {}) => mainBody(over) as unknown as Ticket;
const honeymoon = (over = {}) => saleOrder(over) as unknown as Body<'createSale'>;

describe("the names of the client's sales", () => {
  withApi((api) => {
    it('must be given: null, undefined and empty text are refused', async () => {
      const wire = new Wire();
      const client = await clientOf(api(), { wire });
      for (const name of [undefined, null, '', ' ', 7]) {
        const sale = ticketSale({ externalSaleId: name });
        expect(await failureOf(client.createIngressoSale(sale))).to.be.instanceOf(TypeError);
        const generic = honeymoon({ externalSaleId: name });
        expect(await failureOf(client.createSale(generic))).to.be.instanceOf(TypeError);
      }
      for (const idempotencyKey of [undefined, null, '']) {
        const options = { idempotencyKey } as SaleOptions & { idempotencyKey: string };
        const sale = ticketSale({ externalSaleId: null });
        expect(await failureOf(client.createIngressoSale(sale, options))).to.be.instanceOf(
          TypeError,
        );
      }
      expect(wire.sent).to.have.length(0);
      const sale = ticketSale({ externalSaleId: null });
      const sold = await client.createIngressoSale(sale, { idempotencyKey: 'beside-null' });
      expect(detailsOf(sold)).to.include({
        externalSaleId: undefined,
        idempotencyKey: 'beside-null',
      });
    });

    it('that cannot be sent are faults of the caller, which no request follows', async () => {
      const wire = new Wire();
      const client = await clientOf(api(), { wire });
      for (const idempotencyKey of ['a b', 'a\nb', 'pedido–7', 'x'.repeat(256)]) {
        const failure = await failureOf(
          client.createIngressoSale(ticketSale(), { idempotencyKey }),
        );
        expect(failure).to.be.instanceOf(TypeError);
        expect(String(failure)).not.to.include(idempotencyKey);
      }
      const huge = ticketSale({ externalSaleId: 'huge', valorIngresso: 7n });
      expect(await failureOf(client.createIngressoSale(huge))).to.be.instanceOf(TypeError);
      for (const name of ['', '.', '..', ' ', undefined, null])
        expect(await failureOf(client.getSale(name as string))).to.be.instanceOf(TypeError);
      expect(wire.sent).to.have.length(0);
    });

    it('of lost sales differ by kind, since getSale finds one kind alone', async () => {
      const wire = new Wire().disturb(INGRESSO, async ({ pass }) => {
        await pass();
        throw new TypeError('terminated');
      });
      const client = await clientOf(api(), { wire, retry: { attempts: 1 } });
      const named = await failureOf(
        client.createIngressoSale(ticketSale({ externalSaleId: 'told-1' })),
      );
      expect(named).to.include({ externalSaleId: 'told-1', idempotencyKey: undefined });
      expect((await client.getSale('told-1')).success).to.equal(true);
      const idempotencyKey = 'told-2';
      const keyed = await failureOf(client.createIngressoSale(ticketSale(), { idempotencyKey }));
      expect(keyed).to.include({ externalSaleId: undefined, idempotencyKey });
      expect(isCode(await failureOf(client.getSale(idempotencyKey)), 'not_found')).to.equal(true);
      wire.disturb(INGRESSO, ({ pass }) => pass());
      const again = await client.createIngressoSale(ticketSale(), { idempotencyKey });
      expect(detailsOf(again).isReplayed).to.equal(true);
    });

    it('are sent as they were when the method was called, in each try', async () => {
      const order = { externalSaleId: 'reused-1' };
      const body = honeymoon(order);
      const wire = new Wire().disturb(SALE, async ({ pass }, earlier) => {
        if (earlier === 0) throw new TypeError('fetch failed');
        return pass();
      });
      const client = await clientOf(api(), { wire });
      const selling = client.createSale(body);
      Object.assign(body, { externalSaleId: 'reused-2' });
      await selling;
      for (const { body: text } of wire.to(SALE))
        expect(JSON.parse(text)).to.have.property('externalSaleId', 'reused-1');
      expect(wire.to(SALE)).to.have.length(2);
    });
  });
});
