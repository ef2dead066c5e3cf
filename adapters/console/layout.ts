import { readFileSync } from 'node:fs';
import type { SignedIn } from '../../application/people/keep-sessions.ts';
import { may } from '../../application/people/roles.ts';
import { renderFrame, TOKENS } from '../kit/web/pages/frame.ts';
import { type Html, html } from '../kit/web/pages/html.ts';
import type { Page } from './visit.ts';
import { ROLE_WORDS } from './words.ts';

/** The style sheet of the console. */
export const STYLE = `${TOKENS}${readFileSync(new URL('console.css', import.meta.url), 'utf8')}`;

export interface Frame {
  readonly title: string;
  readonly content: Html;
  /** Absent on pages for everybody. */
  readonly who?: SignedIn | undefined;
  readonly isTest: boolean;
  readonly styleUrl: string;
  /** The path of the page, below `/console`. */
  readonly path: string;
  readonly pages: readonly Page[];
  /** Whether an administrator sees what a partner sees. */
  readonly isLooking?: true | undefined;
  /** The first page, as the person has it. */
  readonly home: string;
  at(path: string): string;
}

/** In the order of the menu. */
const MENU = [
  ['/', 'Início'],
  ['/sales', 'Vendas'],
  ['/alerts', 'Alertas'],
  ['/statements', 'Extratos'],
  ['/refunds', 'Devoluções'],
  ['/catalogue', 'Catálogo'],
  ['/clients', 'Credenciais'],
  ['/webhooks', 'Webhooks'],
  ['/requests', 'Requisições'],
  ['/audit', 'Auditoria'],
  ['/people', 'Pessoas'],
  ['/sessions', 'Sessões'],
] as const;

const renderMenu = ({ who, path, pages, isLooking, at }: Frame): Html => {
  if (who === undefined) return html``;
  const isShown = (address: string): boolean => {
    const page = pages.find((each) => each.path === address && each.method === 'get');
    return page !== undefined && !page.isOpen && (!page.right || may(who.person.role, page.right));
  };
  const items = MENU.filter(([address]) => isShown(address)).map(([address, label]) => {
    const isHere = address === path || (address !== '/' && path.startsWith(`${address}/`));
    return html`<li><a href="${at(address)}"${isHere && html` aria-current="page"`}>${label}</a></li>`;
  });
  return html`<nav aria-label="Principal"><ul>${items}</ul></nav>
<div class="who"><span>${who.person.name} <span class="soft">${ROLE_WORDS[who.person.role]}</span></span>
${!isLooking && html`<form method="post" action="${at('/sign-out')}"><button class="plain">Sair</button></form>`}</div>`;
};

/** Writes a page of the console. */
export const renderConsole = (frame: Frame): string => {
  const { title, content, who, isTest, isLooking, home, styleUrl, at } = frame;
  return renderFrame({
    title: `${title} – Seguros`,
    language: 'pt-BR',
    head: html`<link rel="stylesheet" href="${styleUrl}">`,
    body: html`<a class="skip" href="#main">Ir para o conteúdo</a>
${isTest && html`<aside class="note" aria-label="Ambiente">Ambiente de testes: nenhum seguro daqui é verdadeiro.</aside>`}
${isLooking && html`<aside class="note" aria-label="Visão do canal">Você vê o que ${who?.person.channelLink} vê; nada pode ser mudado. <a href="${home}">Voltar à administração</a></aside>`}
<header><a class="brand" href="${at('/')}">Seguros</a>${renderMenu(frame)}</header>
<main id="main"${who === undefined && html` class="narrow"`}>
${content}
</main>`,
  });
};
