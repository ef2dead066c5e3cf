/** What must be in no log line: secrets of 256 bits, tokens, keys, and headers that carry them. */
const SECRETS: readonly RegExp[] = [
  /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/,
  /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
  /-----BEGIN/,
  /\b(Basic|Bearer) +[A-Za-z0-9+/=._-]{8,}/i,
  /"d":"[A-Za-z0-9_-]{20,}/,
];

/** Everything that the services of this run have logged, and the secrets that it must not hold. */
class RunLog {
  readonly #lines: string[] = [];
  /** The card that the tests pay with, and its code as JSON would show it. */
  readonly #given = new Set<string>(['4111111111111111', '"8371"']);

  get length(): number {
    return this.#lines.length;
  }

  /** Lines of JSON: what a service prints for a person to read is no log. */
  add(output: string): void {
    this.#lines.push(...output.split('\n').filter((line) => line.startsWith('{')));
  }

  /** A secret that looks like no other, such as one that an operator has chosen. */
  know(...secrets: readonly string[]): void {
    for (const secret of secrets) this.#given.add(secret);
  }

  /** Lines that give something away. */
  leaks(): readonly string[] {
    const given = [...this.#given];
    return this.#lines.filter(
      (line) =>
        SECRETS.some((pattern) => pattern.test(line)) ||
        given.some((secret) => line.includes(secret)),
    );
  }
}

export const runLog = new RunLog();

/** For the test of the watch itself. */
export const newRunLog = (): RunLog => new RunLog();
