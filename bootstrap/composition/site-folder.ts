import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What the site is made of: its pages and files, and the code from which tables are made. */
const SOURCES = ['domain/src', 'application', 'adapters', 'bootstrap'];

const CACHE = join(ROOT, 'node_modules/.cache/site');

/** Sites of other sources that are kept, for the processes that serve them. */
const KEPT_SITES = 4;

/** The first digits of a SHA-256 of all sources. */
const hashSources = async (): Promise<string> => {
  const hash = createHash('sha256');
  for (const folder of SOURCES) {
    const found = await readdir(join(ROOT, folder), { recursive: true });
    const files = found.filter(
      (name) =>
        /\.(?:ts|md|json|css|js|svg)$/.test(name) && !/(?:^|\/)(?:node_modules|dist)\//.test(name),
    );
    for (const name of files.sort())
      hash.update(`${folder}/${name}\n`).update(await readFile(join(ROOT, folder, name)));
  }
  for (const name of ['package.json', 'CHANGELOG.md'])
    hash.update(await readFile(join(ROOT, name)));
  return hash.digest('hex').slice(0, 16);
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The folder for sites: in the project or, where that is read-only, one of this process. */
const writableFolder = async (): Promise<string> => {
  try {
    await mkdir(CACHE, { recursive: true });
    await access(CACHE, constants.W_OK);
    return CACHE;
  } catch {
    return mkdtemp(join(tmpdir(), 'insurance-sales-site-'));
  }
};

/** Removes the oldest sites. */
const removeOldSites = async (folder: string): Promise<void> => {
  const names = await readdir(folder);
  const sites = await Promise.all(
    names.map(async (name) => ({ name, madeMs: (await stat(join(folder, name))).mtimeMs })),
  );
  sites.sort((one, other) => other.madeMs - one.madeMs);
  for (const { name } of sites.slice(KEPT_SITES))
    await rm(join(folder, name), { recursive: true, force: true });
};

/**
 * The folder of the site, named by a hash of its sources. A missing one is made, in a process of its
 * own: that takes seconds of a core and memory for libraries that serve nothing else.
 */
export const findSite = async (): Promise<string> => {
  const hash = await hashSources();
  if (await exists(join(CACHE, hash))) return join(CACHE, hash);

  const folder = await writableFolder();
  const unfinished = `${folder}-unfinished-${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  const program = fileURLToPath(new URL('../site.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [program, unfinished], { cwd: ROOT });
  const finished = join(folder, hash);
  await rename(unfinished, finished).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    // Another process may have made the same site meanwhile, and serves it.
    if (!(await exists(finished))) throw error;
  });
  await removeOldSites(folder).catch(() => {});
  return finished;
};
