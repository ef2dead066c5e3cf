import {
  type ClientOptions,
  createInsuranceClient,
  type InsuranceClient,
} from '../../adapters/client/src/index.ts';
import type { Api } from './api.ts';

type Fetch = typeof globalThis.fetch;

/** A request that a client of a test has sent. */
export interface Sent {
  readonly method: string;
  /** Below the base address, with its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  /** Sends it, and returns the answer. */
  readonly pass: () => Promise<Response>;
}

/** What happens to a request in place of being passed on. */
export type Disturbance = (sent: Sent, earlier: number) => Promise<Response>;

/** Passes requests on, and keeps them; a test may disturb those of a path. */
export class Wire {
  readonly sent: Sent[] = [];
  readonly #disturbances = new Map<string, Disturbance>();

  /** Disturbs the requests whose path begins like this. `earlier` counts those before. */
  disturb(path: string, disturbance: Disturbance): this {
    this.#disturbances.set(path, disturbance);
    return this;
  }

  /** The requests whose path begins like this. */
  to(path: string): readonly Sent[] {
    return this.sent.filter((each) => each.path.startsWith(path));
  }

  readonly fetch: Fetch = (input, init = {}) => {
    const [, path = ''] = String(input).split('/api', 2);
    const { method = 'GET', headers, body } = init;
    const pass = () => fetch(input, init);
    const sent = { method, path, headers: new Headers(headers), body: String(body), pass };
    const [start, disturbance] =
      [...this.#disturbances].find(([each]) => path.startsWith(each)) ?? [];
    const earlier = this.to(start ?? path).length;
    this.sent.push(sent);
    init.signal?.throwIfAborted();
    return disturbance === undefined ? pass() : disturbance(sent, earlier);
  };
}

export const LOGIN = '/seguros/auth/token';

/** A client of the API with credentials of its own. Its pauses are short. */
export const clientOf = async (
  api: Api,
  { wire = new Wire(), ...options }: Partial<ClientOptions> & { readonly wire?: Wire } = {},
): Promise<InsuranceClient> => {
  const { client_id: clientId, client_secret: clientSecret } = await api.client('canal-demo');
  return createInsuranceClient({
    baseUrl: `${api.url}/api`,
    clientId,
    clientSecret,
    retry: { firstPauseMs: 5 },
    fetch: wire.fetch,
    ...options,
  });
};

/** What a promise is rejected with. @throws Error if it is fulfilled */
export const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (failure) {
    return failure;
  }
  throw new Error('it did not fail');
};

/** An answer of the API that a test makes up. */
export const answerWith = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response =>
  new Response(JSON.stringify({ success: false, response: 'Texto.', code }), {
    status,
    headers: { 'X-Error-Code': code, ...headers },
  });
