import { generateKeyPairSync } from 'node:crypto';
import { pino } from 'pino';
import { type Channel, unwrap } from '#domain';
import type { HttpApp } from '../../adapters/http/http-app.ts';
import { NO_PROXY, type TrustProxy } from '../../adapters/kit/web/pipeline/request-origin.ts';
import { type Listening, listen } from '../../adapters/kit/web/server/listen.ts';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryAuditLog } from '../../adapters/memory/operations/audit-log.ts';
import { MemoryEvidenceKeys } from '../../adapters/memory/operations/evidence-keys.ts';
import { MemoryQuoteSecrets } from '../../adapters/memory/operations/quote-secrets.ts';
import { ServiceMetrics } from '../../adapters/metrics/service-metrics.ts';
import { AsaasNotices } from '../../adapters/payment/asaas/asaas-notices.ts';
import { CryptoSecrets } from '../../adapters/security/crypto-secrets.ts';
import { JwsEvidenceSeal } from '../../adapters/security/jws-evidence-seal.ts';
import { JwtAccessTokens } from '../../adapters/security/jwt-access-tokens.ts';
import { createKeyedHash } from '../../adapters/security/keyed-hash.ts';
import { PublishedKeySet } from '../../adapters/security/public-keys.ts';
import { SealedQuotes } from '../../adapters/security/sealed-quotes.ts';
import type { Scope } from '../../application/identity/clients.ts';
import type { Fakes } from '../../bootstrap/composition/compose.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { memoryApi } from '../../bootstrap/composition/memory-api.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import { saveVersion, versionAt } from './catalogue.ts';
import { ADMINISTRATOR } from './identity.ts';
import { runLog } from './run-log.ts';

/** Signs the access tokens of the tests. */
export const { privateKey: SIGNING_KEY } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

/** What `GET /metrics` answers. */
const EXAMPLE_METRICS = `# HELP insurance_sales_processes Processes of the service that answered this scrape.
# TYPE insurance_sales_processes gauge
insurance_sales_processes 1

# HELP insurance_sales_sales_total Times that a sale was registered with a status or changed to it, by line of business.
# TYPE insurance_sales_sales_total counter
insurance_sales_sales_total{line="event_ticket",status="paid"} 1886
`;

interface ApiOptions {
  /** The notices are those of Asaas, with this token; by default those of the sandbox. */
  readonly asaasToken?: string;
  readonly rateLimit?: number | 'off';
  readonly now?: string;
  readonly requestTimeout?: number;
  readonly trustProxy?: TrustProxy;
  readonly refusesUnknown?: boolean;
  readonly environment?: 'test' | 'production';
  /** A path below which a proxy serves the service: `/seguros`. */
  readonly publicPath?: string;
  /** What stands in the place of parts, by their names. */
  readonly fakes?: Fakes;
}

/** The API on a real HTTP server with real tokens, over in-memory stores that a test can read. */
export class Api {
  memory!: MemoryService;
  app!: HttpApp;
  readonly fingerprint = createKeyedHash('of the tests');
  readonly lines: string[] = [];
  readonly #options: Required<ApiOptions>;
  #server: Listening | undefined;
  url = '';
  readonly metrics = new ServiceMetrics();

  constructor(options: ApiOptions = {}) {
    const usual = {
      rateLimit: 'off',
      now: '2026-11-20T15:00:00.000Z',
      requestTimeout: 30_000,
      trustProxy: NO_PROXY,
      refusesUnknown: false,
      asaasToken: '',
      environment: 'test',
      publicPath: '',
      fakes: {},
    } as const;
    this.#options = { ...usual, ...options };
  }

