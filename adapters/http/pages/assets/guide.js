/** The guide in a browser: copy buttons, the current section, the menu, and the search. */

const { copy: copyLabel, copied: copiedLabel } = document.body.dataset;
const COPIED_MS = 2_000;

const copyText = async (code) => {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(code.textContent);
  // Browsers offer the clipboard only to pages by HTTPS.
  getSelection().selectAllChildren(code);
  document.execCommand('copy');
};

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.type = 'button';
  button.textContent = copyLabel;
  button.addEventListener('click', async () => {
    await copyText(block.querySelector('code'));
    button.textContent = copiedLabel;
    setTimeout(() => {
      button.textContent = copyLabel;
    }, COPIED_MS);
  });
  block.append(button);
  block.classList.add('copyable');
}

const menu = document.querySelector('.menu');
menu?.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null) menu.open = false;
});

const links = new Map(
  [...document.querySelectorAll('.sections a')].map((link) => [
    link,
    decodeURIComponent(link.hash.slice(1)),
  ]),
);
const markCurrent = (id) => {
  for (const [link, own] of links) {
    if (own === id) link.setAttribute('aria-current', 'location');
    else link.removeAttribute('aria-current');
  }
};
const observer = new IntersectionObserver(
  (entries) => {
    const [entered] = entries.filter(({ isIntersecting }) => isIntersecting);
    if (entered !== undefined) markCurrent(entered.target.id);
  },
  { rootMargin: '0px 0px -70% 0px' },
);
for (const heading of document.querySelectorAll('article h2')) observer.observe(heading);

const MAX_RESULTS = 12;
const EXCERPT_BEFORE = 30;
const EXCERPT_LENGTH = 160;

const form = document.querySelector('.search');

/** Without case and accents: `cancelacao` finds `cancelação`. */
const plain = (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const loadIndex = async () => {
  const { library, index } = form.dataset;
  const [{ default: MiniSearch }, response] = await Promise.all([import(library), fetch(index)]);
  if (!response.ok) throw new Error(`${index}: ${response.status}`);
  const search = new MiniSearch({
    fields: ['title', 'text', 'code'],
    storeFields: ['title', 'chapter', 'text'],
    processTerm: plain,
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { title: 4, text: 2 }, combineWith: 'AND' },
  });
  search.addAll(await response.json());
  return search;
};

/** The part of a text around the first of the terms; its beginning if it has none of them. */
const excerptOf = (text, terms) => {
  const places = terms.map((term) => plain(text).indexOf(term)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  if (first <= EXCERPT_BEFORE) return text.slice(0, EXCERPT_LENGTH);
  const from = text.indexOf(' ', first - EXCERPT_BEFORE) + 1;
  return `… ${text.slice(from, from + EXCERPT_LENGTH)}`;
};

const resultOf = ({ id, title, chapter, text, terms }) => {
  const link = document.createElement('a');
  link.href = `${form.dataset.base}${id}`;
  const name = document.createElement('strong');
  name.textContent = title;
  const place = document.createElement('small');
  place.textContent = ` ${chapter}`;
  const excerpt = document.createElement('span');
  excerpt.textContent = excerptOf(text, terms);
  link.append(name, place, excerpt);
  const item = document.createElement('li');
  item.append(link);
  return item;
};

const startSearch = () => {
  const input = form.querySelector('input');
  const panel = form.querySelector('.results');
  const count = form.querySelector('.count');
  const list = form.querySelector('ol');
  let index;

  const load = () => {
    index ??= loadIndex();
    index.catch(() => {
      index = undefined;
    });
    return index;
  };

  const close = () => {
    panel.hidden = true;
  };

  const show = async () => {
    const words = input.value.trim();
    if (words === '') return close();
    try {
      const found = (await load()).search(words);
      // What has been typed since is shown by its own event.
      if (words !== input.value.trim()) return;
      list.replaceChildren(...found.slice(0, MAX_RESULTS).map(resultOf));
      const { results, none } = form.dataset;
      count.textContent = found.length === 0 ? none : `${found.length} ${results}`;
    } catch {
      list.replaceChildren();
      count.textContent = form.dataset.failed;
    }
    panel.hidden = false;
  };

  /** Moves the focus among the field and the results. */
  const move = (step) => {
    const stops = [input, ...list.querySelectorAll('a')];
    const next = stops.indexOf(document.activeElement) + step;
    stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
  };

  form.hidden = false;
  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await show();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) {
      event.preventDefault();
      move(steps[event.key]);
    } else if (event.key === 'Escape') {
      close();
      input.focus();
    }
  });
  form.addEventListener('click', ({ target }) => {
    if (target.closest('a') !== null) close();
  });
  document.addEventListener('click', ({ target }) => {
    if (!form.contains(target)) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
};

if (form !== null) startSearch();
