import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareSent, type Sent } from '../kit/web/pages/send-page.ts';

/** Whether sales are real; the reference sends requests in a test environment only. */
export type Environment = 'test' | 'production';

/** Stands in the files for the public URL, without `/api`. */
export const URL_MARK = 'https://public-url.invalid';
/** Stands in the files for the path of the public URL. */
export const BASE_MARK = '/base-path.invalid';

export const MANIFEST_FILE = 'manifest.json';

export interface SiteFile {
  /** The path in the folder of the site. */
  readonly file: string;
  readonly type: string;
}

/** The list of a site's files. */
export interface Manifest {
  /**
   * By the path below the public URL. A page of one environment has the environment and a space
   * before its path.
   */
  readonly files: Readonly<Record<string, SiteFile>>;
  /** The addresses of the files that pages load, with marks, by their names. */
  readonly assets: Readonly<Record<string, string>>;
}

/** Time in which a site that could not be made is not tried again, ms. */
const FAILURE_MS = 30_000;

const MARKS = new RegExp(`${URL_MARK}|${BASE_MARK}`.replaceAll('.', '\\.'), 'g');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('"', '&quot;');

interface OpenSite {
  readonly folder: string;
  readonly manifest: Manifest;
}

const openSite = async (folder: string): Promise<OpenSite> => {
  const manifest = await readFile(join(folder, MANIFEST_FILE), 'utf8');
  return { folder, manifest: JSON.parse(manifest) };
};

/** The files of the site, which is made ahead. A file is read when it is first asked for. */
export class SiteFiles {
  readonly #find: () => Promise<string>;
  readonly #publicUrl: string;
  readonly #base: string;
  readonly #now: () => number;
  readonly #read = new Map<string, Promise<Sent>>();
  #opened: Promise<OpenSite> | undefined;
  #failedAt: number | undefined;

  /**
   * @param find the folder of the site; makes it where it is missing
   * @param publicUrl without `/api`
   * @param base the path of the public URL
   * @param now ms, a monotonic clock
   */
  constructor(
    find: () => Promise<string>,
    publicUrl: string,
    base: string,
    now = () => performance.now(),
  ) {
    this.#find = find;
    this.#publicUrl = publicUrl;
    this.#base = base;
    this.#now = now;
  }

  /** @param path as in `Manifest` */
  async find(path: string): Promise<Sent | undefined> {
    const { folder, manifest } = await this.#open();
    if (!Object.hasOwn(manifest.files, path)) return undefined;
    const { file, type } = manifest.files[path] as SiteFile;
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    const reading = readFile(join(folder, file), 'utf8').then((text) =>
      prepareSent(type, Buffer.from(this.#complete(text, type))),
    );
    this.#read.set(path, reading);
    // A file that could not be read is tried again.
    reading.catch(() => this.#read.delete(path));
    return reading;
  }

  /** The addresses of the files that pages load, by their names. */
  async assets(): Promise<Readonly<Record<string, string>>> {
    const { manifest } = await this.#open();
    const addresses = Object.entries(manifest.assets);
    return Object.fromEntries(
      addresses.map(([name, address]) => [name, address.replace(BASE_MARK, this.#base)]),
    );
  }

  #complete(text: string, type: string): string {
    const isHtml = type.startsWith('text/html');
    const [url, base] = [this.#publicUrl, this.#base].map((each) =>
      isHtml ? escapeHtml(each) : each,
    ) as [string, string];
    return text.replaceAll(MARKS, (mark) => (mark === URL_MARK ? url : base));
  }

  /** A failure is kept for a while, because each attempt takes seconds of a core. */
  #open(): Promise<OpenSite> {
    if (this.#failedAt !== undefined && this.#now() - this.#failedAt >= FAILURE_MS) {
      this.#failedAt = undefined;
      this.#opened = undefined;
    }
    this.#opened ??= this.#find()
      .then(openSite)
      .catch((error) => {
        this.#failedAt = this.#now();
        throw error;
      });
    return this.#opened;
  }
}
