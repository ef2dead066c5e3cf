import type { Clock } from '../../application/clock.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  type AccessTokens,
  type VerifiedToken,
} from '../../application/identity/access-tokens.ts';

let instances = 0;

/** Tokens that mean something only to the instance that issued them. */
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
