import { expect } from 'chai';
import { createPace } from '../../adapters/jobs/pace.ts';

describe('the pace of background tasks', () => {
  it('is low while the process is busy, and doubles at each call afterwards', () => {
    const shares = [0, 0.19, 0.9, 0.21, 0.1, 0.1, 0.1, 0.1, 0.1, 0.5];
    const pace = createPace({ max: 10, maxWhileBusy: 1 }, () => shares.shift() ?? 0);
    expect(Array.from({ length: 10 }, () => pace())).to.deep.equal([
      10, 10, 1, 1, 2, 4, 8, 10, 10, 1,
    ]);
  });

  it('is nothing in a rush, for some calls in a row, and rises slowly after it', () => {
    const shares = [0.6, 0.6, 0.6, 0.6, 0.3, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1];
    const limits = { max: 5, maxWhileBusy: 1, pausesInRush: 2 };
    const pace = createPace(limits, () => shares.shift() ?? 0);
    expect(Array.from({ length: 11 }, () => pace())).to.deep.equal([
      0, 0, 1, 0, 1, 0, 0, 1, 2, 4, 5,
    ]);
  });

  it('measures whether the process is busy', async () => {
    const pace = createPace({ max: 10, maxWhileBusy: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    pace();
    const until = performance.now() + 30;
    while (performance.now() < until);
    await new Promise((resolve) => setImmediate(resolve));
    expect(pace()).to.equal(1);
  });
});
