import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const ROOT = new URL('../../', import.meta.url);
const FOLDERS = ['domain/src', 'application', 'adapters', 'bootstrap'];
const SOURCE = /\.(ts|md|json|sql)$/;
/** Made, installed, recorded, or in the guide as an example. */
const OTHERS = /node_modules|\/dist\/|generated|reference\/examples|Decreto 1\/2030/;

/** An act by its kind and number, without the space before it. */
const ACT =
  /\b(Lei|Decreto-Lei|Decreto|Resolução CNSP|Circular SUSEP|EC) ((?:\d{1,3}\.)?\d{1,3}\/\d{4})/g;
const NAMED = /\b(CDC|Código Civil|Código de Defesa do Consumidor)\b/g;

const filesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => SOURCE.test(path) && !OTHERS.test(path));

/** The acts in a text whose lines may break in a comment, each once. */
const actsIn = (text: string): readonly string[] => {
  const plain = text.replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
  const found = [...plain.matchAll(ACT), ...plain.matchAll(NAMED)].map(([act]) => act);
  return [...new Set(found)].filter((act) => !OTHERS.test(act));
};

describe('the list of legal references', () => {
  const list = readFileSync(new URL('domain/LEGAL.md', ROOT), 'utf8');
  const rows = list.split('\n').filter((line) => /^\| [^a-]/.test(line) || line.startsWith('| |'));

  it('has every act that the code and its texts name', () => {
    const missing = FOLDERS.flatMap(filesIn).flatMap((path) =>
      actsIn(readFileSync(new URL(path, ROOT), 'utf8'))
        .filter((act) => !list.includes(act.replace(/^(Lei|Circular SUSEP) /, '')))
        .map((act) => `${path}: ${act}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('says of each when it was read, and how sure that is', () => {
    expect(rows.length).to.be.at.least(20);
    for (const row of rows)
      expect(row).to.match(
        /\| (?:\d{4}-\d\d-\d\d|before 2026-11) \| (?:text|second-hand|not read)/,
      );
  });

  it('names no article that was repealed as if it were in force', () => {
    const cited = FOLDERS.flatMap(filesIn).filter((path) =>
      /Código Civil, art\. (?:206|7[5-9]\d|80[0-2])|Decreto-Lei 73\/1966, art\. (?:9|1[0-4])\b/.test(
        readFileSync(new URL(path, ROOT), 'utf8').replaceAll(/\n\s*\*\s*/g, ' '),
      ),
    );
    expect(cited).to.deep.equal([]);
  });
});
