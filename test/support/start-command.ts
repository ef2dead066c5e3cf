import { readFileSync } from 'node:fs';

const MANIFEST = new URL('../../package.json', import.meta.url);

/** What `npm start` gives to node: its flags, and the file that starts the service. */
export const startCommand = (): { readonly flags: readonly string[]; readonly file: string } => {
  const { scripts } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { scripts: { start: string } };
  const words = scripts.start.split(' ');
  const flags = words.slice(words.indexOf('node') + 1);
  return { flags, file: flags.pop() ?? '' };
};
