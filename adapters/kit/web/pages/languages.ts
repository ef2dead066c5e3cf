import type { Context } from '../pipeline/context.ts';

/** The languages of pages. */
export const LANGUAGES = ['pt-BR', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Characters. No browser sends more, and reading 16 kB of languages takes milliseconds. */
const MAX_LANGUAGES_LENGTH = 500;

/** The language for an `Accept-Language` header; Portuguese unless English is preferred. */
export const chooseLanguage = (ctx: Context): Language => {
  if (ctx.get('Accept-Language').length > MAX_LANGUAGES_LENGTH) return 'pt-BR';
  return ctx.acceptsLanguages('pt-BR', 'pt', 'en') === 'en' ? 'en' : 'pt-BR';
};
