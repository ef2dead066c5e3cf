import { readFileSync } from 'node:fs';

/** Figures published by others, copied as they were found. */
export const vectors = <Shape>(name: 'iof' | 'ibge' | 'tax-ids'): Shape =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as Shape;
