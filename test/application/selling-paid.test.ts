import { expect } from 'chai';
import {
  type CalendarDate,
  cents,
  type Email,
  type Phone,
  type Product,
  parseDate,
  parseTaxId,
  refuse,
  refuseAt,
  type TaxId,
} from '#domain';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import type { Sell, SellOutcome } from '../../application/selling/sell.ts';
import { type MemoryService, memoryService } from '../../bootstrap/composition/memory.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import { TICKET_PRODUCT } from '../support/catalogue.ts';
import { ADMINISTRATOR } from '../support/identity.ts';

const day = (text: string): CalendarDate => parseDate(text) as CalendarDate;

const request = (over: Partial<SaleRequest> = {}): SaleRequest => ({
  client: { clientId: 'client-1', channelLink: 'canal-demo' },
  channelLink: 'canal-demo',
  line: 'event_ticket',
  product: { id: 1 },
  insured: {
    name: 'Maria da Silva',
    taxId: parseTaxId('52998224725') as TaxId,
    birthDate: day('1990-05-17'),
    email: 'maria@example.com' as Email,
    phone: '11987654321' as Phone,
  },
  insuredObject: { ticketNumber: 'A-1' },
  insuredAmount: cents(188_600),
  declaredPrice: cents(18_860),
  eventOn: day('2026-12-31'),
  payment: { collectedBy: 'channel', method: 'pix', paidOn: day('2026-11-20') },
  ...over,
});

/** The outcome when the key of `first` is used again. */
const repeatOf = (first: SellOutcome) => ({ ...first, replayed: true });

