import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ALERT_KINDS } from '../../application/alerts/alerts.ts';
import { VARIABLES } from '../../bootstrap/settings/variables.ts';
import { TABLES } from '../../bootstrap/site/tables.ts';
import { operatorPages } from '../support/readme.ts';
import { startCommand } from '../support/start-command.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const sourcesIn = (folder: string): string =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => read(join(folder, path)))
    .join('\n');

const RUNBOOK = JSON.parse(read('bootstrap/guide/runbook.json')) as Readonly<
  Record<'alerts' | 'log_lines' | 'alert_rules', Readonly<Record<string, readonly string[]>>>
>;

describe("the operator's guide", () => {
  it('says what each setting means', () => {
    const shown = TABLES['variables']?.('en') ?? '';
    for (const [name, { desc = '' }] of Object.entries(VARIABLES)) {
      expect(desc, name).not.to.equal('');
      expect(shown).to.include(`| \`${name}\` |`).and.include(desc);
    }
  });

  it('starts the service under systemd as npm start does', () => {
    const { flags, file } = startCommand();
    expect(
      operatorPages()
        .map(({ text }) => text)
        .join(''),
    ).to.include(`ExecStart=/usr/bin/node ${[...flags, file].join(' ')}\n`);
  });

  it('has a section for each kind of alert', () => {
    expect(Object.keys(RUNBOOK.alerts)).to.have.members([...ALERT_KINDS]);
    const shown = TABLES['alerts']?.('en') ?? '';
    for (const kind of ALERT_KINDS) expect(shown).to.include(`### \`${kind}\`\n`);
  });

  it('explains only log lines that the service writes', () => {
    const sources = sourcesIn('adapters') + sourcesIn('bootstrap');
    const lines = Object.keys(RUNBOOK.log_lines);
    expect(lines).to.have.length.above(8);
    const unknown = lines.filter((line) => !sources.includes(line.replace('…', '')));
    expect(unknown).to.deep.equal([]);
  });
});
