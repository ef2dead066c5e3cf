/** The search of the guide: by word stems, without accents, in whole questions. */

/** Words of questions and sentences that say nothing of their subject. Without accents. */
const STOP_WORDS = {
  'pt-BR':
    'a ao aos as com como da das de dela dele do dos e ela ele em entre era essa esse esta este eu faco fazer foi ha isso isto ja lhe mais mas me meu meus minha minhas muito na nao nas no nos num numa o onde os ou para pela pelo por posso pode porque preciso qual quais quando quanto quantos que quem quero se sem ser sera seu seus so sobre sua suas tem tenho um uma voce',
  en: 'a an and are as at be but by can could do does for from get has have how i if in into is it its me my need no not of on or our should so that the their them then there these they this to want was we what when where which who why will with would you your',
};

/** Words that people type, and the word that the guide has for each. Without accents. */
const SYNONYMS = {
  'pt-BR': {
    ...{ reembolso: 'devolução', reembolsar: 'devolução', trocar: 'corrigir', mudar: 'corrigir' },
    ...{ alterar: 'corrigir', senha: 'segredo' },
    ...{ login: 'token', preco: 'cotação', reenviar: 'segunda', teste: 'sandbox' },
  },
  en: {
    ...{ reimburse: 'refund', change: 'correct', update: 'correct', deadline: 'expires' },
    ...{ resend: 'second', duplicate: 'second', price: 'quote', password: 'secret' },
    ...{ login: 'token', test: 'sandbox' },
  },
};

const WORD = /e-mails?|[\p{L}\p{N}]+/giu;
const MAX_RESULTS = 12;
/** Sections with less of the best one's score have only a common word of the question. */
const MIN_SCORE = 0.2;
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 180;

const withoutAccents = (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Portuguese endings by which a stem is found, for words that are typed without accents. */
const restoreEnding = (word) => word.replace(/cao$/, 'ção').replace(/coes$/, 'ções');

/** Returns a function that gives the stems of a word: with its accents, and without. */
const makeStems = (language, stem) => {
  const stopWords = new Set(STOP_WORDS[language].split(' '));
  return (word) => {
    const lower = word.normalize('NFC').toLowerCase();
    const plain = withoutAccents(lower);
    if (stopWords.has(plain)) return null;
    return [
      ...new Set([lower, plain, restoreEnding(plain)].map((each) => withoutAccents(stem(each)))),
    ];
  };
};

/** The part of a text in which the most different hits stand. */
const excerptOf = (text, hits) => {
  const countFrom = ({ index }) =>
    new Set(
      hits
        .filter((hit) => hit.index >= index && hit.end <= index + EXCERPT_LENGTH - EXCERPT_BEFORE)
        .map(({ stem }) => stem),
    ).size;
  let best = 0;
  let most = 0;
  for (const hit of hits) {
    const count = countFrom(hit);
    if (count > most) [most, best] = [count, hit.index];
  }
  if (best <= EXCERPT_BEFORE) return { from: 0, to: EXCERPT_LENGTH };
  const from = text.indexOf(' ', best - EXCERPT_BEFORE) + 1;
  return { from, to: from + EXCERPT_LENGTH };
};

/** A text in pieces: those that were searched for are hits. */
const piecesOf = (text, hits, { from, to }) => {
  const pieces = [];
  let place = from;
  const add = (end, isHit) => {
    if (end > place) pieces.push({ text: text.slice(place, end), isHit });
    place = end;
  };
  for (const { index, end } of hits) {
    if (index < from || end > to) continue;
    add(index, false);
    add(end, true);
  }
  add(Math.min(to, text.length), false);
  return pieces;
};

/**
 * Makes the search over the sections of a language.
 *
 * @param MiniSearch the class of the library
 * @param stem reduces a word of the language to its stem
 */
export const createSearch = ({ MiniSearch, stem, language, sections }) => {
  const stemsOf = makeStems(language, stem);
  const index = new MiniSearch({
    fields: ['title', 'text', 'code'],
    storeFields: ['title', 'chapter', 'text'],
    tokenize: (text) => text.match(WORD) ?? [],
    processTerm: stemsOf,
  });
  index.addAll(sections);

  const hitsIn = (text, terms) =>
    [...text.matchAll(WORD)].flatMap(({ 0: word, index: place }) => {
      const found = stemsOf(word)?.find((each) => terms.has(each));
      return found === undefined ? [] : [{ index: place, end: place + word.length, stem: found }];
    });

  const describe = ({ id, chapter, title, text, terms: matched }) => {
    const terms = new Set(matched);
    const hits = hitsIn(text, terms);
    const excerpt = excerptOf(text, hits);
    return {
      id,
      chapter,
      title: piecesOf(title, hitsIn(title, terms), { from: 0, to: title.length }),
      isCut: excerpt.from > 0,
      excerpt: piecesOf(text, hits, excerpt),
    };
  };

  const addSynonyms = (question) => {
    const words = withoutAccents(question.toLowerCase()).match(WORD) ?? [];
    const more = words.flatMap((word) => SYNONYMS[language][word] ?? []);
    return `${more.join(' ')} ${question}`;
  };

  /** @returns how many sections were found, and the best of them */
  return (question) => {
    const words = addSynonyms(question);
    const options = {
      boost: { title: 4, text: 2 },
      // The last word may not have been typed to its end.
      prefix: (term, place, terms) => place === terms.length - 1 && term.length > 2,
    };
    const exact = index.search(words, options);
    const found = exact.length > 0 ? exact : index.search(words, { ...options, fuzzy: 0.2 });
    const good = found.filter(({ score }) => score >= found[0].score * MIN_SCORE);
    return { count: good.length, results: good.slice(0, MAX_RESULTS).map(describe) };
  };
};
