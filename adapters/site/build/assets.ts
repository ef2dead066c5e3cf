import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { TOKENS } from '../../kit/web/pages/frame.ts';

const own = (name: string): string => new URL(`../assets/${name}`, import.meta.url).href;

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Every file that pages load, and nothing else: where it is, and its type. */
const FILES = {
  'pages.css': [() => own('pages.css'), CSS],
  'guide.js': [() => own('guide.js'), SCRIPT],
  'guide-search.js': [() => own('guide-search.js'), SCRIPT],
  'stemmer-pt-BR.js': [() => import.meta.resolve('@orama/stemmers/portuguese'), SCRIPT],
  'stemmer-en.js': [() => import.meta.resolve('@orama/stemmers/english'), SCRIPT],
  'minisearch.js': [() => import.meta.resolve('minisearch'), SCRIPT],
  'reference.css': [() => own('reference.css'), CSS],
  'reference.js': [() => own('reference.js'), SCRIPT],
  'reference-words.js': [() => own('reference-words.js'), SCRIPT],
  'swagger-ui.css': [() => import.meta.resolve('swagger-ui-dist/swagger-ui.css'), CSS],
  'swagger-ui.js': [() => import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'), SCRIPT],
  'icon.svg': [() => own('icon.svg'), 'image/svg+xml'],
} as const satisfies Record<string, readonly [() => string, string]>;

type AssetName = keyof typeof FILES;

export const ASSETS = Object.keys(FILES) as readonly AssetName[];

const HASH_LENGTH = 12;

/** A file that pages load, and the first digits of its SHA-256. */
export const readAsset = async (
  name: AssetName,
): Promise<{ readonly content: string; readonly type: string; readonly hash: string }> => {
  const [locate, type] = FILES[name];
  // Source maps are not served, and browsers report each one that they miss.
  const text = (await readFile(fileURLToPath(locate()), 'utf8')).replace(
    /\n(\/\/|\/\*)# sourceMappingURL=.*/g,
    '',
  );
  const content = name === 'pages.css' ? `${TOKENS}${text}` : text;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH);
  return { content, type, hash };
};