  async start(): Promise<this> {
    const { lines } = this;
    const { requestTimeout, rateLimit, now, asaasToken, publicPath, fakes } = this.#options;
    const { trustProxy, refusesUnknown, environment } = this.#options;
    this.#server = await listen({ port: 0, host: '127.0.0.1', requestTimeout });
    this.url = this.#server.address;

    const [clock, evidenceKeys] = [
      new MemoryClock(now),
      new MemoryEvidenceKeys(new MemoryAuditLog()),
    ];
    const signing = { signingKey: SIGNING_KEY, previousKeys: [], issuer: this.url };
    const accessTokens = new JwtAccessTokens({ ...signing, audience: `${this.url}/api` }, clock);
    const published = new PublishedKeySet(accessTokens.publicKeys(), evidenceKeys);
    const write = (line: string): void => {
      lines.push(line);
      runLog.add(line);
    };
    const { memory, app } = memoryApi({
      ...{ clock, accessTokens, evidenceKeys, trustProxy, refusesUnknown, environment },
      ...(asaasToken !== '' && { noticeReader: new AsaasNotices(asaasToken) }),
      publicUrl: `${this.url}${publicPath}`,
      requestsPerMinute: rateLimit,
      secrets: new CryptoSecrets(),
      quoteSeal: new SealedQuotes(new MemoryQuoteSecrets(), clock),
      evidenceSeal: new JwsEvidenceSeal({ ...signing, keys: evidenceKeys, clock }),
      keySet: () => published.keySet(),
      log: pino({ level: 'debug' }, { write }),
      fingerprint: this.fingerprint,
      observeRequest: this.metrics.observeRequest,
      readMetrics: async () => EXAMPLE_METRICS,
      ...fakes,
    });
    this.memory = memory as unknown as MemoryService;
    await loadDemoCatalogue(memory.useCases);
    this.#server.serve(app.answer);
    this.app = app;
    return this;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** @param path below `{base_url}` */
  async call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`${this.url}/api${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call(path, { headers });
  }

  put(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const init = { method: 'PUT', body: JSON.stringify(body) };
    return this.call(path, {
      ...init,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.call(path, {
      method: 'POST',
      body: text,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  }

  /** Makes a channel that sells nothing, unless there is one of this name. */
  async #ensureChannel(channelLink: string): Promise<void> {
    const { catalogue } = this.memory;
    if ((await catalogue.current()).channels.has(channelLink)) return;
    const definition = { ...DEMO_CHANNEL, channelLink, grants: [] };
    await saveVersion(catalogue, versionAt(definition, this.memory.clock.now()));
  }

  async client(
    channelLink: string | null,
    scopes: readonly Scope[] = channelLink === null ? ['admin'] : ['sales'],
  ) {
    if (channelLink !== null) await this.#ensureChannel(channelLink);
    const request = { name: 'Parceiro', channelLink, scopes, active: true };
    const created = unwrap(await this.memory.useCases.manageClients.create(request, ADMINISTRATOR));
    return { client_id: created.client.clientId, client_secret: created.clientSecret };
  }

  /** The Authorization header of a new client of the channel. */
  async bearer(
    channelLink: string | null = 'canal-demo',
    scopes?: readonly Scope[],
  ): Promise<{ Authorization: string }> {
    const { body } = await this.post('/seguros/auth/token', await this.client(channelLink, scopes));
    return { Authorization: `Bearer ${body.access_token}` };
  }

  async channel(channelLink: string): Promise<Channel> {
    const channel = { ...DEMO_CHANNEL, channelLink, name: channelLink };
    await this.memory.useCases.manageCatalogue.putChannel(channel, ADMINISTRATOR);
    return channel;
  }
}

/** Runs a suite against an API of its own. */
export const withApi = (
  suite: (api: () => Api) => void,
  options?: ConstructorParameters<typeof Api>[0],
): void => {
  let api: Api | undefined;
  before(async () => {
    api = await new Api(options).start();
  });
  after(() => api?.stop());
  suite(() => {
    if (api === undefined) throw new Error('the API is not up');
    return api;
  });
};

export const CREATE = '/seguros/ingresso-protegido/create';
export const STATUS = '/seguros/ingresso-protegido/status';

/** A valid main body, with changes; `undefined` removes a field. */
export const mainBody = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  productId: 1,
  channelLink: 'canal-demo',
  nomeCompleto: 'Maria da Silva',
  cpfCnpj: '52998224725',
  dataNascimento: '1990-05-17',
  email: 'maria@example.com',
  telefone: '+55 (11) 98765-4321',
  logradouro: 'Rua das Flores, 100',
  bairro: 'Centro',
  cidade: 'São Paulo',
  uf: 'SP',
  cep: '01001000',
  dataPagamento: '2026-11-20',
  formaPagamento: 'pix',
  tipoIngresso: 'inteira',
  numeroIngresso: 'ABC-123',
  dataEvento: '2026-12-31',
  valorIngresso: 1_886,
  valorSeguro: 188.6,
  ...over,
});

/** A valid quick-start body, with changes. */
export const quickStartBody = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'INGRESSO',
  eventName: 'Show',
  eventDate: '2026-12-31',
  eventTime: '21:30',
  eventAddress: 'Av. Paulista, 1000',
  nameOrRazao: 'Maria da Silva',
  cpfOrCnpj: '11222333000181',
  birthDate: '1990-05-17',
  phone: '11987654321',
  email: 'maria@example.com',
  canal_venda: 'site',
  parceiro: 'Bilheteria',
  tipoIngresso: 'vip',
  numeroIngresso: 'ABC-123',
  valorIngresso: '1.234,56',
  taxaConveniencia: '10,00',
  valorTotal: '1244.56',
  channelLink: 'canal-demo',
  musicalGenre: 'MPB',
  ...over,
});
