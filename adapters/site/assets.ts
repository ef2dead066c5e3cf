import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { TOKENS } from '../kit/web/pages/frame.ts';
import { prepareSent, type Sent } from '../kit/web/pages/send-page.ts';

const own = (name: string): string => new URL(`./assets/${name}`, import.meta.url).href;

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Every file that is served, and nothing else: where it is, and its type. */
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

export type AssetName = keyof typeof FILES;

/** The files that pages load. Each is read when it is first needed, and then kept. */
export class Assets {
  readonly #base: string;
  readonly #loaded = new Map<AssetName, Promise<Sent>>();

  /** @param base the path of the public URL */
  constructor(base: string) {
    this.#base = base;
  }

  /** The address of a file. It names the content, so that browsers may keep it for a year. */
  async address(name: AssetName): Promise<string> {
    const { hash } = await this.#load(name);
    return `${this.#base}/docs/assets/${hash}/${name}`;
  }

  /**
   * @returns the file, and whether the hash is of its present content: a page of another release
   *   may ask for a former one
   */
  async find(
    hash: string,
    name: string,
  ): Promise<{ readonly sent: Sent; readonly isCurrent: boolean } | undefined> {
    if (!Object.hasOwn(FILES, name)) return undefined;
    const asset = await this.#load(name as AssetName);
    return { sent: asset, isCurrent: asset.hash === hash };
  }

  #load(name: AssetName): Promise<Sent> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;

    const loading = readAsset(name);
    this.#loaded.set(name, loading);
    // A file that could not be read is tried again.
    loading.catch(() => this.#loaded.delete(name));
    return loading;
  }
}

const readAsset = async (name: AssetName): Promise<Sent> => {
  const [locate, type] = FILES[name];
  // Source maps are not served, and browsers report each one that they miss.
  const text = (await readFile(fileURLToPath(locate()), 'utf8')).replace(
    /\n(\/\/|\/\*)# sourceMappingURL=.*/g,
    '',
  );
  return prepareSent(type, Buffer.from(name === 'pages.css' ? `${TOKENS}${text}` : text));
};
