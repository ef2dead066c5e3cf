import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lockFolder } from '../../adapters/persistence/engine/folder-lock.ts';
import { startChild, temporaryFolder } from '../support/children.ts';

const MODULE = new URL('../../adapters/persistence/engine/folder-lock.ts', import.meta.url).href;

/**
 * A process that tries to lock a folder, prints the outcome, and stays alive. It keeps the lock in
 * sight: one that is collected as garbage is released.
 */
const contender = (folder: string, tmpdir: string): ChildProcess => {
  const script = `import { lockFolder } from '${MODULE}';
    try { globalThis.release = lockFolder(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => {}, 1000); }
    catch (error) { console.log(error.message); }`;
  const env = { ...process.env, NODE_V8_COVERAGE: '', TMPDIR: tmpdir };
  return startChild(process.execPath, ['--input-type=module', '--eval', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
};

const said = async (child: ChildProcess): Promise<string> =>
  String((await once(child.stdout as NodeJS.ReadableStream, 'data'))[0]).trim();

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
};

describe('the folder of an embedded database', () => {
  it('is readable by its owner only, also when it had other permissions', () => {
    const data = temporaryFolder();
    chmodSync(data, 0o755);
    const folder = join(data, 'database');
    mkdirSync(folder, { mode: 0o755 });
    lockFolder(folder)();
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
  });
});

describe('the lock of an embedded database folder', () => {
  it('is held by one process, whatever TMPDIR is, and by one other when that is killed', async () => {
    const [folder, elsewhere] = [join(temporaryFolder(), 'database'), temporaryFolder()];
    let holder = contender(folder, '/tmp');
    expect(await said(holder)).to.equal('locked');
    for (let round = 1; round <= 3; round += 1) {
      const refused = contender(folder, elsewhere);
      expect(await said(refused)).to.match(/in use by another process/);
      await kill(holder);
      const heirs = [
        contender(folder, '/tmp'),
        contender(folder, elsewhere),
        contender(folder, '/tmp'),
      ];
      const outcomes = await Promise.all(heirs.map(said));
      expect(outcomes.filter((outcome) => outcome === 'locked')).to.have.length(1);
      holder = heirs[outcomes.indexOf('locked')] as ChildProcess;
    }
    await kill(holder);
  });
});
