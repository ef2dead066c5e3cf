import { expect } from 'chai';
import type { CountedCall } from '../../application/providers/provider-calls.ts';
import { AT } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';
import { later } from '../support/webhooks.ts';

const LOST: CountedCall = {
  saleId: 7,
  provider: 'asaas',
  question: 'charge',
  answer: 'no answer',
  times: 1,
  firstAt: AT,
  lastAt: AT,
  lastMs: 10_000,
  requestId: 'first-try',
};

overEveryStore('the calls to providers', (store) => {
  it('are counted if provider, question and answer are the same; the newest tells the rest', async () => {
    const { providerCalls } = store();
    await providerCalls.add([LOST]);
    const again = { ...LOST, times: 3, firstAt: later(5), lastAt: later(9), lastMs: 12 };
    await providerCalls.add([{ ...again, requestId: null }]);
    const older = { ...LOST, firstAt: later(1), lastAt: later(2), lastMs: 99, requestId: 'old' };
    await providerCalls.add([older]);
    expect(await providerCalls.list(7, 10)).to.deep.equal([
      { ...LOST, times: 5, lastAt: later(9), lastMs: 12, requestId: null },
    ]);
  });

  it('are found by their sale, the newest first, up to a limit', async () => {
    const { providerCalls } = store();
    const of = (over: Partial<CountedCall>): CountedCall => ({ ...LOST, saleId: 8, ...over });
    const found = of({ question: 'find_charges', answer: 'approved 15031', lastAt: later(3) });
    const other = of({ provider: 'local', question: 'issue', lastAt: later(2) });
    const first = of({ answer: 'not reached', lastAt: later(1) });
    await providerCalls.add([first, found, other, of({ saleId: 9 })]);
    expect(await providerCalls.list(8, 10)).to.deep.equal([found, other, first]);
    expect(await providerCalls.list(8, 1)).to.deep.equal([found]);
    expect(await providerCalls.list(10, 1)).to.deep.equal([]);
  });

  it('keep every count that is added at the same time', async () => {
    const { providerCalls } = store();
    const calls = ['one', 'two', 'three'].map((answer) => ({ ...LOST, saleId: 11, answer }));
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        providerCalls.add(index % 2 === 0 ? calls : calls.toReversed()),
      ),
    );
    const counted = await providerCalls.list(11, 10);
    expect(counted.map(({ times }) => times)).to.deep.equal([10, 10, 10]);
  });

  it('are deleted once their last answer is old, the oldest first', async () => {
    const { providerCalls } = store();
    while ((await providerCalls.deleteBefore(later(1_000), 100)) === 100);
    const old = [1, 2, 3].map((step) => ({ ...LOST, saleId: 20 + step, lastAt: later(step) }));
    await providerCalls.add(old);
    expect(await providerCalls.deleteBefore(later(3), 1)).to.equal(1);
    expect(await providerCalls.list(21, 10)).to.deep.equal([]);
    expect(await providerCalls.deleteBefore(later(3), 10)).to.equal(1);
    expect(await providerCalls.list(23, 10)).to.have.length(1);
  });
});
