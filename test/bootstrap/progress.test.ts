import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { showProgress } from '../../bootstrap/processes/progress.ts';

const WHAT = 'Starting the embedded database';

const watched = (isTTY: boolean) => {
  const lines: string[] = [];
  const shown: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  const screen = { isTTY, write: (text: string) => shown.push(text) };
  return { lines, shown, log, screen };
};

describe('the progress of a start', () => {
  it('is one line in a terminal, which counts the seconds', async () => {
    const { lines, shown, ...where } = watched(true);
    expect(await showProgress(WHAT, () => setTimeout(1_100, 'database'), where)).to.equal(
      'database',
    );
    expect(shown).to.have.length.above(2);
    for (const text of shown)
      expect(text).to.match(/^\rStarting the embedded database … \d\.\d s\n?$/);
    expect(shown.map((text) => text.endsWith('\n')).indexOf(true)).to.equal(shown.length - 1);
    expect(lines).to.deep.equal([]);
  });

  it('is two log lines elsewhere', async () => {
    const { lines, shown, ...where } = watched(false);
    await showProgress(WHAT, async () => {}, where);
    expect(shown).to.deep.equal([]);
    expect(lines.map((line) => JSON.parse(line).msg)).to.deep.equal([
      'starting the embedded database',
      'starting the embedded database: done',
    ]);
  });

  it('ends its line, and throws, when the work fails', async () => {
    const { shown, ...where } = watched(true);
    const failed = await showProgress(
      WHAT,
      () => Promise.reject(new Error('no room')),
      where,
    ).catch((error: Error) => error.message);
    expect(failed).to.equal('no room');
    expect(shown.at(-1)).to.match(/\n$/);
  });
});
