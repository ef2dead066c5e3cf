import { expect } from 'chai';
import type { Instant } from '#domain';
import { presentEvent } from '../../../../adapters/http/events/event-body.ts';
import type { PartnerEvent } from '../../../../application/events/partner-events.ts';
import { type Answer, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { creditCard, phoneOrder } from '../../../support/orders.ts';

const FEED = '/private/integration/events';
const CELULAR = '/seguros/seguro-celular/create';

type Shown = Record<string, unknown>;

interface Told {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Shown;
}

describe('the feed of events', () => {
  withApi((api) => {
    let seller: { Authorization: string };
    let other: { Authorization: string };
    before(async () => {
      await api().channel('loja');
      await api().channel('outra-loja');
      [seller, other] = [await api().bearer('loja'), await api().bearer('outra-loja')];
    });
    const read = (query = '', headers = seller): Promise<Answer> =>
      api().get(`${FEED}${query}`, headers);
    const events = async (query = '', headers = seller): Promise<readonly Told[]> => {
      const { status, body } = await read(query, headers);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.data;
    };
    const cursorNow = async (): Promise<string> => {
      let [after, hasMore] = ['', true];
      while (hasMore) {
        const { body } = await read(`?limit=200${after && `&after=${after}`}`);
        [after, hasMore] = [body.next_cursor, body.has_more];
      }
      return after;
    };
    const sell = async (externalSaleId: string, over: object = {}): Promise<Shown> =>
      (await api().post(SALE, saleOrder({ externalSaleId, ...over }), seller)).body.data;
    const PENDING = { payment: { status: 'pending', method: 'pix' } };
    const payOnPage = async ({ payment_url }: Shown): Promise<void> => {
      const charge = String(payment_url).split('/').at(-1) as string;
      await api().memory.sandbox.payOnPage(charge, 'pix', undefined, 'once');
      await api().memory.runJobs();
    };

    it('tells the way of a sale, each time as a GET showed it then', async () => {
      const after = await cursorNow();
      const link = await sell('way', PENDING);
      const shown = (await api().get(`${SALE}/way`, seller)).body.data;
      await payOnPage(link);
      await api().post(`${SALE}/way/cancel`, {}, seller);
      const told = await events(`?after=${after}`);
      expect(told.map(({ type }) => type)).to.deep.equal([
        'sale.registered',
        'sale.awaiting_payment',
        'sale.paid',
        'sale.issued',
        'certificate.sent',
        'sale.cancelled',
        'sale.refunded',
      ]);
      for (const { data } of told) expect(data['external_sale_id']).to.equal('way');
      const [registered, awaiting] = told as [Told, Told];
      expect(registered.data).to.deep.include({ status: 'pending', version: 1 });
      const { version, ...data } = awaiting.data;
      expect(data).to.deep.equal(shown);
      expect(version).to.be.a('number');
      const ofSale = told.filter(({ type }) => type.startsWith('sale.'));
      const versions = ofSale.map((each) => Number(each.data['version']));
      expect(versions).to.deep.equal([...new Set(versions)].sort((one, next) => one - next));
      expect(told[4]?.data['mailing']).to.deep.equal({ occasion: 'issue', reason: null });
    });

    it('tells a sale that the channel collected as registered and paid', async () => {
      const after = await cursorNow();
      const sold = await sell('collected');
      const [registered, paid] = await events(`?after=${after}`);
      expect([registered?.type, paid?.type]).to.deep.equal(['sale.registered', 'sale.paid']);
      expect(registered?.data).to.deep.include({ ...sold, version: 1 });
      expect(paid?.data).to.deep.equal(registered?.data);
      expect(registered?.timestamp).to.equal(sold['registered_at']);
    });

    it('is followed with next_cursor, to its end and on from there', async () => {
      const start = await cursorNow();
      for (const name of ['page-1', 'page-2', 'page-3']) await sell(name, PENDING);
      let [after, hasMore] = [start, true];
      const seen: string[] = [];
      while (hasMore) {
        const { body } = await read(`?limit=2&after=${after}`);
        seen.push(...body.data.map(({ id }: Told) => id));
        [after, hasMore] = [body.next_cursor, body.has_more];
      }
      expect(seen).to.have.length(6);
      expect(new Set(seen).size).to.equal(6);
      const { body: empty } = await read(`?after=${after}`);
      expect(empty).to.deep.equal({ success: true, data: [], next_cursor: after, has_more: false });
      await sell('page-4');
      expect(await events(`?after=${after}`)).to.have.length(2);
    });

    it('gives the types that are asked for, repeated or with commas', async () => {
      const after = await cursorNow();
      await sell('typed', PENDING);
      await sell('typed-paid');
      const typesOf = async (query: string) =>
        (await events(`?after=${after}&${query}`)).map(({ type }) => type);
      expect(await typesOf('type=sale.paid')).to.deep.equal(['sale.paid']);
      const both = ['sale.awaiting_payment', 'sale.paid'];
      expect(await typesOf('type=sale.paid&type=sale.awaiting_payment')).to.deep.equal(both);
      expect(await typesOf('type=sale.awaiting_payment,sale.paid')).to.deep.equal(both);
    });

    it('shows a channel its own events only', async () => {
      await sell('mine');
      for (const { data } of await events('?limit=200', other))
        expect(data['external_sale_id']).not.to.equal('mine');
      expect((await read('', await api().bearer(null))).status).to.equal(403);
      expect((await read('', {} as typeof seller)).status).to.equal(401);
    });

    it('names every fault of a query', async () => {
      const { status, body } = await read('?after=%20%20&type=sale.stolen&limit=0&page=2');
      expect(status).to.equal(422);
      expect(Object.keys(body.errors)).to.have.members(['after', 'type', 'limit', 'page']);
      for (const cursor of ['AAAA', 'LTE', 'MS41', 'OTk5OTk5OTk5OTk5OTk5OTk5OTk'])
        expect((await read(`?after=${cursor}`)).status, cursor).to.equal(422);
    });

    it('says 410 to a cursor behind which events were deleted', async () => {
      const after = await cursorNow();
      await sell('to-be-deleted');
      await api().memory.partnerEvents.deleteBefore('2100-01-01T00:00:00.000Z' as Instant, 10_000);
      const { status, headers, body } = await read(`?after=${after}`);
      expect([status, headers.get('x-error-code')]).to.deep.equal([410, 'cursor_expired']);
      expect(body.code).to.equal('cursor_expired');
      expect(await events()).to.deep.equal([]);
      await sell('after-deletion');
      expect(await events()).to.have.length(2);
    });
  });
});

describe('the body of an event', () => {
  withApi((api) => {
    /** Values that belong to a person, each easy to find, as the bodies below send them. */
    const PERSONAL = [
      ...['Personal', 'PERSONAL', '52998224725', '529.982.247-25', '98765', '01001', '1990-05-17'],
      ...['490154203237518', '4111', '198.51.100.7', 'secret-agent'],
    ];
    const acceptance = {
      ...{ acceptedAt: '2026-11-20T14:00:00.000Z', termsVersion: '1', termsHash: 'a'.repeat(64) },
      ...{ ipAddress: '198.51.100.7', userAgent: 'secret-agent' },
    };

    it('has no personal data, whatever was sold and however it went on', async () => {
      const { partnerEvents, runJobs } = api().memory;
      const seller = await api().bearer();
      const sell = async (path: string, body: object): Promise<string> => {
        const { status, body: answer } = await api().post(path, body, seller);
        expect(status, JSON.stringify(answer)).to.be.within(200, 201);
        return answer.data.ticket;
      };
      const insured = {
        ...{ name: 'Maria Personal', cpfOrCnpj: '529.982.247-25' },
        ...{ email: 'maria.personal@example.com', phone: '(11) 98765-4321' },
      };
      const attributes = { destination: 'Personal Beach' };
      const generic = { insured, acceptance, attributes };
      const sold = [
        await sell(SALE, saleOrder({ ...generic, externalSaleId: 'paid' })),
        await sell(SALE, {
          ...saleOrder({ ...generic, externalSaleId: 'pix' }),
          payment: { status: 'pending', method: 'pix' },
        }),
        await sell(CREATE, mainBody({ acceptance })),
        await sell(CELULAR, phoneOrder({ creditCard: creditCard(), acceptance })),
      ];
      await runJobs();
      for (const ticket of sold) {
        const email = { email: 'corrected.personal@example.com' };
        for (const [act, body] of [
          ['correct-email', email],
          ['cancel', {}],
        ] as const)
          expect((await api().post(`${SALE}/${ticket}/${act}`, body, seller)).status).to.equal(200);
      }
      await runJobs();

      const kept = partnerEvents.kept as readonly PartnerEvent[];
      expect(kept.map(({ type }) => type)).to.include.members([
        ...['sale.registered', 'sale.awaiting_payment', 'sale.paid', 'sale.issued'],
        ...['sale.cancelled', 'certificate.sent'],
      ]);
      const text = JSON.stringify(kept.map(presentEvent));
      for (const value of PERSONAL) expect(text, value).not.to.contain(value);
    });
  });
});
