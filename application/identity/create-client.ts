import type { Clock } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import type { ApiClient, Clients, Scope } from './clients.ts';
import type { Secrets } from './secrets.ts';

interface ClientRequest {
  readonly name: string;
  readonly channelLink: string | null;
  readonly scopes: readonly Scope[];
  readonly active: boolean;
  /** Credentials chosen by the operator, for the first administrator; otherwise both are generated. */
  readonly credentials?: { readonly clientId: string; readonly clientSecret: string };
}

/** The only time the secret is shown. */
export interface CreatedClient {
  readonly client: ApiClient;
  readonly clientSecret: string;
}

export interface CreateClientParts {
  readonly clients: Clients;
  readonly secrets: Secrets;
  readonly identifiers: Identifiers;
  readonly clock: Clock;
}

export type CreateClient = (request: ClientRequest) => Promise<CreatedClient | 'duplicate'>;

export const createClient =
  ({ clients, secrets, identifiers, clock }: CreateClientParts): CreateClient =>
  async ({ name, channelLink, scopes, active, credentials }) => {
    const clientSecret = credentials?.clientSecret ?? secrets.generate();
    const client: ApiClient = {
      clientId: credentials?.clientId ?? identifiers.next(),
      name,
      channelLink,
      scopes,
      status: active ? 'active' : 'inactive',
      secretHashes: [secrets.hash(clientSecret)],
      createdAt: clock.now(),
    };
    return (await clients.add(client)) === 'added' ? { client, clientSecret } : 'duplicate';
  };
