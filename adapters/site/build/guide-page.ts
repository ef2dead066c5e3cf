import { type Html, html, raw } from '../../kit/web/pages/html.ts';
import type { Language } from '../../kit/web/pages/languages.ts';
import { renderSitePage, type Site } from '../page-frame.ts';
import { PAGE_WORDS, type PageWords } from '../page-words.ts';
import { guidePath, OPERATOR_START, operatorPath, START } from '../site-pages.ts';
import { type Heading, type RenderedMarkdown, renderMarkdown } from './render-markdown.ts';
import { type SearchSection, sectionsOf } from './search-sections.ts';
import { resolveLink, type SourcePage } from './source-pages.ts';

/** What stands around a page. */
export interface Surroundings {
  readonly site: Site;
  /** The partners' pages in the language of the page. */
  readonly pages: readonly SourcePage[];
  readonly operatorPages: readonly SourcePage[];
}

interface GuidePage {
  readonly html: string;
  readonly sections: readonly SearchSection[];
}

const other = (language: Language): Language => (language === 'en' ? 'pt-BR' : 'en');

/** Renders a page, and splits it for the search. @param text its Markdown, with its tables */
export const renderGuidePage = (
  page: SourcePage,
  text: string,
  surroundings: Surroundings,
): GuidePage => {
  const { name, language, path, title, audience } = page;
  const { site } = surroundings;
  const words = PAGE_WORDS[language];
  const rendered = renderMarkdown(text, {
    words,
    resolve: (link) => {
      const target = resolveLink(link, page);
      return target === undefined ? undefined : `${site.base}${target}`;
    },
  });
  const html = renderSitePage({
    site,
    language,
    part: 'guide',
    title: `${title} · ${words.home}`,
    otherLanguage: guidePath(other(language), audience === 'partner' ? name : START),
    search: true,
    ...(audience === 'partner' && { markdown: `/docs/${language}/${name}.md` }),
    scripts: guideScript(site),
    content: besideNavigation(rendered, page, surroundings),
  });
  return { html, sections: sectionsOf(text, { path, chapter: title }) };
};

/** Renders the changelog, which is no page of the navigation. */
export const renderChangelog = (text: string, surroundings: Surroundings): string => {
  const { site } = surroundings;
  const words = PAGE_WORDS.en;
  const rendered = renderMarkdown(text, { words, resolve: () => undefined });
  return renderSitePage({
    site,
    language: 'en',
    part: 'guide',
    title: `Changelog · ${words.home}`,
    search: true,
    scripts: guideScript(site),
    content: besideNavigation(rendered, undefined, surroundings),
  });
};

const guideScript = ({ assets }: Site): Html =>
  html`<script type="module" src="${assets['guide.js']}"></script>\n`;

const sectionList = (headings: readonly Heading[]): Html | '' => {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length === 0) return '';
  return html`<ol class="sections">${sections.map(
    ({ id, content }) => html`<li><a href="#${id}">${raw(content)}</a></li>\n`,
  )}</ol>`;
};

/** The links to some pages; below the current one stand its sections. */
const pageLinks = (
  pages: readonly SourcePage[],
  base: string,
  current?: SourcePage,
  sections: Html | '' = '',
): Html =>
  html`<ol class="chapters">${pages.map((page) => {
    const isCurrent = page === current;
    const attribute = isCurrent ? raw(' aria-current="page"') : '';
    return html`<li><a href="${base}${page.path}"${attribute}>${page.title}</a>${isCurrent ? sections : ''}</li>\n`;
  })}</ol>`;

/** The links to all partners' pages, in groups. */
export const guideList = (
  pages: readonly SourcePage[],
  base: string,
  current?: SourcePage,
  sections?: Html | '',
): Html => {
  const groups = Map.groupBy(pages, ({ group = '' }) => group);
  return html`${[...groups].map(
    ([group, grouped]) =>
      html`<p class="group">${group}</p>${pageLinks(grouped, base, current, sections)}`,
  )}`;
};

const navigationOf = (
  page: SourcePage | undefined,
  headings: readonly Heading[],
  { site: { base }, pages, operatorPages }: Surroundings,
): Html => {
  const sections = sectionList(headings);
  const [{ language } = { language: 'en' as const }] = pages;
  const words = PAGE_WORDS[language];
  if (page?.audience === 'operator')
    return html`<p class="group"><a href="${base}${guidePath('en', START)}">${words.guide}</a></p>
<p class="group">${words.operation}</p>${pageLinks(operatorPages, base, page, sections)}`;
  return html`${guideList(pages, base, page, sections)}
<p class="group"><a href="${base}${operatorPath(OPERATOR_START)}">${words.operation}</a></p>
<p class="group"><a href="${base}/docs/changelog">${words.changelog}</a></p>`;
};

/** The navigation stands twice: beside the text, and in a menu where there is no room for that. */
const besideNavigation = (
  { content, headings }: RenderedMarkdown,
  page: SourcePage | undefined,
  surroundings: Surroundings,
): Html => {
  const words: PageWords = PAGE_WORDS[page?.language ?? 'en'];
  const navigation = navigationOf(page, headings, surroundings);
  return html`
<div class="columns">
<nav class="beside" aria-label="${words.chapters}">${navigation}</nav>
<main id="content">
<details class="menu"><summary>${words.menu}</summary><nav aria-label="${words.menu}">${navigation}</nav></details>
<article class="prose">${raw(content)}</article>
<a class="to-top" href="#top">${words.toTop}</a>
</main>
</div>`;
};
