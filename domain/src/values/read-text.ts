/**
 * The rule of all readers: what is no text is undefined, as is a text of another form. So `null`, a
 * number and a missing field need no check before.
 */
export const ifText = <Read>(given: unknown, read: (text: string) => Read | undefined) =>
  typeof given === 'string' ? read(given) : undefined;
