import { expect } from 'chai';
import {
  type CalendarDate,
  checkOffer,
  findOffer,
  grantedProducts,
  isRefusal,
  type Offer,
  type OfferRequest,
  offeredInstallments,
  type Product,
  type ProductReference,
  refuse,
  refuseAt,
} from '#domain';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import {
  channel,
  commissionOf,
  grant,
  plan,
  product,
  TICKET_PRODUCT,
} from '../support/catalogue.ts';

const sell = (
  request: OfferRequest,
  products = DEMO_PRODUCTS,
  seller: ReturnType<typeof channel> | undefined = channel(),
) => findOffer(products, seller, { line: 'event_ticket', paidTo: 'channel', ...request });
const find = (reference: ProductReference, products = DEMO_PRODUCTS, seller = channel()) =>
  sell({ product: reference }, products, seller);

const names = (entries: readonly { readonly id: number; readonly code: string }[]) =>
  entries.map(({ id, code }) => ({ id, code }));
const [PHONE] = DEMO_PRODUCTS.filter(({ line }) => line === 'mobile_phone') as [Product];
const PLANS = names(PHONE.plans);
const COVERAGES = names(PHONE.coverages);

const refusalOf = (found: ReturnType<typeof find>): string | undefined =>
  isRefusal(found) ? found.kind : undefined;

