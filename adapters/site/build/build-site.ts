import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LANGUAGES, type Language } from '../../kit/web/pages/languages.ts';
import type { Site } from '../page-frame.ts';
import { BASE_MARK, MANIFEST_FILE, type Manifest, type SiteFile, URL_MARK } from '../site-files.ts';
import { ASSETS, readAsset } from './assets.ts';
import { renderChangelog, renderGuidePage } from './guide-page.ts';
import { renderNotFound } from './not-found-page.ts';
import { DOCUMENTS, ENVIRONMENTS, renderReference } from './reference-page.ts';
import { readGuide, readOperatorPages, type SourcePage } from './source-pages.ts';

/** Markdown by the name that a page writes as `<!-- table: name -->`. */
export type Tables = Readonly<Record<string, (language: Language) => string>>;

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

/** The address of the service in the examples of the guide. */
const EXAMPLE_URL = 'http://127.0.0.1:3000';

/** Puts the tables and the mark of the public URL into a text. @throws Error for an unknown table */
export const completePage = ({ markdown, language }: SourcePage, tables: Tables): string =>
  markdown
    .replaceAll(EXAMPLE_URL, URL_MARK)
    .replaceAll(/<!-- table: ([\w-]+) -->/g, (_, name: string) => {
      const table = tables[name];
      if (table === undefined) throw new Error(`there is no table ${name}`);
      return table(language);
    });

/**
 * Writes the site into a folder: each page with marks in the place of the public URL, the files that
 * pages load, and last a list of all files.
 *
 * @param changelog the Markdown of the changelog
 * @throws Error if a page is missing, or names a table that does not exist
 */
export const buildSite = async (
  folder: string,
  tables: Tables,
  changelog: string,
): Promise<void> => {
  const files: Record<string, SiteFile> = {};
  const add = async (path: string, type: string, content: string | Buffer): Promise<void> => {
    const file = `files/${Object.keys(files).length}`;
    files[path] = { file, type };
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  };

  const assets: Record<string, string> = {};
  for (const name of ASSETS) {
    const { content, type, hash } = await readAsset(name);
    const path = `/docs/assets/${hash}/${name}`;
    assets[name] = `${BASE_MARK}${path}`;
    await add(path, type, content);
  }
  const site: Site = { base: BASE_MARK, publicUrl: URL_MARK, assets };

  const operatorPages = readOperatorPages();
  for (const language of LANGUAGES) {
    const pages = readGuide(language);
    const shown = language === 'en' ? [...pages, ...operatorPages] : pages;
    const sections = [];
    for (const page of shown) {
      const text = completePage(page, tables);
      const rendered = renderGuidePage(page, text, { site, pages, operatorPages });
      await add(page.path, HTML, rendered.html);
      if (page.audience === 'operator') continue;
      sections.push(...rendered.sections);
      await add(`/docs/${language}/${page.name}.md`, MARKDOWN, text);
    }
    await add(`/docs/${language}/search.json`, JSON_TYPE, JSON.stringify(sections));
    await add(`404 ${language}`, HTML, renderNotFound(language, site, pages));
  }

  for (const document of DOCUMENTS)
    for (const environment of ENVIRONMENTS)
      await add(
        `${environment} ${document.path}`,
        HTML,
        renderReference(document, site, environment),
      );
  await add(
    '/docs/changelog',
    HTML,
    renderChangelog(changelog, { site, pages: readGuide('en'), operatorPages }),
  );
  await add('/docs/changelog.md', MARKDOWN, changelog);
  await add('/llms.txt', TEXT, listForMachines());

  const manifest: Manifest = { files, assets };
  await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest));
};

/** The pages for programs that read documentation, in the form of llmstxt.org. */
const listForMachines = (): string => {
  const lists = LANGUAGES.flatMap((language) => {
    const groups = Map.groupBy(readGuide(language), ({ group = '' }) => group);
    return [...groups].map(([group, grouped]) =>
      [
        `## ${group}`,
        '',
        ...grouped.map(
          ({ name, title }) => `- [${title}](${URL_MARK}/docs/${language}/${name}.md)`,
        ),
      ].join('\n'),
    );
  });
  return `# Insurance sales integration

> Sales channels in Brazil sell insurance at their own checkout and register each sale over an HTTP API. The pages are in Portuguese and in English.

${lists.join('\n\n')}

## API

- [OpenAPI document](${URL_MARK}/openapi.json)
- [Changelog](${URL_MARK}/docs/changelog.md)
`;
};
