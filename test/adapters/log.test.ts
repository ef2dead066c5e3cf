import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { bareEnvironment, startChild, temporaryFolder } from '../support/children.ts';
import { within } from '../support/stores.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

const LINES = 20_000;

/** Logs 20 MB before it waits for anything, and shows what it has dropped. */
const SCRIPT = `
  const { logToStdout } = await import('./adapters/system/log.ts');
  const { readLogHealth } = await import('./adapters/system/log-lines.ts');
  const log = await logToStdout('info');
  for (let count = 0; count < ${LINES}; count += 1) log.info('x'.repeat(1000));
  process.send(readLogHealth().dropped);
  process.once('message', () => process.disconnect());
`;

describe('the log', () => {
  it('keeps 16 MB for a slow disk, counts the other lines, and logs their number', async () => {
    const file = join(temporaryFolder(), 'log');
    const child = startChild(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
      cwd: ROOT,
      env: bareEnvironment(),
      stdio: ['ignore', openSync(file, 'a'), 'inherit', 'ipc'],
    });
    const [dropped] = await once(child, 'message');
    expect(dropped).to.be.within(1, LINES / 2);

    const read = async () => readFileSync(file, 'utf8').trimEnd().split('\n');
    const lines = await within(read, (found) => (found.at(-1) ?? '').includes('late or dropped'));
    child.send('enough');
    const [report] = lines.splice(-1).map((line) => JSON.parse(line));
    expect(report).to.include({ dropped, msg: 'log lines were late or dropped' });
    expect(lines).to.have.lengthOf(LINES - dropped);
  });

  it('lets the process end where a full disk takes no line', async () => {
    const script = `
      const { logToStdout } = await import('./adapters/system/log.ts');
      (await logToStdout('info')).info('the first line');`;
    const child = startChild(
      'bash',
      ['-c', 'exec "$0" --input-type=module --eval "$1" >/dev/full', process.execPath, script],
      { cwd: ROOT, env: bareEnvironment(), stdio: 'ignore' },
    );
    expect(await once(child, 'close')).to.deep.equal([0, null]);
  });
});
