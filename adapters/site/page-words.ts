import type { Language } from '../kit/web/pages/languages.ts';

/** The texts of the pages around the guide. */
export interface PageWords {
  readonly home: string;
  readonly skip: string;
  readonly guide: string;
  readonly reference: string;
  readonly chapters: string;
  readonly onThisPage: string;
  readonly menu: string;
  readonly toTop: string;
  readonly search: string;
  readonly searchHint: string;
  readonly results: string;
  readonly noResult: string;
  readonly searchFailed: string;
  readonly copy: string;
  readonly copied: string;
  readonly operation: string;
  readonly changelog: string;
  readonly otherLanguage: string;
  readonly table: string;
  readonly states: readonly [change: string, when: string];
  readonly diagram: string;
  readonly diagramText: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly start: string;
  readonly startText: string;
  readonly guideText: string;
  readonly referenceText: string;
  readonly verify: string;
  readonly verifyText: string;
}

export const PAGE_WORDS: Readonly<Record<Language, PageWords>> = {
  'pt-BR': {
    home: 'Integração de Vendas de Seguros',
    skip: 'Ir para o conteúdo',
    guide: 'Guia',
    reference: 'Referência',
    chapters: 'Páginas',
    onThisPage: 'Nesta página',
    menu: 'Páginas e seções',
    toTop: 'Voltar ao início',
    search: 'Buscar no guia',
    searchHint: 'Ctrl+K',
    results: 'resultados',
    noResult: 'Nada encontrado.',
    searchFailed: 'A busca não pôde ser carregada.',
    copy: 'Copiar',
    copied: 'Copiado',
    operation: 'Operação (em inglês)',
    changelog: 'Mudanças (em inglês)',
    otherLanguage: 'English',
    table: 'Tabela',
    states: ['mudança', 'quando'],
    diagram: 'Estados de uma venda',
    diagramText: 'Cada seta é uma mudança da tabela que segue.',
    notFound: 'Página não encontrada',
    notFoundText: 'Não há nada neste endereço. Confira-o, busque no guia ou siga daqui:',
    start: 'Página inicial',
    startText: 'O que é este serviço e aonde ir.',
    guideText: 'Do primeiro acesso à primeira venda, com exemplos para copiar.',
    referenceText: 'Todas as operações, campos e respostas da API.',
    verify: 'Conferir um documento',
    verifyText: 'Para segurados: o bilhete ou a apólice é autêntico?',
  },
  en: {
    home: 'Insurance sales integration',
    skip: 'Skip to content',
    guide: 'Guide',
    reference: 'Reference',
    chapters: 'Pages',
    onThisPage: 'On this page',
    menu: 'Pages and sections',
    toTop: 'Back to top',
    search: 'Search the guide',
    searchHint: 'Ctrl+K',
    results: 'results',
    noResult: 'Nothing found.',
    searchFailed: 'The search could not be loaded.',
    copy: 'Copy',
    copied: 'Copied',
    operation: 'Operation',
    changelog: 'Changelog',
    otherLanguage: 'Português',
    table: 'Table',
    states: ['change', 'when'],
    diagram: 'States of a sale',
    diagramText: 'Each arrow is a change of the table that follows.',
    notFound: 'Page not found',
    notFoundText:
      'There is nothing at this address. Check it, search the guide, or go on from here:',
    start: 'Start page',
    startText: 'What this service is, and where to go (in Portuguese).',
    guideText: 'From access to the first sale, with examples to copy.',
    referenceText: 'All operations, fields and answers of the API (in Portuguese).',
    verify: 'Check a document',
    verifyText: 'For the insured: is the certificate genuine? (In Portuguese.)',
  },
};
