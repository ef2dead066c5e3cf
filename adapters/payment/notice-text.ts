/** Whether the value is printable ASCII that is short enough to be stored. */
export const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value);