describe('an offer', () => {
  it('is found by product id, with the default plan and the commissions of the grant', () => {
    expect(find({ id: 1 })).to.deep.equal({
      product: TICKET_PRODUCT,
      plan: TICKET_PRODUCT.plans[0],
      coverages: [],
      commissions: [commissionOf(200_000)],
      channelName: 'Canal de demonstração',
    });
  });

  it('names the version of the channel, if the catalogue counts versions', () => {
    const versioned = { ...channel(), version: 4 };
    const offer = findOffer(DEMO_PRODUCTS, versioned, { product: { id: 1 } });
    expect(offer).to.deep.include({ channelVersion: 4 });
  });

  it('ends with the version of the product or of the channel, whichever ends first', () => {
    const day = (text: string) => text as CalendarDate;
    const untilOf = (productUntil?: string, channelUntil?: string) => {
      const [ticket, seller] = [TICKET_PRODUCT, channel()];
      const offer = findOffer(
        [productUntil === undefined ? ticket : { ...ticket, until: day(productUntil) }],
        channelUntil === undefined ? seller : { ...seller, until: day(channelUntil) },
        { product: { id: 1 } },
      );
      return (offer as Offer).until;
    };
    expect(untilOf('2026-12-31', '2026-12-09')).to.equal('2026-12-09');
    expect(untilOf('2026-12-31')).to.equal('2026-12-31');
    expect(untilOf()).to.equal(undefined);
  });

  it('is found by plan id, with that plan', () => {
    const two = product({ plans: [plan(), plan({ id: 92, code: 'MAIOR' })] });
    const offer = find({ id: 92 }, [two], channel({ grants: [grant('OUTRO')] }));
    expect(offer).to.deep.include({ plan: two.plans[1] });
  });

  it('is found by product code, or as the only product of its line', () => {
    expect(find({ code: 'INGRESSO' })).to.deep.include({ product: TICKET_PRODUCT });
    expect(find({ only: true })).to.deep.include({ product: TICKET_PRODUCT });
  });

  it('ignores products of the line that the channel was not granted', () => {
    expect(find({ only: true }, [...DEMO_PRODUCTS, product()])).to.deep.include({
      product: TICKET_PRODUCT,
    });
  });

  it('is refused as ambiguous if two products of the line are granted', () => {
    const found = find(
      { only: true },
      [...DEMO_PRODUCTS, product()],
      channel({ grants: [grant('INGRESSO'), grant('OUTRO')] }),
    );
    expect(refusalOf(found)).to.equal('product_ambiguous');
  });

  it('has the commissions of the plan, if the plan has its own', () => {
    const ofPlan = [commissionOf(125_000, 'brokerage'), commissionOf(50_000, 'pro_labore')];
    const grants = [{ ...grant('INGRESSO'), plans: [{ planCode: 'PADRAO', commissions: ofPlan }] }];
    expect(find({ id: 1 }, DEMO_PRODUCTS, channel({ grants }))).to.deep.include({
      commissions: ofPlan,
    });
    const others = [{ ...grant('INGRESSO'), plans: [{ planCode: 'OUTRO', commissions: ofPlan }] }];
    expect(find({ id: 1 }, DEMO_PRODUCTS, channel({ grants: others }))).to.deep.include({
      commissions: [commissionOf(200_000)],
    });
  });

  it('is refused for a product that is unknown or of another line', () => {
    for (const reference of [
      { id: 1, code: 'CELULAR' },
      { id: 3, code: 'INGRESSO' },
      { id: 11, code: 'INGRESSO' },
    ]) {
      expect(refusalOf(find(reference))).to.equal('product_unknown');
    }
    for (const reference of [
      { id: 3 },
      { id: 31 },
      { id: 99 },
      { code: 'CELULAR' },
      { code: 'NADA' },
      { code: 'PADRAO' },
    ]) {
      expect(refusalOf(find(reference))).to.equal('product_unknown');
    }
  });

  it('is found in every line and for every collector, if the request names none', () => {
    const anything = { line: undefined, paidTo: undefined };
    expect(sell({ ...anything, product: { code: 'LUA_DE_MEL' } })).to.deep.include({
      product: DEMO_PRODUCTS[3],
    });
    expect(refusalOf(sell({ ...anything, product: { only: true } }))).to.equal('product_ambiguous');
  });

  it('is refused if the request and the product name different collectors', () => {
    const phone = { product: { id: 1 }, line: undefined };
    const paidTo = (collectedBy: Product['collectedBy'], side: 'channel' | 'service' | undefined) =>
      sell({ ...phone, paidTo: side }, [product({ id: 1, code: 'INGRESSO', collectedBy })]);
    expect(paidTo('service', 'channel')).to.deep.equal(refuse('payment_not_with_channel'));
    expect(paidTo('channel', 'service')).to.deep.equal(refuse('payment_not_with_service'));
    for (const [collectedBy, side] of [
      ...([
        ['service', 'service'],
        ['service', undefined],
        ['channel', 'channel'],
        ['channel', undefined],
      ] as const),
      ...([
        ['either', 'channel'],
        ['either', 'service'],
        ['either', undefined],
      ] as const),
    ]) {
      expect(paidTo(collectedBy, side), `${collectedBy} ${side}`).to.have.property('product');
    }
  });

  it('is refused without a grant, and for a channel that is unknown or inactive', () => {
    expect(refusalOf(find({ id: 1 }, DEMO_PRODUCTS, channel({ grants: [] })))).to.equal(
      'product_not_granted',
    );
    expect(refusalOf(find({ id: 1 }, DEMO_PRODUCTS, channel({ active: false })))).to.equal(
      'channel_inactive',
    );
    expect(findOffer(DEMO_PRODUCTS, undefined, { product: { id: 1 } })).to.deep.equal(
      refuse('product_not_granted'),
    );
  });
});

const asChannels = (each: Product): Product => ({ ...each, collectedBy: 'channel' });

