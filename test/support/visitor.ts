/** A browser without pages: it keeps cookies of each host, and sends what browsers send with forms. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #base: string;

  /** @param base the public URL of the service */
  constructor(base: string) {
    this.#base = base;
  }

  /** The cookies for the service, by name. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#jarOf(new URL(this.#base));
  }

  keep(name: string, value: string): void {
    this.#jarOf(new URL(this.#base)).set(name, value);
  }

  /** Asks for a page, and follows no redirect. @param address absolute, or below the service */
  async get(address: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#ask(new URL(address, this.#base), {
      headers: { Accept: 'text/html', ...headers },
    });
  }

  /** Sends a form. */
  post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' },
  ): Promise<Response> {
    return this.#ask(new URL(path, this.#base), {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Accept: 'text/html', ...headers },
    });
  }

  /** Asks for a page, and follows redirects, to other hosts too. */
  async follow(address: string): Promise<Response> {
    let url = new URL(address, this.#base);
    for (let hops = 0; hops < 20; hops += 1) {
      const response = await this.get(url.href);
      const location = response.headers.get('Location');
      if (location === null) return response;
      url = new URL(location, url);
    }
    throw new Error('too many redirects');
  }

  async #ask(url: URL, init: RequestInit): Promise<Response> {
    const jar = this.#jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '' || /max-age=0/i.test(each)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  #jarOf({ host }: URL): Map<string, string> {
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    return jar;
  }
}
