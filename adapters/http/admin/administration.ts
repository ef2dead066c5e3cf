/** What all administrative routes have in common. */
export const ADMINISTRATION = { tag: 'Administração', scope: 'admin' } as const;
