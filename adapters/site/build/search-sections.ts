import GithubSlugger from 'github-slugger';
import { marked } from 'marked';

/** A part of a chapter that the search finds. */
export interface SearchSection {
  /** The address below the public URL, with the anchor. */
  readonly id: string;
  readonly chapter: string;
  readonly title: string;
  /** The prose of the section. */
  readonly text: string;
  /** The examples of the section. */
  readonly code: string;
}

/** Deeper headings belong to the section above them. */
const MAX_DEPTH = 3;

/** The text of Markdown without its marks. */
const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[|:\s-]+$/gm, ' ')
    .replaceAll(/[`|*#]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Splits a chapter at its headings. */
export const sectionsOf = (
  markdown: string,
  { path, chapter }: { readonly path: string; readonly chapter: string },
): readonly SearchSection[] => {
  const slugger = new GithubSlugger();
  const sections: { -readonly [Key in keyof SearchSection]: string }[] = [];
  for (const token of marked.lexer(markdown)) {
    const id = token.type === 'heading' ? slugger.slug(token['text']) : '';
    const last = sections.at(-1);
    if (token.type === 'heading' && token['depth'] <= MAX_DEPTH)
      sections.push({
        id: `${path}#${id}`,
        chapter,
        title: plainText(token['text']),
        text: '',
        code: '',
      });
    else if (token.type === 'code' && last !== undefined)
      last.code = `${last.code} ${plainText(token['text'])}`.trim();
    else if (last !== undefined) last.text = `${last.text} ${plainText(token.raw)}`.trim();
  }
  return sections;
};
