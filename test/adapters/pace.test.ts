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

  it('is lowest in a rush, but never nothing, and doubles afterwards', () => {
    const shares = [0.6, 0.6, 0.3, 0.9, 0.1, 0.1, 0.1, 0.1];
    const pace = createPace({ max: 30, maxWhileBusy: 10, inRush: 4 }, () => shares.shift() ?? 0);
    expect(Array.from({ length: 8 }, () => pace())).to.deep.equal([4, 4, 10, 4, 8, 16, 30, 30]);
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
