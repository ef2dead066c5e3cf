import { html } from '../../kit/web/pages/html.ts';
import type { Language } from '../../kit/web/pages/languages.ts';
import { renderSitePage, type Site } from '../page-frame.ts';
import { PAGE_WORDS } from '../page-words.ts';
import { guidePath, START } from '../site-pages.ts';
import { guideList } from './guide-page.ts';
import type { SourcePage } from './source-pages.ts';

/** The page that an unknown path shows: the search, and where else to go. */
export const renderNotFound = (
  language: Language,
  site: Site,
  pages: readonly SourcePage[],
): string => {
  const words = PAGE_WORDS[language];
  const { base, assets } = site;
  const places = [
    [`${base}/`, words.start, words.startText],
    [`${base}${guidePath(language, START)}`, words.guide, words.guideText],
    [`${base}/docs/api`, words.reference, words.referenceText],
    [`${base}/verify`, words.verify, words.verifyText],
  ] as const;
  const cards = places.map(
    ([link, name, text]) =>
      html`<li><a href="${link}"><strong>${name}</strong><span>${text}</span></a></li>\n`,
  );
  return renderSitePage({
    site,
    language,
    title: `${words.notFound} · ${words.home}`,
    search: true,
    scripts: html`<script type="module" src="${assets['guide.js']}"></script>\n`,
    content: html`<main class="plain prose" id="content">
<h1>${words.notFound}</h1>
<p>${words.notFoundText}</p>
<ul class="cards">
${cards}</ul>
<h2>${words.chapters}</h2>
${guideList(pages, base)}
</main>`,
  });
};
