import { type Html, html, raw } from '../kit/web/pages/html.ts';
import type { Language } from '../kit/web/pages/languages.ts';
import { type Chapter, chapterPath, readChapter, resolveLink } from './chapters.ts';
import { chapterList, renderSitePage, type Site } from './page-frame.ts';
import { PAGE_WORDS, type PageWords } from './page-words.ts';
import { type Heading, renderMarkdown } from './render-markdown.ts';
import { type SearchSection, sectionsOf } from './search-sections.ts';

/** The address of the service in the examples of the READMEs. */
const EXAMPLE_URL = 'http://127.0.0.1:3000';

export interface GuidePage {
  readonly page: Buffer;
  readonly sections: readonly SearchSection[];
}

/** Renders a chapter as a page, and splits it for the search. */
export const renderGuidePage = (chapter: Chapter, language: Language, site: Site): GuidePage => {
  const words = PAGE_WORDS[language];
  const { markdown, written } = readChapter(chapter, language);
  const text = markdown.replaceAll(EXAMPLE_URL, () => site.publicUrl);
  const { content, headings } = renderMarkdown(text, {
    words,
    resolve: (link) => {
      const path = resolveLink(link, { chapter, language });
      return path === undefined ? undefined : `${site.base}${path}`;
    },
  });
  const navigation = chapterList(site, language, chapter.slug, sectionList(headings));
  const note =
    written === language ? '' : html`<p class="note" lang="${language}">${words.untranslated}</p>`;
  const page = renderSitePage({
    site,
    language,
    part: 'guide',
    title: `${chapter.title[language]} · ${words.home}`,
    otherLanguage: chapterPath(language === 'en' ? 'pt-BR' : 'en', chapter),
    search: true,
    scripts: html`<script type="module" src="${site.assets['guide.js']}"></script>\n`,
    content: withNavigation(
      navigation,
      words,
      html`${note}<article class="prose" lang="${written}">${raw(content)}</article>`,
    ),
  });
  const path = chapterPath(language, chapter);
  if (chapter.isUnsearched) return { page, sections: [] };
  return { page, sections: sectionsOf(text, { path, chapter: chapter.title[language] }) };
};

const sectionList = (headings: readonly Heading[]): Html => {
  const sections = headings.filter(({ depth }) => depth === 2);
  return html`<ol class="sections">${sections.map(
    ({ id, content }) => html`<li><a href="#${id}">${raw(content)}</a></li>\n`,
  )}</ol>`;
};

/** The navigation stands twice: beside the text, and in a menu where there is no room for that. */
const withNavigation = (navigation: Html, words: PageWords, content: Html): Html => html`
<div class="columns">
<nav class="beside" aria-label="${words.chapters}">${navigation}</nav>
<main id="content">
<details class="menu"><summary>${words.menu}</summary><nav aria-label="${words.menu}">${navigation}</nav></details>
${content}
<a class="to-top" href="#top">${words.toTop}</a>
</main>
</div>`;
