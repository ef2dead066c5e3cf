import { readFile } from 'node:fs/promises';
import { buildSite } from '../adapters/site/build/build-site.ts';
import { findSite } from './composition/site-folder.ts';
import { TABLES } from './site/tables.ts';

// Makes the pages at /docs: in the folder that is named or, without one, where a start looks for them.
const [folder] = process.argv.slice(2);
if (folder === undefined) await findSite();
else
  await buildSite(
    folder,
    TABLES,
    await readFile(new URL('../CHANGELOG.md', import.meta.url), 'utf8'),
  );
