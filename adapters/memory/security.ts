import type { Instant } from '#domain';
import type { Clock } from '../../application/clock.ts';
import type { Identifiers } from '../../application/identifiers.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  type AccessTokens,
  type VerifiedToken,
} from '../../application/identity/access-tokens.ts';
import type { Secrets } from '../../application/identity/secrets.ts';

let instances = 0;

/** Tokens that only the instance that issued them can verify. */
export class MemoryAccessTokens implements AccessTokens {
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #issued = new Map<string, VerifiedToken>();

  constructor(clock: Clock) {
    this.#clock = clock;
    instances += 1;
    this.#prefix = `access-${instances}`;
  }

  issue(claims: AccessClaims): string {
    const tokenId = `${this.#prefix}-${this.#issued.size + 1}`;
    const issuedAt = Math.floor(Date.parse(this.#clock.now()) / 1000);
    this.#issued.set(
      tokenId,
      structuredClone({
        ...claims,
        tokenId,
        issuedAt,
        expiresAt: issuedAt + ACCESS_TOKEN_SECONDS,
      }),
    );
    return tokenId;
  }

  verify(token: string): VerifiedToken | undefined {
    const issued = this.#issued.get(token);
    return issued && Date.parse(this.#clock.now()) < issued.expiresAt * 1000
      ? structuredClone(issued)
      : undefined;
  }
}

/** Predictable secrets with a readable "hash", for tests of use-cases. */
export class MemorySecrets implements Secrets {
  #count = 0;

  generate(): string {
    this.#count += 1;
    return `secret-${this.#count}`;
  }

  hash(secret: string): string {
    return `hash of ${secret}`;
  }

  matches(secret: string, hashes: readonly string[]): boolean {
    return hashes.includes(this.hash(secret));
  }

  seal(text: string, secret: string): string {
    return JSON.stringify({ text, hash: this.hash(secret) });
  }

  open(sealed: string, secret: string): string | undefined {
    const { text, hash } = JSON.parse(sealed) as { text: string; hash: string };
    return this.hash(secret) === hash ? text : undefined;
  }
}

export class MemoryIdentifiers implements Identifiers {
  readonly #clock: Clock;
  readonly #times = new Map<string, Instant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  next(): string {
    const identifier = `id-${this.#times.size + 1}`;
    this.#times.set(identifier, this.#clock.now());
    return identifier;
  }

  timeOf(identifier: string): Instant | undefined {
    return this.#times.get(identifier);
  }
}
