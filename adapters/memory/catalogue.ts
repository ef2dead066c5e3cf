import type { Channel, Product } from '#domain';
import type { Catalogue } from '../../application/catalogue/catalogue.ts';

export class MemoryCatalogue implements Catalogue {
  readonly #products = new Map<string, Product>();
  readonly #channels = new Map<string, Channel>();

  async products(): Promise<readonly Product[]> {
    return structuredClone([...this.#products.values()].sort((one, other) => one.id - other.id));
  }

  async channel(channelLink: string): Promise<Channel | undefined> {
    return structuredClone(this.#channels.get(channelLink));
  }

  async putProduct(product: Product): Promise<void> {
    this.#products.set(product.code, structuredClone(product));
  }

  async putChannel(channel: Channel): Promise<void> {
    this.#channels.set(channel.channelLink, structuredClone(channel));
  }
}
