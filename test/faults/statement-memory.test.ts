import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const SCRIPT = new URL('../benchmark/statement-memory.ts', import.meta.url).pathname;

describe('a large statement as an Excel file', () => {
  it('takes the memory of a few lines: 100,000 within 100 MB', async () => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--min-semi-space-size=32', SCRIPT, '100000']);
    const { lines, addedMB, bytes } = JSON.parse(stdout);
    expect(lines).to.equal(100_000);
    expect(bytes).to.be.above(4_000_000);
    expect(addedMB).to.be.below(100);
  });
});
