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

const form = document.querySelector('.search');

/** Loads the libraries and the sections, and makes the search of the page's language. */
const loadSearch = async () => {
  const { library, search, stemmer, index, language } = form.dataset;
  const [{ default: MiniSearch }, { createSearch }, { stemmer: stem }, response] =
    await Promise.all([import(library), import(search), import(stemmer), fetch(index)]);
  if (!response.ok) throw new Error(`${index}: ${response.status}`);
  return createSearch({ MiniSearch, stem, language, sections: await response.json() });
};

const withText = (name, ...content) => {
  const element = document.createElement(name);
  element.append(...content);
  return element;
};

const showPieces = (pieces) =>
  pieces.map(({ text, isHit }) => (isHit ? withText('mark', text) : text));

const resultOf = ({ id, title, chapter, isCut, excerpt }) => {
  const link = withText(
    'a',
    withText('strong', ...showPieces(title)),
    withText('small', ` ${chapter}`),
    withText('span', isCut ? '… ' : '', ...showPieces(excerpt)),
  );
  link.href = `${form.dataset.base}${id}`;
  return withText('li', link);
};

const startSearch = () => {
  const input = form.querySelector('input');
  const panel = form.querySelector('.results');
  const count = form.querySelector('.count');
  const list = form.querySelector('ol');
  let search;

  const load = () => {
    search ??= loadSearch();
    search.catch(() => {
      search = undefined;
    });
    return search;
  };

  const close = () => {
    panel.hidden = true;
  };

  const show = async () => {
    const words = input.value.trim();
    if (words === '') return close();
    try {
      const find = await load();
      const { count: all, results: best } = find(words);
      // What has been typed since is shown by its own event.
      if (words !== input.value.trim()) return;
      list.replaceChildren(...best.map(resultOf));
      const { results, none } = form.dataset;
      count.textContent = all === 0 ? none : `${all} ${results}`;
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
