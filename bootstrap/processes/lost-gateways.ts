import type { Query } from '../../adapters/persistence/engine/statement.ts';
import { openSalesOfOthers } from '../../adapters/persistence/sales/open-charges.ts';
import { gateways } from '../composition/observed.ts';
import type { Given } from '../composition/part.ts';
import { catalogue } from '../composition/ports.ts';

export const GATEWAYS = { catalogue, gateways };

/** @throws Error if sales or channels name a gateway whose settings are missing: no payer is left alone */
export const refuseLostGateways = async (
  { query }: { readonly query: Query },
  { catalogue, gateways }: Given<typeof GATEWAYS>,
): Promise<void> => {
  const { channels } = await catalogue.current();
  const ofChannels = [...channels.values()].flatMap(({ channelLink, gateway }) =>
    gateway === undefined || gateways.names.includes(gateway)
      ? []
      : [`the channel ${channelLink} charges by ${gateway}`],
  );
  const ofSales = (await openSalesOfOthers(query, gateways.names)).map(
    ({ gateway, sales }) => `${sales} sales have an open charge or refund at ${gateway}`,
  );
  const lost = [...ofSales, ...ofChannels];
  if (lost.length > 0)
    throw new Error(`${lost.join('; ')}: set the variables of the gateway again`);
};
