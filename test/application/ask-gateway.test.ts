import { expect } from 'chai';
import { askForCharge } from '../../application/saga/ask-gateway.ts';
import type { Work } from '../../application/saga/work.ts';
import { AT, day, pendingSale } from '../support/sales.ts';
import { world } from '../support/selling.ts';

describe('the charge of a sale', () => {
  it('names the product in words, or by its code if an earlier version stored the sale', async () => {
    const { sandbox, clock } = await world();
    const work = { payments: sandbox, clock, now: () => ({ on: day('2026-11-20'), at: AT }) };
    const { product } = pendingSale().terms;
    const charged = async (id: number, over: object): Promise<string | undefined> => {
      const sale = { ...pendingSale({ product: { ...product, ...over } }), id };
      await askForCharge(sale, false, work as unknown as Work);
      return (await sandbox.chargesOf(id))[0]?.description;
    };
    expect(await charged(1, { name: 'Ingresso Protegido' })).to.equal(
      'Ingresso Protegido · Padrão',
    );
    expect(await charged(2, {})).to.equal('INGRESSO · Padrão');
  });
});
