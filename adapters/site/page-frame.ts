import { renderFrame } from '../kit/web/pages/frame.ts';
import { type Html, html, raw } from '../kit/web/pages/html.ts';
import type { Language } from '../kit/web/pages/languages.ts';
import { PAGE_WORDS } from './page-words.ts';
import { guidePath, START } from './site-pages.ts';

/** What every page needs to know of the service. */
export interface Site {
  /** The path of the public URL: each link begins with it. */
  readonly base: string;
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
  /** The addresses of the files that the pages load, by their names. */
  readonly assets: Readonly<Record<string, string>>;
}

/** A page below the header of the site. */
export interface SitePage {
  readonly site: Site;
  readonly language: Language;
  readonly title: string;
  /** The part of the site that the page belongs to. */
  readonly part?: 'guide' | 'reference';
  /** The path of the same page in the other language, below the public URL. */
  readonly otherLanguage?: string;
  /** Whether the page stays light in a dark browser. */
  readonly isLight?: boolean;
  /** Addresses of further style sheets. */
  readonly styles?: readonly (string | undefined)[];
  readonly search?: boolean;
  /** The path of the page as Markdown, below the public URL. */
  readonly markdown?: string;
  readonly scripts?: Html;
  readonly content: Html;
}

const other = (language: Language): Language => (language === 'en' ? 'pt-BR' : 'en');

const switchTo = ({ site: { base }, language, otherLanguage }: SitePage): Html | '' =>
  otherLanguage === undefined
    ? ''
    : html`<a class="language" lang="${other(language)}" hreflang="${other(language)}" href="${base}${otherLanguage}">${PAGE_WORDS[language].otherLanguage}</a>`;

/** Shown by the script: it cannot search without. */
const searchForm = ({ site, language }: SitePage): Html => {
  const words = PAGE_WORDS[language];
  return html`<form class="search" role="search" hidden data-language="${language}" data-search="${site.assets['guide-search.js']}" data-stemmer="${site.assets[`stemmer-${language}.js`]}" data-index="${site.base}/docs/${language}/search.json" data-library="${site.assets['minisearch.js']}" data-base="${site.base}" data-results="${words.results}" data-none="${words.noResult}" data-failed="${words.searchFailed}">
<label class="unseen" for="search">${words.search}</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="${words.search}" aria-describedby="search-keys">
<kbd id="search-keys">${words.searchHint}</kbd>
<div class="results" hidden><p class="count" role="status"></p><ol></ol></div>
</form>`;
};

const headerOf = (page: SitePage): Html => {
  const { site, language, part, search } = page;
  const words = PAGE_WORDS[language];
  const current = (name: SitePage['part']) => (part === name ? raw(' aria-current="true"') : '');
  return html`<header class="site" id="top">
<a class="home" href="${site.base}/">${words.home}</a>
<nav aria-label="${words.home}">
<a href="${site.base}${guidePath(language, START)}"${current('guide')}>${words.guide}</a>
<a href="${site.base}/docs/api"${current('reference')}>${words.reference}</a>
${switchTo(page)}
</nav>
${search ? searchForm(page) : ''}
</header>`;
};

/** A whole page. */
export const renderSitePage = (page: SitePage): string => {
  const { site, language, title, isLight = false, styles = [], scripts = '', content } = page;
  const markdown =
    page.markdown &&
    html`<link rel="alternate" type="text/markdown" href="${site.base}${page.markdown}">\n`;
  const words = PAGE_WORDS[language];
  const sheets = [site.assets['pages.css'], ...styles].map(
    (address) => html`<link rel="stylesheet" href="${address}">\n`,
  );
  const head = html`<link rel="icon" href="${site.assets['icon.svg']}" type="image/svg+xml">
${markdown ?? ''}${sheets}${scripts}`;
  const body = html`<a class="skip" href="#content">${words.skip}</a>
${headerOf(page)}
${content}`;
  const attributes = html` data-copy="${words.copy}" data-copied="${words.copied}"`;
  return renderFrame({ title, language, isLight, head, attributes, body });
};
