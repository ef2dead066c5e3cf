import { expect } from 'chai';
import MiniSearch from 'minisearch';
import type { Language } from '../../../adapters/kit/web/pages/languages.ts';
import { completePage } from '../../../adapters/site/build/build-site.ts';
import { type SearchSection, sectionsOf } from '../../../adapters/site/build/search-sections.ts';
import { readGuide } from '../../../adapters/site/build/source-pages.ts';
import { TABLES } from '../../../bootstrap/site/tables.ts';

interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

interface Found {
  readonly count: number;
  readonly results: readonly {
    readonly id: string;
    readonly title: readonly Piece[];
    readonly excerpt: readonly Piece[];
  }[];
}

type Search = (question: string) => Found;

interface SearchParts {
  readonly MiniSearch: typeof MiniSearch;
  readonly stem: (word: string) => string;
  readonly language: Language;
  readonly sections: readonly SearchSection[];
}

/** The script of the pages; it has no types. */
const SCRIPT = new URL('../../../adapters/site/assets/guide-search.js', import.meta.url);

const STEMMERS = {
  'pt-BR': () => import('@orama/stemmers/portuguese'),
  en: () => import('@orama/stemmers/english'),
};

const searchIn = async (language: Language): Promise<Search> => {
  const { createSearch } = (await import(SCRIPT.href)) as {
    createSearch: (parts: SearchParts) => Search;
  };
  const { stemmer: stem } = await STEMMERS[language]();
  const sections = readGuide(language).flatMap((page) =>
    sectionsOf(completePage(page, TABLES), { path: page.path, chapter: page.title }),
  );
  return createSearch({ MiniSearch, stem, language, sections });
};

/** Questions, and the page that answers each. */
const QUESTIONS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  'pt-BR': {
    'como cancelo uma venda': '/docs/pt-BR/cancel',
    cancelacao: '/docs/pt-BR/cancel',
    'segunda via': '/docs/pt-BR/certificates',
    reembolso: '/docs/pt-BR/refunds',
    devolucao: '/docs/pt-BR/refunds',
    'trocar o e-mail': '/docs/pt-BR/certificates',
    'prazo do boleto': '/docs/pt-BR/collect',
    'como verifico a assinatura do webhook?': '/docs/pt-BR/verify-signatures',
    'como testar um cartão recusado': '/docs/pt-BR/sandbox',
    'extrato do mês': '/docs/pt-BR/statement',
    'sao paulo': '/docs/pt-BR/time',
    'quanto tempo vale a cotação': '/docs/pt-BR/quotes',
    'como renovo o token': '/docs/pt-BR/access',
    'erro 409': '/docs/pt-BR/errors',
  },
  en: {
    'how do I cancel a sale': '/docs/en/cancel',
    cancellation: '/docs/en/cancel',
    'second copy': '/docs/en/certificates',
    refund: '/docs/en/refunds',
    'change the e-mail': '/docs/en/certificates',
    'how do I verify the signature of a webhook?': '/docs/en/verify-signatures',
    'declined card test': '/docs/en/sandbox',
    'how long does a quote hold its price': '/docs/en/quotes',
    'rotate secret': '/docs/en/deliveries',
    'statement of a month': '/docs/en/statement',
  },
};

describe('the search of the guide', () => {
  for (const [language, questions] of Object.entries(QUESTIONS))
    it(`puts the page that answers a question first (${language})`, async () => {
      const search = await searchIn(language as Language);
      const found = Object.keys(questions).map((each) => [
        each,
        search(each).results[0]?.id.split('#')[0],
      ]);
      expect(Object.fromEntries(found)).to.deep.equal(questions);
    });

  it('marks the words that it found, in any of their forms', async () => {
    const search = await searchIn('pt-BR');
    const [first] = search('como cancelo uma venda').results;
    expect(first?.title).to.deep.equal([
      { text: 'Cancele', isHit: true },
      { text: ' uma ', isHit: false },
      { text: 'venda', isHit: true },
    ]);
    const marked = first?.excerpt.filter(({ isHit }) => isHit).map(({ text }) => text);
    expect(marked).to.include.members(['venda', 'cancelada']);
  });

  it('finds words that are mistyped, or not yet typed to their end', async () => {
    const search = await searchIn('pt-BR');
    for (const typed of ['conciliacoa', 'conciliaç', 'concil'])
      expect(search(typed).results[0]?.id.split('#')[0], typed).to.equal('/docs/pt-BR/reconcile');
  });

  it('finds nothing for words that the guide does not have, or that say nothing', async () => {
    const search = await searchIn('en');
    for (const typed of ['xyzzyxyzzy', 'how do I', '…', ''])
      expect(search(typed), typed).to.deep.equal({ count: 0, results: [] });
  });
});
