import { createRequire } from 'node:module';
import GithubSlugger from 'github-slugger';
import { Marked, type RendererObject, type Tokens } from 'marked';
import type { PageWords } from '../page-words.ts';
import { renderStates } from './state-diagram.ts';

const require = createRequire(import.meta.url);

interface Highlighter {
  /** @returns HTML, escaped */
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}

// Not imported: its types would add those of a browser's document to the whole program.
const highlighter = require('highlight.js/lib/common') as Highlighter;

/** The language in which a block is highlighted, by the word after its fence. */
const HIGHLIGHTED: Readonly<Record<string, string>> = {
  ...{ bash: 'bash', sh: 'bash', dotenv: 'ini', json: 'json', jsonc: 'json' },
  ...{ js: 'typescript', ts: 'typescript', php: 'php', python: 'python', sql: 'sql' },
};

export interface Heading {
  readonly depth: number;
  readonly id: string;
  /** HTML. */
  readonly content: string;
}

export interface RenderedMarkdown {
  readonly content: string;
  readonly headings: readonly Heading[];
}

export interface RenderOptions {
  readonly words: PageWords;
  /** The target of a link; undefined: the link is shown as text. */
  readonly resolve: (link: string) => string | undefined;
}

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Renders a README as the content of a page, with its headings in order. */
export const renderMarkdown = (markdown: string, options: RenderOptions): RenderedMarkdown => {
  const headings: Heading[] = [];
  const renderer = rendererOf(options, headings);
  const content = new Marked({ renderer }).parse(markdown, { async: false });
  return { content, headings };
};

const rendererOf = ({ words, resolve }: RenderOptions, headings: Heading[]): RendererObject => {
  const slugger = new GithubSlugger();
  let tables = 0;
  return {
    heading({ depth, text, tokens }) {
      const id = slugger.slug(text);
      const content = this.parser.parseInline(tokens);
      headings.push({ depth, id, content });
      return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      return lang === 'mermaid' ? renderStates(text, words) : renderCode(text, lang);
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const target = /^(https?:|#)/.test(href) ? href : resolve(href);
      return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
    },
    table(token) {
      tables += 1;
      const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
        `<tr>${cells.map(({ tokens }) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
      // An empty header of an uppermost left cell is no header.
      const head = row(token.header, 'th').replaceAll('<th scope="col"></th>', '<td></td>');
      return `<div class="table" role="group" tabindex="0" aria-label="${words.table} ${tables}"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
    },
    html({ text }) {
      return escapeHtml(text);
    },
  };
};

const renderCode = (text: string, fence: string): string => {
  const [name = ''] = fence.split(' ');
  const language = HIGHLIGHTED[name];
  const code =
    language === undefined ? escapeHtml(text) : highlighter.highlight(text, { language }).value;
  return `<div class="code" data-language="${escapeHtml(name)}"><pre tabindex="0"><code>${code}</code></pre></div>\n`;
};
