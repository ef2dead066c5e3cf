import type { ApiClient, Clients } from '../../application/identity/clients.ts';

export class MemoryClients implements Clients {
  readonly #clients = new Map<string, ApiClient>();

  async add(client: ApiClient): Promise<'added' | 'duplicate'> {
    if (this.#clients.has(client.clientId)) return 'duplicate';
    this.#clients.set(client.clientId, structuredClone(client));
    return 'added';
  }

  async find(clientId: string): Promise<ApiClient | undefined> {
    return structuredClone(this.#clients.get(clientId));
  }

  async isEmpty(): Promise<boolean> {
    return this.#clients.size === 0;
  }
}
