import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { slug } from 'github-slugger';
import { GUIDE, OPERATOR_PAGES } from '../../adapters/site/site-pages.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** A fenced block of a Markdown text. */
export interface Block {
  /** Empty where the fence names none. */
  readonly language: string;
  readonly text: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
}

/** All fenced blocks, in order. */
const blocksOf = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = '', 2: text = '', index }) => ({
      language: language.trim(),
      text,
      line: markdown.slice(0, index).split('\n').length,
    }),
  );

/** The fenced blocks of some languages, in order. */
export const blocks = (markdown: string, ...languages: readonly string[]): readonly Block[] =>
  blocksOf(markdown).filter(({ language }) => languages.includes(language));

export interface Readme {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export const readReadme = (path: string): Readme => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, blocks: blocksOf(text) };
};

const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage']);

/** Every README.md of the repository; folders that begin with a dot hold no sources. */
export const findReadmes = (folder = ROOT): readonly Readme[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return SKIPPED_FOLDERS.has(entry.name) || entry.name.startsWith('.')
          ? []
          : findReadmes(path);
      return entry.name === 'README.md' ? [readReadme(relative(ROOT, path))] : [];
    });

/** The partners' pages in English, in the order in which they are read. */
export const guidePages = (): readonly Readme[] =>
  GUIDE.flatMap(({ pages }) =>
    pages.map((name) => readReadme(`adapters/site/guide/en/${name}.md`)),
  );

/** The operators' pages, by their names. */
export const operatorPages = (): readonly Readme[] =>
  [...OPERATOR_PAGES].sort().map((name) => readReadme(`bootstrap/guide/${name}.md`));

/** The text between a heading and the next one of the same level. */
export const chapterOf = ({ text, path }: Readme, heading: string): string => {
  const start = `\n${text}`.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`${path} has no chapter "${heading}"`);
  const [level = ''] = heading.split(' ');
  const rest = text.slice(start + heading.length);
  const end = rest.indexOf(`\n${level} `);
  return end < 0 ? rest : rest.slice(0, end);
};

/** Links to files of this repository, and to headings. */
export const linksOf = ({ text, blocks }: Readme): readonly string[] => {
  const prose = blocks.reduce((left, block) => left.replace(block.text, ''), text);
  return [...prose.matchAll(/\]\(([^)]+)\)/g)]
    .map(([, link]) => link as string)
    .filter((link) => !/^[a-z]+:/.test(link));
};

/** The anchors that GitHub gives to the headings of a text. */
export const anchorsOf = ({ text }: Readme): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading));

/** Commands, and the blocks with their output that follow them. */
export interface TourStep {
  /** The file and the line of the commands. */
  readonly place: string;
  readonly commands: string;
  readonly shown: readonly Block[];
}

const SHOWN_LANGUAGES: ReadonlySet<string> = new Set(['json', 'console']);

/** Every `bash` block with the `json` and `console` blocks that stand between it and the next. */
export const tourOf = ({ blocks, path }: Readme): readonly TourStep[] => {
  const steps: { place: string; commands: string; shown: Block[] }[] = [];
  for (const block of blocks) {
    if (block.language === 'bash')
      steps.push({ place: `${path}:${block.line}`, commands: block.text, shown: [] });
    if (!SHOWN_LANGUAGES.has(block.language)) continue;
    const last = steps.at(-1);
    if (last === undefined)
      throw new Error(`${path}:${block.line} shows output, but no command stands before it`);
    last.shown.push(block);
  }
  return steps;
};

/** A program and what it prints. */
export interface Example {
  /** The heading that it stands under. */
  readonly title: string;
  readonly code: string;
  readonly printed: string;
}

/** Every `js` or `ts` block with the `text` block that follows it. */
export const examples = (markdown: string): readonly Example[] =>
  [...markdown.matchAll(/```[jt]s\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(
    ({ 1: code = '', 2: printed = '', index }) => ({
      title:
        markdown
          .slice(0, index)
          .match(/^##+ (.*)$/gm)
          ?.at(-1)
          ?.replace(/^#+ /, '') ?? '',
      code,
      printed,
    }),
  );

/** A `js` or `ts` block of a README, which may show in `//=>` comments what it prints. */
export interface Program {
  /** The heading that it stands under. */
  readonly title: string;
  readonly language: string;
  /** The name that it gives itself for imports, in its first line: `// pet.js`. */
  readonly savedAs?: string;
  readonly code: string;
  readonly printed: string;
}

/** Every `js` and `ts` block, in order. */
export const programsOf = ({ text, blocks }: Pick<Readme, 'text' | 'blocks'>): readonly Program[] =>
  blocks
    .filter(({ language }) => language === 'js' || language === 'ts')
    .map(({ language, text: code, line }) => {
      const before = text.split('\n').slice(0, line).join('\n');
      const savedAs = /^\/\/ ([\w-]+)\.js\n/.exec(code)?.[1];
      return {
        title:
          before
            .match(/^##+ .*$/gm)
            ?.at(-1)
            ?.replace(/^#+ /, '') ?? '',
        language,
        ...(savedAs !== undefined && { savedAs }),
        code,
        printed: [...code.matchAll(/\/\/=> (.*)/g)].map(([, shown]) => `${shown}\n`).join(''),
      };
    });
