import { readFileSync } from 'node:fs';

/** Figures that authorities and other projects published, copied unchanged. */
export const vectors = <Shape>(name: 'iof' | 'ibge' | 'tax-ids'): Shape =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as Shape;
