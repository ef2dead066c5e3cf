import type { Route } from '../routes/route.ts';

/** The reader of a document. */
export type Audience = 'partners' | 'administrators';

/** The paths of the documents, without `/api`. */
export const DOCUMENT_PATHS: Readonly<Record<Audience, string>> = {
  partners: '/openapi.json',
  administrators: '/openapi-admin.json',
};

export const AUDIENCES = Object.keys(DOCUMENT_PATHS) as readonly Audience[];

/** Both audiences need tokens. The notices of the payment gateway concern administrators. */
export const isFor = (audience: Audience, { scope, tag }: Route): boolean => {
  if (scope !== undefined) return scope === (audience === 'partners' ? 'sales' : 'admin');
  return tag === 'Autenticação' || audience === 'administrators';
};
