import type { Channel, Product } from '#domain';

/**
 * The products sold and the channels that sell them.
 *
 * 1. What was put is found, the whole of it; putting again under the same code or link replaces it.
 * 2. Products come in the order of their ids. An unknown channel is undefined.
 * 3. A change is seen by every reader within a second.
 */
export interface Catalogue {
  products(): Promise<readonly Product[]>;
  channel(channelLink: string): Promise<Channel | undefined>;
  putProduct(product: Product): Promise<void>;
  putChannel(channel: Channel): Promise<void>;
}
