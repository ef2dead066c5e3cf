import { expect } from 'chai';
import { PrimaryMarks } from '../../adapters/persistence/engine/standby-marks.ts';

describe('the marks of how far the primary was', () => {
  const marksAt = (...marks: readonly [at: number, position: number][]): PrimaryMarks => {
    const all = new PrimaryMarks();
    for (const [at, position] of marks) all.add({ at, position }, 'a server');
    return all;
  };

  it('tell up to when a standby has everything', () => {
    const marks = marksAt([1_000, 50], [2_000, 50], [3_000, 70]);
    const moments = [49, 50, 69, 70, 99].map((position) => marks.momentOf(position));
    expect(moments).to.deep.equal([undefined, 2_000, 2_000, 3_000, 3_000]);
  });

  it('tell how far a standby must be to have everything up to a moment', () => {
    const marks = marksAt([1_000, 50], [2_000, 60], [3_000, 70]);
    const positions = [999, 1_000, 1_999, 2_000, 9_000].map((moment) => marks.positionAt(moment));
    expect(positions).to.deep.equal([50, 50, 50, 60, 70]);
    expect(new PrimaryMarks().positionAt(1_000)).to.equal(undefined);
  });

  it('say nothing about another server', () => {
    const marks = marksAt([1_000, 50]);
    marks.add({ at: 2_000, position: 40 }, 'its successor');
    expect([marks.momentOf(39), marks.momentOf(60)]).to.deep.equal([undefined, 2_000]);
    expect(marks.since).to.equal(2_000);
  });

  it('go ten minutes back', () => {
    const marks = new PrimaryMarks();
    for (let at = 1; at <= 700; at += 1) marks.add({ at, position: at }, 'a server');
    expect([marks.since, marks.momentOf(100)]).to.deep.equal([101, undefined]);
  });
});
