import type { Site } from '../../adapters/site/page-frame.ts';

/** A site whose files have no addresses: for tests that render pages and load none of them. */
export const siteAt = (publicUrl: string): Site => ({
  base: '',
  publicUrl,
  assets: {
    ...{ 'pages.css': '', 'guide.js': '', 'guide-search.js': '', 'minisearch.js': '' },
    ...{ 'stemmer-pt-BR.js': '', 'stemmer-en.js': '', 'icon.svg': '' },
  },
});
