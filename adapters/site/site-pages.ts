import type { Language } from '../kit/web/pages/languages.ts';

/** A part of the navigation. A page is a file of its name in `guide/pt-BR` and `guide/en`. */
interface PageGroup {
  readonly title: Readonly<Record<Language, string>>;
  readonly pages: readonly string[];
}

/** The first page of the guide. */
export const START = 'start';

/** The pages for partners, in the order in which they are read. */
export const GUIDE: readonly PageGroup[] = [
  {
    title: { 'pt-BR': 'Começar', en: 'Begin' },
    pages: [START, 'first-sale', 'access', 'repeat-safely'],
  },
  {
    title: { 'pt-BR': 'Vender', en: 'Sell' },
    pages: ['ingresso', 'artista', 'celular', 'any-product', 'quotes', 'collect', 'time'],
  },
  {
    title: { 'pt-BR': 'Depois da venda', en: 'After the sale' },
    pages: ['states', 'cancel', 'refunds', 'certificates', 'evidence'],
  },
  {
    title: { 'pt-BR': 'Acompanhar', en: 'Follow' },
    pages: ['events', 'webhooks', 'verify-signatures', 'deliveries'],
  },
  {
    title: { 'pt-BR': 'Listas e arquivos', en: 'Lists and files' },
    pages: ['lists', 'statement', 'import', 'reconcile', 'partner-command'],
  },
  {
    title: { 'pt-BR': 'Entrar em produção', en: 'Go live' },
    pages: ['sandbox', 'errors', 'limits', 'go-live', 'compatibility', 'glossary'],
  },
];

/** The first page for operators. */
export const OPERATOR_START = 'requirements';

/** The pages for operators: files of these names in `bootstrap/guide`, in English. */
export const OPERATOR_PAGES: readonly string[] = [
  OPERATOR_START,
  ...['install', 'settings', 'containers', 'postgresql', 'standby', 'groups', 'observe', 'upgrade'],
  ...['backup', 'compare-with-gateway', 'webhooks-and-keys', 'console', 'command-line', 'alerts'],
  ...['log-lines', 'alert-rules', 'start-fails', 'catalogue', 'clients', 'stuck-sales'],
  ...['audit-and-statement', 'personal-data'],
];

/** The path of a page for partners, below the public URL. */
export const guidePath = (language: Language, page: string): string =>
  page === START ? `/docs/${language}` : `/docs/${language}/${page}`;

export const operatorPath = (page: string): string => `/docs/en/operator/${page}`;
