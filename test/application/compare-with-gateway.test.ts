import { expect } from 'chai';
import type { Sale } from '#domain';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { cardOf, phoneSale, soldIn, ticketSale, world } from '../support/selling.ts';

describe('comparing a sale with the gateway', () => {
  let here: MemoryService;
  let sale: Sale;
  beforeEach(async () => {
    here = await world();
    sale = soldIn(await here.useCases.sell(phoneSale('credit'), { card: cardOf() }));
  });
  const compare = async () => {
    const before = await here.sales.load(sale.id);
    const { charges, findings } = await here.useCases.compareWithGateway(before as Sale);
    expect(await here.sales.load(sale.id)).to.deep.equal(before);
    return { charges, findings: findings.map(({ kind, act }) => [kind, act]) };
  };

  it('shows its charges, and that nothing differs', async () => {
    const { chargeId, amount } = sale.payment;
    expect(await compare()).to.deep.equal({
      charges: [{ chargeId, amount, returned: 0, there: 'approved' }],
      findings: [],
    });
  });

  it('says what differs, and what is not known', async () => {
    here.payments.find = async () => [];
    expect(await compare()).to.deep.equal({
      charges: [],
      findings: [['charge_missing', 'alert']],
    });
    here.payments.find = async () => 'unreached';
    expect(await compare()).to.deep.equal({
      charges: [],
      findings: [['payment_differs', 'wait']],
    });
    const { chargeId: _, ...payment } = sale.payment;
    const uncharged = { ...sale, payment } as Sale;
    const { findings } = await here.useCases.compareWithGateway(uncharged);
    expect(findings[0]?.chargeId).to.equal('');
  });

  it('asks nothing about a sale that the channel collects', async () => {
    const ofChannel = soldIn(await here.useCases.sell(ticketSale()));
    here.payments.find = () => Promise.reject(new Error('asked'));
    const { charges, findings } = await here.useCases.compareWithGateway(ofChannel);
    expect([charges, findings]).to.deep.equal([[], []]);
  });
});
