import type { Actor } from '../application/audit/audit-log.ts';
import type { Catalogue } from '../application/catalogue/catalogue.ts';
import type { NewSecret } from '../application/identity/manage-clients.ts';
import type { UseCases } from '../application/use-cases.ts';
import type { Config } from './config.ts';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from './demo-catalogue.ts';
import type { Service } from './parts.ts';

/** The credentials made by this start, to be shown once. */
export interface FirstRun {
  readonly administrator?: NewSecret;
  readonly partner?: NewSecret;
}

/** Who does what is done at a start. */
const SERVICE: Actor = { kind: 'service', name: null, address: null, requestId: null };

/** @throws Error when a production database holds the demo catalogue. */
export const refuseDemoIn = async (
  { catalogue }: Service,
  { environment }: Config,
): Promise<void> => {
  if (
    environment === 'production' &&
    (await catalogue.channel(DEMO_CHANNEL.channelLink)) !== undefined
  )
    throw new Error(
      'DATABASE_URL names a database that holds the demo catalogue: set it to another in production',
    );
};

/**
 * Puts into the database what it cannot do without: the operator's administrator and, in the test environment, the demo
 * catalogue where there is none, and an administrator and a partner where there is no client.
 */
export const prepare = async (
  { catalogue, clients, useCases }: Service,
  { environment, administrator }: Config,
): Promise<FirstRun> => {
  const hasNoClient = await clients.isEmpty();
  if (administrator) await makeClient(useCases, 'Administrador', null, administrator);
  if (environment === 'production') return {};
  if (await lacksDemoCatalogue(catalogue)) await loadDemoCatalogue(useCases);
  if (!hasNoClient) return {};

  const generated = administrator
    ? undefined
    : await makeClient(useCases, 'Administrador de demonstração', null);
  const partner = await makeClient(useCases, 'Parceiro de demonstração', DEMO_CHANNEL.channelLink);
  return { ...(generated && { administrator: generated }), ...(partner && { partner }) };
};

/** A test database without a catalogue of its own; a start that was killed may have loaded a part: the channel comes last. */
const lacksDemoCatalogue = async (catalogue: Catalogue): Promise<boolean> => {
  const isDemo = (code: string): boolean => DEMO_PRODUCTS.some((each) => each.code === code);
  const products = await catalogue.products();
  return (
    products.every(({ code }) => isDemo(code)) &&
    (await catalogue.channel(DEMO_CHANNEL.channelLink)) === undefined
  );
};

/** @throws Error where the catalogue there does not go together with it. */
export const loadDemoCatalogue = async ({
  manageCatalogue: { putProduct, putChannel },
}: Pick<UseCases, 'manageCatalogue'>): Promise<void> => {
  const outcomes = [];
  for (const product of DEMO_PRODUCTS) outcomes.push(await putProduct(product, SERVICE));
  outcomes.push(await putChannel(DEMO_CHANNEL, SERVICE));
  const faulty = outcomes.find(({ kind }) => kind === 'faulty');
  if (faulty) throw new Error(`the demo catalogue was refused: ${JSON.stringify(faulty)}`);
};

type GivenCredentials = { readonly clientId: string; readonly clientSecret: string };

/** Undefined when the client is there already: then it keeps the secret it has. */
const makeClient = async (
  { manageClients }: UseCases,
  name: string,
  channelLink: string | null,
  credentials?: GivenCredentials,
): Promise<NewSecret | undefined> => {
  const scopes = channelLink === null ? (['admin'] as const) : (['sales'] as const);
  const request = { name, channelLink, scopes, active: true, ...(credentials && { credentials }) };
  const created = await manageClients.create(request, SERVICE);
  return created === 'duplicate' ? undefined : created;
};
