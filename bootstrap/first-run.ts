import type { Container } from 'inversify';
import type { CreatedClient } from '../application/identity/create-client.ts';
import type { Config } from './config.ts';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from './demo-catalogue.ts';
import { get } from './token.ts';
import * as t from './tokens.ts';

/** The credentials made by this start, to be shown once. */
export interface FirstRun {
  readonly administrator?: CreatedClient;
  readonly partner?: CreatedClient;
}

/**
 * Puts into the database what it cannot do without: the operator's administrator and, on an empty test database,
 * the demo catalogue with an administrator and a partner of its own.
 *
 * @throws Error when a production database holds the demo catalogue.
 */
export const prepare = async (container: Container, { environment, administrator }: Config): Promise<FirstRun> => {
  const catalogue = get(container, t.CATALOGUE);
  if (environment === 'production' && (await catalogue.channel(DEMO_CHANNEL.channelLink)) !== undefined) {
    throw new Error('DATABASE_URL names a database that holds the demo catalogue: set it to another in production');
  }
  const empty = await get(container, t.CLIENTS).isEmpty();
  if (administrator) await makeClient(container, 'Administrador', null, administrator);
  if (environment === 'production' || !empty) return {};

  for (const product of DEMO_PRODUCTS) await catalogue.putProduct(product);
  await catalogue.putChannel(DEMO_CHANNEL);
  const generated = administrator ? undefined : await makeClient(container, 'Administrador de demonstração', null);
  const partner = await makeClient(container, 'Parceiro de demonstração', DEMO_CHANNEL.channelLink);
  return { ...(generated && { administrator: generated }), ...(partner && { partner }) };
};

type GivenCredentials = { readonly clientId: string; readonly clientSecret: string };

/** Undefined when the client is there already: then it keeps the secret it has. */
const makeClient = async (
  container: Container,
  name: string,
  channelLink: string | null,
  credentials?: GivenCredentials,
): Promise<CreatedClient | undefined> => {
  const scopes = channelLink === null ? (['admin'] as const) : (['sales'] as const);
  const request = { name, channelLink, scopes, active: true, ...(credentials && { credentials }) };
  const created = await get(container, t.CREATE_CLIENT)(request);
  return created === 'duplicate' ? undefined : created;
};
