import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Gateways } from '../payments/gateways.ts';
import type { CardNeeds } from '../payments/payments.ts';

/** What the gateway of a channel needs of the holder of a card; undefined: nothing more. */
export type FindCardNeeds = (channelLink: string | null) => Promise<CardNeeds | undefined>;

export const makeFindCardNeeds = ({
  catalogue,
  gateways,
}: {
  readonly catalogue: Catalogue;
  readonly gateways: Pick<Gateways, 'ofChannel'>;
}): FindCardNeeds =>
  async function findCardNeeds(channelLink) {
    const { channels } = await catalogue.current();
    return gateways.ofChannel(channels.get(channelLink ?? '')).cardNeeds;
  };
