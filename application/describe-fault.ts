import { Unavailable } from './unavailable.ts';

/**
 * What a log may say about an error: its name, its code and where it was thrown. Never the message,
 * which may hold SQL, personal data or a secret, unless it is our own, and never the whole stack.
 */
export const describeFault = (error: unknown): object => {
  if (typeof error !== 'object' || error === null) return { name: typeof error };
  // Libraries throw and report objects that are no errors, with the same fields.
  const { name, code, stack } = error as Record<string, unknown>;
  const [, at] = /\n\s+at (.+)/.exec(String(stack ?? '')) ?? [];
  return {
    name: typeof name === 'string' ? name : 'object',
    ...(error instanceof Unavailable && { what: error.message }),
    ...(typeof code === 'string' && { code }),
    ...(at !== undefined && { at }),
  };
};
