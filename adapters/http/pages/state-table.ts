import type { PageWords } from './page-words.ts';

const TRANSITION = /^\s*(\[\*\]|\w+) --> (\[\*\]|\w+)(?:: (.*))?$/;

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const stateCell = (state: string): string =>
  state === '[*]' ? '<td>●</td>' : `<td><code>${state}</code></td>`;

/**
 * Shows the transitions of a Mermaid `stateDiagram-v2` as a table: a diagram would need Mermaid,
 * 3 MB of script, and says nothing to a screen reader.
 */
export const renderStates = (diagram: string, { states, table }: PageWords): string => {
  const rows = diagram.split('\n').flatMap((line) => {
    const [, from, to, when = ''] = TRANSITION.exec(line) ?? [];
    if (from === undefined || to === undefined) return [];
    return [`<tr>${stateCell(from)}${stateCell(to)}<td>${escapeText(when)}</td></tr>`];
  });
  const head = states.map((name) => `<th scope="col">${name}</th>`).join('');
  return `<div class="table" role="group" tabindex="0" aria-label="${table}: ${states[0]} → ${states[1]}"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
};
