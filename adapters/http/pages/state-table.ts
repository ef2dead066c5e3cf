import type { PageWords } from './page-words.ts';
import { drawStates, readTransitions, type Transition } from './state-diagram.ts';

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const rowOf = ({ from, to, when }: Transition): string => {
  const start = from === null ? '●' : `<code>${from}</code>`;
  return `<tr><td>${start} → <code>${to}</code></td><td>${escapeText(when)}</td></tr>`;
};

/**
 * Shows a Mermaid `stateDiagram-v2` as a drawing, and the reasons of its transitions as a table
 * beside it. Mermaid itself would be 3 MB of script.
 */
export const renderStates = (diagram: string, words: PageWords): string => {
  const transitions = readTransitions(diagram);
  const head = words.states.map((name) => `<th scope="col">${name}</th>`).join('');
  return `<div class="states">
${drawStates(transitions, words)}
<table><caption class="unseen">${words.states.join(': ')}</caption><thead><tr>${head}</tr></thead><tbody>${transitions.map(rowOf).join('\n')}</tbody></table>
</div>\n`;
};
