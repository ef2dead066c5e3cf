import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ALERT_KINDS } from '../../application/alerts/alerts.ts';
import { chapterOf, readReadme } from '../support/readme.ts';
import { startCommand } from '../support/start-command.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const sourcesIn = (folder: string): string =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => read(join(folder, path)))
    .join('\n');

/** The headings of a chapter that name something in code. */
const namesIn = (chapter: string): readonly string[] =>
  [...chapter.matchAll(/^### `(.+)`$/gm)].map(([, name]) => name as string);

describe("the operator's guide", () => {
  const guide = readReadme('bootstrap/README.md');

  it('names every variable of the configuration', () => {
    const variables = [
      ...read('bootstrap/settings/variables.ts').matchAll(/^ {2}([A-Z_]+): /gm),
    ].map(([, name]) => name as string);
    expect(variables).to.have.length.above(20);
    expect(variables.filter((name) => !guide.text.includes(`\`${name}\``))).to.deep.equal([]);
  });

  it('starts the service under systemd as npm start does', () => {
    const { flags, file } = startCommand();
    expect(guide.text).to.include(`ExecStart=/usr/bin/node ${[...flags, file].join(' ')}\n`);
  });

  it('has a paragraph for each kind of alert', () => {
    expect(namesIn(chapterOf(guide, '## Runbook: alerts'))).to.have.members([...ALERT_KINDS]);
  });

  it('explains only log lines that the service writes', () => {
    const sources = sourcesIn('adapters') + sourcesIn('bootstrap');
    const lines = namesIn(chapterOf(guide, '## Runbook: log lines'));
    expect(lines).to.have.length.above(8);
    const unknown = lines.filter((line) => !sources.includes(line.replace('…', '')));
    expect(unknown).to.deep.equal([]);
  });
});