describe('selling what the channel collects', () => {
  let memory: MemoryService;
  let sell: Sell;

  beforeEach(async () => {
    memory = memoryService();
    await loadDemoCatalogue(memory.useCases);
    sell = memory.useCases.sell;
  });

  const putTicketProduct = (over: Partial<Product>) =>
    memory.useCases.manageCatalogue.putProduct({ ...TICKET_PRODUCT, ...over }, ADMINISTRATOR);

  it('prices the sale, freezes its terms, and stores it as paid', async () => {
    const outcome = await sell(request());
    if (outcome.kind !== 'sold') throw new Error(outcome.kind);
    const { sale } = outcome;
    expect(sale).to.include({
      status: 'paid',
      version: 1,
      registeredAt: '2026-11-20T15:00:00.000Z',
    });
    expect(sale.terms.quote.premium).to.include({ net: 18_860, iof: 1_392, total: 20_252 });
    expect(sale.terms.quote.commission).to.deep.include({
      base: 18_860,
      amount: 3_772,
      netAmount: 16_480,
    });
    expect(sale.terms).to.deep.include({
      period: { start: '2026-11-20', end: '2026-12-31' },
      channelName: 'Canal de demonstração',
      product: {
        id: 1,
        code: 'INGRESSO',
        line: 'event_ticket',
        name: 'Ingresso Protegido',
        version: 1,
      },
      plan: { id: 11, code: 'PADRAO' },
      soldOn: '2026-11-20',
    });
    expect(await memory.sales.find('canal-demo', sale.id)).to.deep.equal(sale);
  });

  it('uses the tariff if the partner declares no price', async () => {
    const { declaredPrice: _, ...undeclared } = request();
    const outcome = await sell(undeclared);
    expect(outcome.kind === 'sold' && outcome.sale.terms.quote.premium.net).to.equal(18_860);
  });

  it('returns the earlier sale for the same key and equivalent JSON content', async () => {
    const first = await sell(
      request({
        idempotency: { owner: 'client', key: 'k', content: { a: 10, b: { c: [1, 2] }, d: null } },
      }),
    );
    const again = await sell(
      request({
        idempotency: { owner: 'client', key: 'k', content: { b: { c: [1, 2] }, a: 10.0 } },
      }),
    );
    expect(again).to.deep.equal(repeatOf(first));
  });

  it('reports the differences when a key is used for other content', async () => {
    const first = await sell(
      request({
        idempotency: {
          owner: 'client',
          key: 'k',
          content: { a: 1, b: { c: 'x' }, list: [1], same: true },
        },
      }),
    );
    const other = await sell(
      request({
        idempotency: {
          owner: 'client',
          key: 'k',
          content: { a: 2, b: { c: 'y' }, list: { 0: 1 }, same: true, e: 'new' },
        },
      }),
    );
    expect(other).to.deep.equal({
      ...refuse('key_reused'),
      owner: 'client',
      saleId: first.kind === 'sold' && first.sale.id,
      differences: [
        { path: 'a', stored: 1, received: 2 },
        { path: 'b.c', stored: 'x', received: 'y' },
        { path: 'e', stored: null, received: 'new' },
        { path: 'list', stored: [1], received: { 0: 1 } },
      ],
    });
  });

  it('returns the earlier sale even if the catalogue no longer allows it', async () => {
    const idempotency = { owner: 'client', key: 'k', content: { a: 1 } } as const;
    const first = await sell(request({ idempotency }));
    await memory.useCases.manageCatalogue.putChannel(
      { ...DEMO_CHANNEL, grants: [] },
      ADMINISTRATOR,
    );
    expect(await sell(request({ idempotency }))).to.deep.equal(repeatOf(first));
    expect(
      await sell(request({ idempotency: { owner: 'client', key: 'new', content: 1 } })),
    ).to.deep.equal({
      ...refuse('not_sellable'),
      reasons: [refuse('product_not_granted')],
      attributeFaults: [],
    });
  });

  it('keeps the amounts of a stored sale when the catalogue changes', async () => {
    const idempotency = { owner: 'client', key: 'k', content: { a: 1 } } as const;
    const first = await sell(request({ idempotency }));
    await putTicketProduct({ iofClass: 'life' });
    expect(await sell(request({ idempotency }))).to.deep.equal(repeatOf(first));
    const next = await sell(request());
    expect(next.kind === 'sold' && next.sale.terms.quote.premium.iofRate).to.equal(3_800);
  });

  it('reports no other reason if the client may not sell for the channel', async () => {
    const outcome = await sell(request({ channelLink: 'canal-alheio', product: { id: 99 } }));
    expect(outcome).to.deep.equal({
      ...refuse('not_sellable'),
      reasons: [refuse('channel_not_own')],
      attributeFaults: [],
    });
    const administrator = await sell(request({ client: { clientId: 'admin', channelLink: null } }));
    expect(administrator).to.deep.equal({
      ...refuse('not_sellable'),
      reasons: [refuse('channel_not_own')],
      attributeFaults: [],
    });
  });

  it('reports all reasons for a refusal at once, and stores nothing', async () => {
    const outcome = await sell(
      request({
        product: { id: 99 },
        eventOn: day('2026-11-20'),
        payment: { collectedBy: 'channel', paidOn: day('2026-11-21') },
        insured: { ...request().insured, birthDate: day('2030-01-01') },
      }),
    );
    expect(outcome).to.deep.equal({
      ...refuse('not_sellable'),
      reasons: [
        refuseAt('product_unknown', ['id'], [{ id: 1, code: 'INGRESSO' }]),
        ...['paid_in_future', 'event_before_payment', 'born_in_future'].map((kind) => refuse(kind)),
      ],
      attributeFaults: [],
    });
    expect(await memory.sales.find('canal-demo', 1)).to.equal(undefined);
  });

  it('refuses a payment on a day without an IOF rate', async () => {
    const outcome = await sell(
      request({ payment: { collectedBy: 'channel', paidOn: day('2008-01-02') } }),
    );
    expect(outcome).to.deep.equal({
      ...refuse('not_sellable'),
      reasons: [refuseAt('iof_rate_missing', ['paidOn'])],
      attributeFaults: [],
    });
  });

  it('refuses a sale without a declared period if the plan requires one', async () => {
    await putTicketProduct({
      plans: [{ ...TICKET_PRODUCT.plans[0], period: { kind: 'declared' } }],
    });
    expect(await sell(request())).to.deep.equal({
      ...refuse('not_sellable'),
      reasons: [refuse('period_not_declared')],
      attributeFaults: [],
    });
  });
});
