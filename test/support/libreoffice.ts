import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './children.ts';

export const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0;

/** What makes LibreOffice a Brazilian's. */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>pt-BR</value></prop></item></oor:items>`;

/** Semicolons, windows-1252 or UTF-8, from the first line on, in Portuguese. */
const [READ, WRITE] = [
  'CSV:59,34,76,1,,1046,false,true',
  'csv:Text - txt - csv (StarCalc):59,34,1,1,,1046,false,true,false',
];

/** Opens a table as a Brazilian types it into a spreadsheet, and saves it as CSV. */
export const savedByLibreOffice = async (typed: string): Promise<Buffer> => {
  const folder = temporaryFolder();
  const profile = join(folder, 'profile');
  mkdirSync(join(profile, 'user'), { recursive: true });
  writeFileSync(join(profile, 'user', 'registrymodifications.xcu'), PROFILE);
  cpSync(typed, join(folder, 'typed.csv'));
  const run = (...args: readonly string[]) =>
    promisify(execFile)(
      'soffice',
      [`-env:UserInstallation=file://${profile}`, '--headless', ...args],
      { cwd: folder },
    );
  await run('--convert-to', 'ods', `--infilter=${READ}`, 'typed.csv');
  await run('--convert-to', WRITE, '--outdir', 'out', 'typed.ods');
  return readFileSync(join(folder, 'out', 'typed.csv'));
};
