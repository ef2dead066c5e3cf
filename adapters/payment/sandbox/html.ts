import escapeHtml from 'escape-html';

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | undefined | false;

const shown = (part: Part): string => {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map((each: Html) => each.text).join('') : escapeHtml(String(part));
};

/** A template in which everything is escaped that is not HTML already. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.reduce((before, text, index) => before + shown(parts[index - 1]) + text));
