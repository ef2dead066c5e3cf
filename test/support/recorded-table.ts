import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { chapterOf, readReadme } from './readme.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** The rows of a Markdown table, with its two lines of head, in a chapter. */
const TABLE = /^\|.*\|\n\|[-|: ]+\|\n(?:\|.*\|\n?)+/m;

/** The cells of each row, without the head. A cell has no `|`. */
const cellsOf = (table: string): readonly (readonly string[])[] =>
  table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/**
 * Expects these rows in the first table of a README's chapter. `RECORD=1` writes them there first;
 * the head of the table stays.
 *
 * @param heading of the chapter, such as `## Limits`
 */
export const expectRecordedRows = (
  path: string,
  heading: string,
  rows: readonly (readonly string[])[],
): void => {
  if (process.env['RECORD'] === '1') record(path, heading, rows);
  const [table = ''] = TABLE.exec(chapterOf(readReadme(path), heading)) ?? [];
  expect(cellsOf(table), `${path}, ${heading}; RECORD=1 writes the rows`).to.deep.equal(rows);
};

const record = (path: string, heading: string, rows: readonly (readonly string[])[]): void => {
  const readme = readReadme(path);
  const chapter = chapterOf(readme, heading);
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  const recorded = chapter.replace(
    TABLE,
    (table) => `${table.split('\n').slice(0, 2).join('\n')}\n${lines}`,
  );
  writeFileSync(
    `${ROOT}${path}`,
    readme.text.replace(chapter, () => recorded),
  );
};
