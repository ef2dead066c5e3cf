import type { Answer } from './answers.ts';

type Login = Answer<'createToken'>;

/** Whether an answer is a login: its token can be sent in a header. */
export const isLogin = (value: unknown): value is Login => {
  const { access_token: token, expires_in: seconds } = (value ?? {}) as Partial<Login>;
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) && Number(seconds) > 0;
};

/** Asks the token endpoint. @throws InsuranceError */
export type AskForToken = (grant: Readonly<Record<string, string>>) => Promise<Login>;

/** A token is renewed when less than this is left of its life, ms. */
const RENEW_BEFORE_MS = 60_000;

interface HeldToken {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** `performance.now()` at which it is renewed: a minute, or a tenth of its life, before its end. */
  readonly renewAt: number;
}

/** The access token of one client. Concurrent calls share a login. */
export class Tokens {
  readonly #ask: AskForToken;
  readonly #now: () => number;
  #held: HeldToken | undefined;
  #pending: Promise<HeldToken> | undefined;

  /** @param now a monotonic clock, ms */
  constructor(ask: AskForToken, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** The present token; logs in or renews it first if it must. @throws InsuranceError */
  async current(): Promise<string> {
    if (this.#held !== undefined && this.#now() < this.#held.renewAt) return this.#held.accessToken;

    this.#pending ??= this.#replace(this.#held?.refreshToken).finally(() => {
      this.#pending = undefined;
    });
    return (await this.#pending).accessToken;
  }

  /** Forgets a token that was answered 401 or revoked, unless another one is in use already. */
  forget(accessToken: string): void {
    if (this.#held?.accessToken === accessToken) this.#held = undefined;
  }

  /** The token of the present login; undefined without a login. */
  get held(): string | undefined {
    return this.#held?.accessToken;
  }

  async #replace(refreshToken: string | undefined): Promise<HeldToken> {
    const startedAt = this.#now();
    const login =
      (refreshToken === undefined ? undefined : await this.#refresh(refreshToken)) ??
      (await this.#ask({ grant_type: 'client_credentials' }));

    const lifeMs = login.expires_in * 1_000;
    this.#held = {
      accessToken: login.access_token,
      refreshToken: login.refresh_token,
      renewAt: startedAt + lifeMs - Math.min(RENEW_BEFORE_MS, lifeMs / 10),
    };
    return this.#held;
  }

  /** Undefined if the login has ended, or the renewal failed in any other way: a new login decides. */
  async #refresh(refreshToken: string): Promise<Login | undefined> {
    try {
      return await this.#ask({ grant_type: 'refresh_token', refresh_token: refreshToken });
    } catch {
      return undefined;
    }
  }
}
