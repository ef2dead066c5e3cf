import type {
  DeclinedCount,
  DeclinedOffers,
} from '../../../application/selling/declined-offers.ts';

export class MemoryDeclinedOffers implements DeclinedOffers {
  readonly #kept = new Map<string, DeclinedCount & { readonly channelLink: string }>();

  async add(channelLink: string, { day, product, count }: DeclinedCount): Promise<number> {
    const key = `${day} ${channelLink} ${product}`;
    const sum = (this.#kept.get(key)?.count ?? 0) + count;
    this.#kept.set(key, { channelLink, day, product, count: sum });
    return sum;
  }

  async list(
    channelLink: string,
    { from, until }: Parameters<DeclinedOffers['list']>[1],
  ): Promise<readonly DeclinedCount[]> {
    return [...this.#kept]
      .filter(
        ([, each]) => each.channelLink === channelLink && each.day >= from && each.day < until,
      )
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { day, product, count }]) => ({ day, product, count }));
  }
}
