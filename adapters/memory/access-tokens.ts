import type { Clock } from '../../application/clock.ts';
import { ACCESS_TOKEN_LIFETIME, type AccessClaims, type AccessTokens } from '../../application/identity/access-tokens.ts';

let instances = 0;

/** Tokens that mean something only to the instance that issued them. */
export class MemoryAccessTokens implements AccessTokens {
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #issued = new Map<string, { readonly claims: AccessClaims; readonly expires: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
    instances += 1;
    this.#prefix = `access-${instances}`;
  }

  issue(claims: AccessClaims): string {
    const token = `${this.#prefix}-${this.#issued.size + 1}`;
    const expires = Date.parse(this.#clock.now()) + ACCESS_TOKEN_LIFETIME * 1000;
    this.#issued.set(token, { claims: structuredClone(claims), expires });
    return token;
  }

  verify(token: string): AccessClaims | undefined {
    const issued = this.#issued.get(token);
    return issued && Date.parse(this.#clock.now()) < issued.expires ? structuredClone(issued.claims) : undefined;
  }
}
