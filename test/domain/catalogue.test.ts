import { findOffer, isRefusal, type ProductReference, rate } from '@insurance-sales/domain';
import { expect } from 'chai';
import { DEMO_PRODUCTS } from '../../bootstrap/demo-catalogue.ts';
import { channel, grant, plan, product, TICKET_PRODUCT } from '../support/catalogue.ts';

const find = (
  reference: ProductReference,
  products = DEMO_PRODUCTS,
  seller: ReturnType<typeof channel> | undefined = channel(),
) => findOffer(products, seller, 'event_ticket', reference, 'channel');

const refusalOf = (found: ReturnType<typeof find>): string | undefined => (isRefusal(found) ? found.kind : undefined);

describe('what a channel may sell', () => {
  it('is found by the product id, with its default plan', () => {
    expect(find({ id: 1 })).to.deep.include({ product: TICKET_PRODUCT, plan: TICKET_PRODUCT.plans[0], commissionRate: 200_000 });
  });

  it('is found by a plan id, which picks that plan', () => {
    const two = product({ plans: [plan(), plan({ id: 92, code: 'MAIOR' })] });
    const offer = find({ id: 92 }, [two], channel({ grants: [grant('OUTRO')] }));
    expect(offer).to.deep.include({ plan: two.plans[1] });
  });

  it('is found by its code, or as the only one of its line', () => {
    expect(find({ code: 'INGRESSO' })).to.deep.include({ product: TICKET_PRODUCT });
    expect(find({ only: true })).to.deep.include({ product: TICKET_PRODUCT });
  });

  it('is the only one granted, however many there are', () => {
    expect(find({ only: true }, [...DEMO_PRODUCTS, product()])).to.deep.include({ product: TICKET_PRODUCT });
  });

  it('is ambiguous where two of the line are granted', () => {
    const found = find({ only: true }, [...DEMO_PRODUCTS, product()], channel({ grants: [grant('INGRESSO'), grant('OUTRO')] }));
    expect(refusalOf(found)).to.equal('product_ambiguous');
  });

  it('carries the commission of its plan where the plan has one', () => {
    const grants = [{ ...grant('INGRESSO'), plans: [{ planCode: 'PADRAO', commissionRate: rate(125_000) }] }];
    expect(find({ id: 1 }, DEMO_PRODUCTS, channel({ grants }))).to.include({ commissionRate: 125_000 });
  });

  it('is nothing of another line, and nothing unknown', () => {
    for (const reference of [{ id: 3 }, { id: 31 }, { id: 99 }, { code: 'CELULAR' }, { code: 'NADA' }]) {
      expect(refusalOf(find(reference))).to.equal('product_unknown');
    }
  });

  it('is nothing whose payment goes to the service, where the channel says it was paid', () => {
    const paidToService = product({ collectedBy: 'service' });
    expect(refusalOf(find({ code: 'OUTRO' }, [paidToService], channel({ grants: [grant('OUTRO')] })))).to.equal(
      'payment_not_with_channel',
    );
  });

  it('is nothing without a grant, nor for a channel that is unknown or inactive', () => {
    expect(refusalOf(find({ id: 1 }, DEMO_PRODUCTS, channel({ grants: [] })))).to.equal('product_not_granted');
    expect(refusalOf(findOffer(DEMO_PRODUCTS, undefined, 'event_ticket', { id: 1 }, 'channel'))).to.equal('product_not_granted');
    expect(refusalOf(find({ id: 1 }, DEMO_PRODUCTS, channel({ active: false })))).to.equal('channel_inactive');
  });
});