describe('a requested plan and requested coverages', () => {
  const phone = { line: 'mobile_phone', product: { code: 'CELULAR' }, paidTo: 'service' } as const;
  const [, , celular] = DEMO_PRODUCTS;

  it('are found by id or code, in the order of the request', () => {
    const byId = sell({
      ...phone,
      plan: { id: 32 },
      coverages: [{ id: 302 }, { code: 'QUEBRA_TELA' }],
    }) as Offer;
    expect(byId.plan).to.equal(celular?.plans[1]);
    expect(byId.coverages).to.deep.equal([celular?.coverages[1], celular?.coverages[0]]);
    expect((sell({ ...phone, plan: { code: 'ANUAL' } }) as Offer).plan.id).to.equal(32);
    expect((sell({ ...phone, plan: { id: 32, code: 'ANUAL' } }) as Offer).plan.id).to.equal(32);
    expect((sell({ ...phone, product: { id: 3, code: 'CELULAR' } }) as Offer).plan.id).to.equal(31);
  });

  it('are refused if the request names the product by the id of another plan', () => {
    expect((sell({ ...phone, product: { id: 32 }, plan: { id: 32 } }) as Offer).plan.id).to.equal(
      32,
    );
    expect(
      (sell({ ...phone, product: { only: true }, plan: { id: 32 } }) as Offer).plan.id,
    ).to.equal(32);
    expect(sell({ ...phone, product: { id: 31 }, plan: { id: 32 } })).to.deep.equal(
      refuseAt('plan_unknown', ['id'], PLANS),
    );
  });

  it('select the commissions of the plan', () => {
    const grants = [
      { ...grant('CELULAR'), plans: [{ planCode: 'ANUAL', commissions: [commissionOf(1)] }] },
    ];
    const offer = sell({ ...phone, plan: { id: 32 } }, DEMO_PRODUCTS, channel({ grants })) as Offer;
    expect(offer.commissions).to.deep.equal([commissionOf(1)]);
  });

  it('must belong to the product', () => {
    for (const [plan, part] of [
      [{ id: 11 }, 'id'],
      [{ id: 11, code: 'MENSAL' }, 'id'],
      [{ id: 32, code: 'MENSAL' }, 'code'],
      [{ code: 'NADA' }, 'code'],
    ] as const)
      expect(sell({ ...phone, plan })).to.deep.equal(refuseAt('plan_unknown', [part], PLANS));
  });

  it('are refused with the position of each wrong coverage', () => {
    const ofOtherProduct = [{ id: 301 }, { id: 201 }, { code: 'NADA' }, { id: 302, code: 'X' }];
    expect(sell({ ...phone, coverages: ofOtherProduct })).to.deep.equal(
      refuseAt('coverage_unknown', ['1.id', '2.code', '3.code'], COVERAGES),
    );
    const twice = [{ id: 301 }, { code: 'QUEBRA_TELA' }, { id: 301, code: 'QUEBRA_TELA' }];
    expect(sell({ ...phone, coverages: twice })).to.deep.equal(
      refuseAt('coverage_repeated', ['1.code', '2.id']),
    );
  });

  it('are refused with all reasons at once, beside what was found', () => {
    const examine = (request: Partial<OfferRequest>) =>
      checkOffer(DEMO_PRODUCTS.map(asChannels), channel(), { ...phone, ...request });
    const wrong = [{ id: 301 }, { id: 301 }, { code: 'NADA' }];
    const unknown = examine({ plan: { id: 99 }, coverages: wrong });
    expect(unknown).to.deep.equal({
      refusals: [
        refuse('payment_not_with_service'),
        refuseAt('plan_unknown', ['id'], PLANS),
        refuseAt('coverage_unknown', ['2.code'], COVERAGES),
        refuseAt('coverage_repeated', ['1.id']),
      ],
      product: asChannels(celular as Product),
    });
    const { plan, offer } = examine({ plan: { id: 32 }, coverages: wrong });
    expect([plan, offer]).to.deep.equal([celular?.plans[1], undefined]);
    const known = examine({ plan: { id: 32 } });
    expect(known.refusals).to.deep.equal([refuse('payment_not_with_service')]);
    expect(known.offer?.plan).to.equal(known.plan);
  });

  it('have an offer of the same price where what is unknown cannot change it', () => {
    const artist = { line: 'artist', paidTo: 'service' } as const;
    const judge = (request: Partial<OfferRequest>, products = DEMO_PRODUCTS) =>
      checkOffer(products, channel(), { ...artist, product: { id: 2 }, ...request }).alike;
    const [own] = DEMO_PRODUCTS.filter(({ id }) => id === 2) as [Product];
    expect(judge({ plan: { id: 99 } })?.plan).to.equal(own.plans[0]);
    expect(judge({ plan: { id: 99 }, coverages: [{ id: 99 }] })?.coverages).to.deep.equal([]);
    expect(judge({ coverages: [{ id: 201 }, { id: 99 }] })?.coverages).to.have.length(1);
    expect(judge({ coverages: [{ id: 201 }] })).to.equal(undefined);
    const priced = { ...own, plans: PHONE.plans };
    expect(judge({ plan: { id: 99 } }, [priced])).to.equal(undefined);
    expect(judge({ coverages: [{ id: 99 }] }, [{ ...own, coverages: PHONE.coverages }])).to.equal(
      undefined,
    );
  });

  it('find a product by its code in other capitals where that is asked for', () => {
    const reference = { code: 'celular', inAnyCase: true } as const;
    const found = sell({ ...phone, line: undefined, product: reference });
    expect(found).to.deep.include({ plan: PHONE.plans[0] });
    expect(refusalOf(sell({ ...phone, product: { code: 'celular' } }))).to.equal('product_unknown');
  });

  it('name the wrong part of a product that is unknown', () => {
    for (const [product, part] of [
      [{ id: 99 }, 'id'],
      [{ code: 'NADA' }, 'code'],
      [{ id: 3, code: 'NADA' }, 'code'],
      [{ id: 31, code: 'NADA' }, 'code'],
      [{ id: 1 }, 'id'],
      [{ id: 1, code: 'INGRESSO' }, 'id'],
    ] as const)
      expect(sell({ ...phone, product })).to.deep.equal(
        refuseAt('product_unknown', [part], names([PHONE])),
      );
    expect(sell({ ...phone, line: undefined, product: { id: 1, code: 'X' } })).to.deep.equal(
      refuseAt('product_unknown', ['code'], names(DEMO_PRODUCTS)),
    );
    expect(findOffer(DEMO_PRODUCTS, undefined, { product: { id: 99 } })).to.deep.equal(
      refuseAt('product_unknown', ['id'], []),
    );
    expect(sell({ ...phone, line: 'pet', product: { only: true } })).to.deep.equal(
      refuse('product_unknown'),
    );
  });
});

