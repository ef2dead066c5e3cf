import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { overEveryStore } from '../support/stores.ts';

overEveryStore('a book of records', (store) => {
  it('keeps a record unchanged, even if a caller changes an object that it received', async () => {
    const book = store().records<{ list: number[]; text: string }>('one');
    const key = randomUUID();
    expect(await book.find(key)).to.equal(undefined);
    const kept = await book.change(key, () => ({ list: [1, 2], text: 'ção 🎸' }));
    kept.list.push(3);
    expect(await book.find(key)).to.deep.equal({ list: [1, 2], text: 'ção 🎸' });
    expect(await store().records('another').find(key)).to.equal(undefined);
  });

  it('loses none of a hundred simultaneous changes', async () => {
    const book = store().records<number>('numbers');
    const key = randomUUID();
    const drawn = await Promise.all(
      Array.from({ length: 100 }, () => book.change(key, (last = 0) => last + 1)),
    );
    expect(new Set(drawn).size).to.equal(100);
    expect(await book.find(key)).to.equal(100);
  });

  it('lists records by prefix in the order of keys, and takes pattern characters literally', async () => {
    const book = store().records<string>('lists');
    const mark = `${randomUUID()}-1_%`;
    for (const end of ['b', 'a', 'C']) await book.change(`${mark}${end}`, () => end);
    await book.change(mark.replace('_', 'x'), () => 'other');
    expect(await book.list(mark)).to.deep.equal(['C', 'a', 'b']);
  });
});
