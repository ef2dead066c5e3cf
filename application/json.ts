/** JSON as a caller sent it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
