import { expect } from 'chai';
import { addDays, type CalendarDate } from '#domain';
import { overEveryStore } from '../support/stores.ts';

/** Each test has weeks of its own: the stores are shared. */
let weeks = 0;
const someDay = (): CalendarDate => {
  weeks += 1;
  return addDays('2026-11-20' as CalendarDate, weeks * 7);
};

overEveryStore('the secrets of quotes', (store) => {
  const keep = (day: CalendarDate, secret: string) => store().quoteSecrets.keep({ day, secret });
  const secretOf = async (day: CalendarDate) => (await store().quoteSecrets.find(day))?.secret;

  it('are one for each day: the first that a process offers', async () => {
    const day = someDay();
    expect(await secretOf(day)).to.equal(undefined);
    const kept = await Promise.all(['a', 'b', 'c', 'd'].map((secret) => keep(day, secret)));
    expect(new Set(kept.map(({ secret }) => secret))).to.have.property('size', 1);
    expect(await keep(day, 'later')).to.deep.equal(kept[0]);
    expect(await secretOf(day)).to.equal(kept[0]?.secret);
  });

  it('are found on their day and the two days after, and then forgotten', async () => {
    const day = someDay();
    await keep(day, 'first');
    for (const later of [1, 2]) await keep(addDays(day, later), `of day ${later}`);
    expect(await secretOf(day)).to.equal('first');
    await keep(addDays(day, 3), 'of day 3');
    expect(await secretOf(day)).to.equal(undefined);
    expect(await secretOf(addDays(day, 1))).to.equal('of day 1');
  });
});
