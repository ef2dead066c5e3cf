import { readFileSync } from 'node:fs';
import type { Language } from '../../kit/web/pages/languages.ts';
import { GUIDE, guidePath, OPERATOR_PAGES, operatorPath } from '../site-pages.ts';

/** The text of a page of the guide, as the repository has it. */
export interface SourcePage {
  readonly name: string;
  readonly language: Language;
  readonly audience: 'partner' | 'operator';
  /** Below the public URL. */
  readonly path: string;
  readonly title: string;
  /** The title of its part of the navigation; undefined for operators' pages. */
  readonly group: string | undefined;
  readonly markdown: string;
}

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** @throws Error if the text does not begin with a title */
const titleOf = (path: string, markdown: string): string => {
  const title = /^# (.+)\n/.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`${path} does not begin with a title`);
  return title;
};

/** The pages for partners in a language, in their order. */
export const readGuide = (language: Language): readonly SourcePage[] =>
  GUIDE.flatMap(({ title: group, pages }) =>
    pages.map((name) => {
      const file = `adapters/site/guide/${language}/${name}.md`;
      const markdown = read(file);
      const title = titleOf(file, markdown);
      const path = guidePath(language, name);
      return { name, language, audience: 'partner', path, title, group: group[language], markdown };
    }),
  );

/** The pages for operators, in their order. */
export const readOperatorPages = (): readonly SourcePage[] =>
  OPERATOR_PAGES.map((name) => {
    const file = `bootstrap/guide/${name}.md`;
    const markdown = read(file);
    const title = titleOf(file, markdown);
    const path = operatorPath(name);
    return { name, language: 'en', audience: 'operator', path, title, group: undefined, markdown };
  });

/**
 * Where a link of a page leads.
 *
 * @returns a path below the public URL, with its anchor; undefined for a file that is no page
 */
export const resolveLink = (link: string, from: SourcePage): string | undefined => {
  if (link.startsWith('/')) return link;
  const [file = '', anchor] = link.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const [, language = from.language, name] =
    /^(?:(?:\.\.\/)+adapters\/site\/guide\/(pt-BR|en)\/)?([\w-]+)\.md$/.exec(file) ?? [];
  if (name === undefined) return undefined;
  const isOperators = from.audience === 'operator' && !file.includes('/');
  return `${isOperators ? operatorPath(name) : guidePath(language as Language, name)}${hash}`;
};
