import { parentPort, workerData } from 'node:worker_threads';
import { LANGUAGES } from '../kit/web/pages/languages.ts';
import { prepareSent, type Sent } from '../kit/web/pages/send-page.ts';
import { CHAPTERS, chapterPath } from './chapters.ts';
import { renderGuidePage } from './guide-page.ts';
import type { Site } from './page-frame.ts';

/** Renders the whole guide once, away from the thread that answers requests, and ends. */
const site = workerData as Site;

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const pages = new Map<string, Sent>();

for (const language of LANGUAGES) {
  const sections = [];
  for (const chapter of CHAPTERS) {
    const rendered = renderGuidePage(chapter, language, site);
    pages.set(chapterPath(language, chapter), await prepareSent(HTML, rendered.page));
    sections.push(...rendered.sections);
  }
  const index = Buffer.from(JSON.stringify(sections));
  pages.set(`/docs/${language}/search.json`, await prepareSent(JSON_TYPE, index));
}

parentPort?.postMessage(pages);
