import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';

const CHECK = readFileSync(new URL('../../bootstrap/node-24.cjs', import.meta.url), 'utf8');

/** What the check does on a version of Node. */
const checkOn = (node: string): { readonly text: string; readonly exitCode: number } => {
  const found = { text: '', exitCode: 0 };
  const process = {
    versions: { node },
    stderr: { write: (text: string) => Object.assign(found, { text }) },
    exit: (exitCode: number) => Object.assign(found, { exitCode }),
  };
  runInNewContext(CHECK, { process });
  return found;
};

describe('a start on an older Node', () => {
  it('ends with one line that names the version it needs', () => {
    const { text, exitCode } = checkOn('20.20.2');
    expect(text).to.match(/^The service needs Node 24 or later, and this is Node 20\.20\.2: .+\n$/);
    expect(exitCode).to.equal(1);
  });

  it('goes on with Node 24 and later', () => {
    for (const node of ['24.0.0', '25.1.0'])
      expect(checkOn(node)).to.deep.equal({ text: '', exitCode: 0 });
  });

  it('is checked by each command', () => {
    const { scripts } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { scripts: Record<string, string> };
    for (const name of ['start', 'admin', 'partner'])
      expect(scripts[name]).to.include(' --require=./bootstrap/node-24.cjs ');
  });
});
