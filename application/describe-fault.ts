/**
 * What a log may say about an error: its name, its code and where it was thrown. Never the message,
 * which may hold SQL, personal data or a secret, and never the whole stack.
 */
export const describeFault = (error: unknown): object => {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code } = error as { code?: unknown };
  const [, at] = /\n\s+at (.+)/.exec(error.stack ?? '') ?? [];
  return {
    name: error.name,
    ...(typeof code === 'string' && { code }),
    ...(at !== undefined && { at }),
  };
};
