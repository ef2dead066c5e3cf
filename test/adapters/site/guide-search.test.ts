import { expect } from 'chai';
import MiniSearch from 'minisearch';
import type { Language } from '../../../adapters/kit/web/pages/languages.ts';
import { CHAPTERS } from '../../../adapters/site/chapters.ts';
import { renderGuidePage } from '../../../adapters/site/guide-page.ts';
import type { SearchSection } from '../../../adapters/site/search-sections.ts';
import { siteAt } from '../../support/site.ts';

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
  const site = siteAt('https://sales.example');
  const sections = CHAPTERS.flatMap((chapter) => renderGuidePage(chapter, language, site).sections);
  return createSearch({ MiniSearch, stem, language, sections });
};

/** Questions, and the anchor of the section that answers each. */
const QUESTIONS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  'pt-BR': {
    'como cancelo uma venda': '/docs/pt-BR#7-cancelamento',
    cancelacao: '/docs/pt-BR#7-cancelamento',
    'segunda via': '/docs/pt-BR#8-bilhetes-apólices-e-segundas-vias',
    reembolso: '/docs/pt-BR#devoluções-e-contestações',
    devolucao: '/docs/pt-BR#devoluções-e-contestações',
    'trocar o e-mail': '/docs/pt-BR#8-bilhetes-apólices-e-segundas-vias',
    'prazo do boleto': '/docs/pt-BR#a-vida-de-um-link',
    'webhook assinatura': '/docs/pt-BR/events#verificar-assinaturas',
    'como verifico a assinatura do webhook?': '/docs/pt-BR/events#verificar-assinaturas',
    'como testar um cartão recusado': '/docs/pt-BR#10-sandbox',
    'extrato do mês': '/docs/pt-BR/books#extrato',
    'sao paulo': '/docs/pt-BR#dias-e-fusos-horários',
    'quanto tempo vale a cotação': '/docs/pt-BR/books#cotações',
    'como renovo o token': '/docs/pt-BR/tokens#renovar',
    'erro 409': '/docs/pt-BR#códigos-de-erro',
  },
  en: {
    'how do I cancel a sale': '/docs/en#7-cancelling',
    cancellation: '/docs/en#7-cancelling',
    'second copy': '/docs/en#8-certificates-and-second-copies',
    refund: '/docs/en#refunds-and-disputes',
    'change the e-mail': '/docs/en#8-certificates-and-second-copies',
    'how do I verify the signature of a webhook?': '/docs/en/events#verifying-signatures',
    'declined card test': '/docs/en#10-sandbox',
    'how long is a quote valid': '/docs/en/books#quotes',
    'rotate secret': '/docs/en/events#changing-a-secret',
    'monthly statement': '/docs/en/books#statement',
  },
};

describe('the search of the guide', () => {
  for (const [language, questions] of Object.entries(QUESTIONS))
    it(`puts the section that answers a question first (${language})`, async () => {
      const search = await searchIn(language as Language);
      const found = Object.keys(questions).map((each) => [each, search(each).results[0]?.id]);
      expect(Object.fromEntries(found)).to.deep.equal(questions);
    });

  it('marks the words that it found, in any of their forms', async () => {
    const search = await searchIn('pt-BR');
    const [first] = search('como cancelo uma venda').results;
    expect(first?.title).to.deep.equal([
      { text: '7. ', isHit: false },
      { text: 'Cancelamento', isHit: true },
    ]);
    const marked = first?.excerpt.filter(({ isHit }) => isHit).map(({ text }) => text);
    expect(marked).to.include.members(['venda', 'cancelada']);
  });

  it('finds words that are mistyped, or not yet typed to their end', async () => {
    const search = await searchIn('pt-BR');
    for (const typed of ['conciliacoa', 'conciliaç', 'concil'])
      expect(search(typed).results[0]?.id, typed).to.equal('/docs/pt-BR/books#conciliação');
  });

  it('finds nothing for words that the guide does not have, or that say nothing', async () => {
    const search = await searchIn('en');
    for (const typed of ['xyzzyxyzzy', 'how do I', '…', ''])
      expect(search(typed), typed).to.deep.equal({ count: 0, results: [] });
  });
});