describe('the installments of a premium that is paid by card', () => {
  it('are as many as the plan has, or one where the channel collects', () => {
    const [sold] = PHONE.plans;
    const inFull = { ...sold, maxInstallments: 12 };
    expect(offeredInstallments({ product: PHONE, plan: inFull })).to.equal(12);
    const byChannel: Product = { ...PHONE, collectedBy: 'channel' };
    expect(offeredInstallments({ product: byChannel, plan: inFull })).to.equal(1);
  });
});

describe('what a channel may sell', () => {
  it('are the granted products in the order of the catalogue, with the commissions of each plan', () => {
    const two = product({ plans: [plan(), plan({ id: 92, code: 'MAIOR' })] });
    const granted = {
      ...grant('OUTRO'),
      commissions: [commissionOf(100_000)],
      plans: [{ planCode: 'MAIOR', commissions: [commissionOf(150_000)] }],
    };
    const seller = channel({ grants: [granted, grant('INGRESSO')] });
    const [ticket, other, ...more] = grantedProducts([TICKET_PRODUCT, two], seller);
    expect(more).to.deep.equal([]);
    expect(ticket?.product).to.equal(TICKET_PRODUCT);
    expect(other?.plans).to.deep.equal([
      { plan: two.plans[0], commissions: [commissionOf(100_000)] },
      { plan: two.plans[1], commissions: [commissionOf(150_000)] },
    ]);
  });

  it('is nothing for an unknown or inactive channel, or without a grant', () => {
    for (const seller of [undefined, channel({ active: false }), channel({ grants: [] })])
      expect(grantedProducts(DEMO_PRODUCTS, seller)).to.deep.equal([]);
  });
});
