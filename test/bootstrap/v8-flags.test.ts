import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });

describe('the V8 flags that a process sets for itself', () => {
  // V8 ignores a flag that it does not know, and the process would take more memory.
  for (const file of ['bootstrap/processes/start.ts', 'adapters/documents/pdf-documents.ts'])
    it(`are known to this Node: ${file}`, () => {
      const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
      const flags = [...source.matchAll(/'(--[a-z-]+)=\d+'/g)].map(([, flag]) => flag);
      expect(flags).to.have.length(2);
      expect(flags.filter((flag) => !known.includes(`  ${flag} `))).to.deep.equal([]);
    });
});
