import type { CommissionRate } from '../pricing/commission.ts';
import type { Rate } from '../values/money.ts';
import { type Channel, channel, type Grant } from './channel.ts';
import { type Product, product } from './product.ts';
import { distinct, list, type Note, noteRepeated, type Reading, read, record } from './reading.ts';

/** All products, and the channels that sell them. */
export interface CatalogueData {
  readonly products: readonly Product[];
  readonly channels: readonly Channel[];
}

const checkCommissions = (
  rates: readonly CommissionRate[],
  cap: Rate,
  path: string,
  note: Note,
): void => {
  const sum = rates.reduce((before, { rate }) => before + rate, 0);
  if (sum > cap) note(`${path}.commissions`, 'above_cap', `${cap} at most, all together`);
};

const checkGrants = (
  { grants }: Channel,
  products: readonly Product[],
  path: string,
  note: Note,
): void => {
  for (const [index, grant] of grants.entries()) {
    const place = `${path}.grants.${index}`;
    const granted = products.find((each) => each.code === grant.productCode);
    if (granted === undefined) note(`${place}.productCode`, 'not_found');
    else checkGrant(grant, granted, place, note);
  }
};

const checkGrant = (grant: Grant, granted: Product, path: string, note: Note): void => {
  checkCommissions(grant.commissions, granted.commissionCap, path, note);
  for (const [index, { planCode, commissions: ofPlan }] of grant.plans.entries()) {
    const place = `${path}.plans.${index}`;
    if (!granted.plans.some((each) => each.code === planCode))
      note(`${place}.planCode`, 'not_found');
    checkCommissions(ofPlan, granted.commissionCap, place, note);
  }
};

/** An id is unique among products and plans together: a sale may name either by its id alone. */
const checkNumbers = (products: readonly Product[], note: Note): void => {
  const numbered = products.flatMap((each, index) => [
    { name: each.id, place: `products.${index}.id` },
    ...each.plans.map((ofProduct, planIndex) => ({
      name: ofProduct.id,
      place: `products.${index}.plans.${planIndex}.id`,
    })),
  ]);
  noteRepeated(numbered, note);
};

const catalogue = record({
  products: distinct(list(product), 'code'),
  channels: distinct(list(channel), 'channelLink'),
});

/**
 * Reads products and channels together.
 *
 * Checks each product and channel first. If these have no faults, checks across them: ids of
 * products and plans are distinct, each grant names an existing product and existing plans, and
 * the commissions of a grant stay within the product's cap.
 *
 * @example readCatalogue({ products: [], channels: [] }).ok // true
 */
export const readCatalogue = (input: unknown): Reading<CatalogueData> => {
  const each = read(catalogue, input);
  if (!each.ok) return each;
  const { products, channels } = each.value;
  return read((_, __, note) => {
    checkNumbers(products, note);
    for (const [index, found] of channels.entries())
      checkGrants(found, products, `channels.${index}`, note);
    return each.value;
  }, input);
};
