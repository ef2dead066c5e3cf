import { existsSync, readFileSync } from 'node:fs';

import type { Language } from '../kit/web/pages/languages.ts';

/** A chapter of the guide: the README of a folder. */
export interface Chapter {
  /** The last part of its path; empty for the guide's first chapter. */
  readonly slug: string;
  /** Below the project's root, with a slash at its end. */
  readonly folder: string;
  readonly title: Readonly<Record<Language, string>>;
  /** Left out of the search, whose results are for partners. */
  readonly isUnsearched?: true;
}

/** In the order of the navigation. */
export const CHAPTERS: readonly Chapter[] = [
  {
    slug: '',
    folder: 'adapters/http/',
    title: { 'pt-BR': 'Guia do parceiro', en: "Partner's guide" },
  },
  {
    slug: 'books',
    folder: 'adapters/http/books/',
    title: { 'pt-BR': 'Cotações, extratos e lotes', en: 'Quotes, books and bulk' },
  },
  {
    slug: 'events',
    folder: 'adapters/http/events/',
    title: { 'pt-BR': 'Eventos e webhooks', en: 'Events and webhooks' },
  },
  { slug: 'tokens', folder: 'adapters/http/oauth/', title: { 'pt-BR': 'Tokens', en: 'Tokens' } },
  {
    slug: 'admin',
    folder: 'adapters/http/admin/',
    title: { 'pt-BR': 'Administração', en: 'Administration' },
  },
  {
    slug: 'operations',
    folder: 'bootstrap/',
    isUnsearched: true,
    title: { 'pt-BR': 'Operação', en: "Operator's guide" },
  },
];

/** The path of a chapter below the public URL. */
export const chapterPath = (language: Language, { slug }: Pick<Chapter, 'slug'>): string =>
  slug === '' ? `/docs/${language}` : `/docs/${language}/${slug}`;

const FILES: Readonly<Record<Language, string>> = { 'pt-BR': 'README.pt-BR.md', en: 'README.md' };

const urlOf = ({ folder }: Chapter, language: Language): URL =>
  new URL(`../../${folder}${FILES[language]}`, import.meta.url);

const isTranslated = (chapter: Chapter, language: Language): boolean =>
  existsSync(urlOf(chapter, language));

/** The Markdown of a chapter: in this language or, where that is missing, in English. */
export const readChapter = (
  chapter: Chapter,
  language: Language,
): { readonly markdown: string; readonly written: Language } => {
  const written = isTranslated(chapter, language) ? language : 'en';
  return { markdown: readFileSync(urlOf(chapter, written), 'utf8'), written };
};

/**
 * Where a link of a README leads on these pages.
 *
 * @param from the chapter that holds the link, and the language of its page
 * @returns a path below the public URL, with its anchor; undefined for other files
 */
export const resolveLink = (
  link: string,
  from: { readonly chapter: Chapter; readonly language: Language },
): string | undefined => {
  const target = new URL(link, `file:///${from.chapter.folder}`);
  const [, folder, file] = /^\/((?:\w+\/)+)(README(?:\.pt-BR)?\.md)$/.exec(target.pathname) ?? [];
  const chapter = CHAPTERS.find((each) => each.folder === folder);
  if (chapter === undefined) return undefined;

  const named: Language = file === FILES['pt-BR'] ? 'pt-BR' : 'en';
  // A chapter without translation is shown in English on the pages of each language.
  const language = isTranslated(chapter, from.language) ? named : from.language;
  return `${chapterPath(language, chapter)}${decodeURIComponent(target.hash)}`;
};
