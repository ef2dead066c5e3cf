import type { Insured, Insurer } from '#domain';
import { TEST_MARK, TEST_NOTICE } from '../../application/test-mark.ts';
import { html } from '../kit/web/pages/html.ts';

/** The content of a mail: `text` and `html` say the same. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export type Row = readonly [label: string, value: string];

/** A paragraph, a table, or a paragraph that ends in a link. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly Row[] }
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text });

/** No block if there are no rows. */
export const table = (rows: readonly Row[]): readonly Block[] =>
  rows.length === 0 ? [] : [{ kind: 'table', rows }];

const CLOSING = 'Esta mensagem é automática; respostas a ela não são lidas.';

/** The insurer's customer service and ombudsman, if the catalogue has them. */
export const listContacts = ({ customerService, ombudsman }: Insurer): readonly Row[] => [
  ...(customerService === undefined ? [] : [['SAC', customerService] as const]),
  ...(ombudsman === undefined ? [] : [['Ouvidoria', ombudsman] as const]),
];

/**
 * Writes a letter as text and as HTML. Greets by the social name if there is one.
 *
 * @param isTest whether subject and text say that it is of a test environment
 */
export const composeLetter = (
  title: string,
  { socialName, name }: Pick<Insured, 'name' | 'socialName'>,
  blocks: readonly Block[],
  isTest: boolean,
): Letter => {
  const subject = isTest ? `${TEST_MARK}: ${title}` : title;
  // The greeting adds a final dot.
  const greeting = paragraph(`Olá, ${(socialName ?? name).replace(/\.$/, '')}.`);
  const mark = isTest ? [paragraph(`${TEST_MARK}. ${TEST_NOTICE}`)] : [];
  const all = [...mark, greeting, ...blocks];
  return {
    subject,
    text: [...all.map(writeBlock), CLOSING, ''].join('\n\n'),
    html: renderPage(subject, all),
  };
};

const writeBlock = (block: Block): string => {
  if (block.kind === 'table')
    return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n');
  return block.kind === 'link' ? `${block.text} aqui:\n${block.url}` : block.text;
};

const renderBlock = (block: Block) => {
  if (block.kind === 'table') return renderTable(block.rows);
  if (block.kind === 'paragraph') return html`<p style="${BREAKING}">${block.text}</p>`;
  return html`<p>${block.text} <a href="${block.url}" style="color:#0b5cad">aqui</a>.</p>`;
};

/** A long word, such as an address, does not run out of the card. */
const BREAKING = 'overflow-wrap:anywhere;word-break:break-word';

const renderTable = (rows: readonly Row[]) =>
  html`<dl style="margin:16px 0">${rows.map(
    ([label, value]) =>
      html`<dt style="color:#55606f;font-size:14px">${label}</dt><dd style="margin:0 0 8px;${BREAKING}">${value}</dd>`,
  )}</dl>`;

const renderPage = (subject: string, blocks: readonly Block[]): string =>
  html`<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#eef2f6;color:#1c2430;font:16px/1.5 system-ui,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto;background:#fff;border:1px solid #cfd6de;border-radius:12px;padding:24px">
${blocks.map(renderBlock)}
<p style="color:#55606f;font-size:14px">${CLOSING}</p>
</div>
</body>
</html>
`.toString();
