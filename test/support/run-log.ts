import { expect } from 'chai';

/** Secrets of 256 bits, tokens, keys, and headers that carry them: no log line may hold one. */
const SECRETS: readonly RegExp[] = [
  // A name of a kept mail can be as long as a secret.
  /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-]|\.eml)/,
  /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
  /-----BEGIN/,
  /\b(Basic|Bearer) +[A-Za-z0-9+/=._-]{8,}/i,
  /"d":"[A-Za-z0-9_-]{20,}/,
];

/** The log lines of every service that this test process has started. */
export class RunLog {
  readonly #lines: string[] = [];
  /** The card number that the tests pay with, and its security code as JSON shows it. */
  readonly #knownSecrets = new Set<string>(['4111111111111111', '"8371"']);

  get length(): number {
    return this.#lines.length;
  }

  /** Adds the lines of JSON. The other lines are for the person who starts the service. */
  add(output: string): void {
    for (const line of output.split('\n')) if (line.startsWith('{')) this.#lines.push(line);
  }

  /** Adds a secret that no pattern finds, such as one that an operator has chosen. */
  know(secret: string): void {
    this.#knownSecrets.add(secret);
  }

  /** The lines that hold a secret. */
  leaks(): readonly string[] {
    const known = [...this.#knownSecrets];
    return this.#lines.filter(
      (line) =>
        SECRETS.some((pattern) => pattern.test(line)) ||
        known.some((secret) => line.includes(secret)),
    );
  }
}

export const runLog = new RunLog();

/** @throws AssertionError that shows the lines which hold a secret */
export const expectNoSecret = (log: RunLog): void => {
  expect(log.leaks(), 'log lines that hold a secret').to.deep.equal([]);
};
