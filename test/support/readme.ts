/** A fenced block of a Markdown text. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of some languages, in order. */
export const blocks = (markdown: string, ...languages: readonly string[]): readonly Block[] =>
  [...markdown.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .map(([, language = '', text = '']) => ({ language, text }))
    .filter(({ language }) => languages.includes(language));

/** A program and what it prints. */
export interface Example {
  readonly title: string;
  readonly code: string;
  readonly printed: string;
}

/** Every `js` block, with the `text` block after it and the heading above it. */
export const examples = (markdown: string): readonly Example[] =>
  [...markdown.matchAll(/```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(
    ({ 1: code = '', 2: printed = '', index }) => ({
      title:
        markdown
          .slice(0, index)
          .match(/^## (.*)$/gm)
          ?.at(-1)
          ?.slice(3) ?? '',
      code,
      printed,
    }),
  );
