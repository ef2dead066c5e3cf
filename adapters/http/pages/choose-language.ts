import type { Language } from './chapters.ts';

/** Further entries of `Accept-Language` are not read. */
const MAX_ENTRIES = 20;

const MAX_LENGTH = 500;

/** The language of the guide for an `Accept-Language` header; Portuguese unless it asks for other. */
export const chooseLanguage = (header: string): Language => {
  const entries = header.slice(0, MAX_LENGTH).toLowerCase().split(',').slice(0, MAX_ENTRIES);
  let chosen: Language = 'pt-BR';
  let best = 0;
  for (const entry of entries) {
    const [range = '', weight = 'q=1'] = entry.split(';').map((each) => each.trim());
    const [primary = ''] = range.split('-');
    const quality = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)
      ? Number(weight.slice(2))
      : 0;
    if (!['pt', 'en', '*'].includes(primary) || quality <= best) continue;
    best = quality;
    chosen = primary === 'en' ? 'en' : 'pt-BR';
  }
  return chosen;
};
