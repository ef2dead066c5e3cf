import { isRefusal } from '#domain';
import type { Actor } from '../../application/audit/audit-log.ts';
import type { Catalogue } from '../../application/catalogue/catalogue.ts';
import type { ManageClients, NewSecret } from '../../application/identity/manage-clients.ts';
import { manageCatalogue, manageClients } from '../composition/channel-use-cases.ts';
import type { Given } from '../composition/part.ts';
import { catalogue, clients } from '../composition/ports.ts';
import type { Config } from '../settings/config.ts';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from './demo-catalogue.ts';

/** Credentials created by this start; shown once. */
export interface FirstRun {
  readonly administrator?: NewSecret;
  readonly partner?: NewSecret;
}

export const FIRST_RUN = { catalogue, clients, manageClients, manageCatalogue };
type FirstRunParts = Given<typeof FIRST_RUN>;

/** The actor of changes made at start. */
const SERVICE: Actor = { kind: 'service', name: null, address: null, requestId: null };

/** @throws Error if a production database contains the demo catalogue. */
export const refuseDemoIn = async (
  { catalogue }: Pick<FirstRunParts, 'catalogue'>,
  { environment }: Config,
): Promise<void> => {
  if (environment !== 'production') return;
  const { channels } = await catalogue.current();
  if (channels.has(DEMO_CHANNEL.channelLink))
    throw new Error(
      'DATABASE_URL names a database that holds the demo catalogue: set it to another in production',
    );
};

/**
 * Creates what is missing: the operator's administrator; in the test environment also the demo
 * catalogue and, if there is no client, an administrator and a partner.
 */
export const prepare = async (
  { catalogue, clients, manageClients, manageCatalogue }: FirstRunParts,
  { environment, administrator }: Config,
): Promise<FirstRun> => {
  const hasNoClient = await clients.isEmpty();
  if (administrator) await makeClient(manageClients, 'Administrador', null, administrator);
  if (environment === 'production') return {};
  if (await lacksDemoCatalogue(catalogue)) await loadDemoCatalogue({ manageCatalogue });
  if (!hasNoClient) return {};

  const generated = administrator
    ? undefined
    : await makeClient(manageClients, 'Administrador de demonstração', null);
  const partner = await makeClient(
    manageClients,
    'Parceiro de demonstração',
    DEMO_CHANNEL.channelLink,
  );
  return { ...(generated && { administrator: generated }), ...(partner && { partner }) };
};

/**
 * Whether a test database has only part of the demo catalogue, or none. The channel is stored last,
 * so a start that was killed is noticed.
 */
const lacksDemoCatalogue = async (catalogue: Catalogue): Promise<boolean> => {
  const isDemo = (code: string): boolean => DEMO_PRODUCTS.some((each) => each.code === code);
  const { products, channels } = await catalogue.current();
  return products.every(({ code }) => isDemo(code)) && !channels.has(DEMO_CHANNEL.channelLink);
};

/** @throws Error if it contradicts the stored catalogue. */
export const loadDemoCatalogue = async ({
  manageCatalogue: { putProduct, putChannel },
}: Pick<FirstRunParts, 'manageCatalogue'>): Promise<void> => {
  const outcomes = [];
  for (const product of DEMO_PRODUCTS) outcomes.push(await putProduct(product, SERVICE));
  outcomes.push(await putChannel(DEMO_CHANNEL, SERVICE));
  const faulty = outcomes.find(({ kind }) => kind === 'faulty');
  if (faulty) throw new Error(`the demo catalogue was refused: ${JSON.stringify(faulty)}`);
};

type GivenCredentials = { readonly clientId: string; readonly clientSecret: string };

/** Undefined if the client exists; it keeps its secret. */
const makeClient = async (
  manageClients: ManageClients,
  name: string,
  channelLink: string | null,
  credentials?: GivenCredentials,
): Promise<NewSecret | undefined> => {
  const scopes = channelLink === null ? (['admin'] as const) : (['sales'] as const);
  const request = { name, channelLink, scopes, active: true, ...(credentials && { credentials }) };
  const created = await manageClients.create(request, SERVICE);
  return isRefusal(created) ? undefined : created;
};
