import {
  businessDay,
  type CalendarDate,
  type Channel,
  type CommissionRate,
  cents,
  type Plan,
  type Product,
  rate,
} from '#domain';
import type {
  Catalogue,
  CatalogueVersion,
  Versioned,
} from '../../application/catalogue/catalogue.ts';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { entry } from './identity.ts';

export const TICKET_PRODUCT = DEMO_PRODUCTS[0] as Product;

/** The version of a product or channel that is stored at a moment, for that day or a later one. */
export const versionAt = (
  definition: Product | Channel,
  updatedAt: Versioned<Product>['updatedAt'],
  { version = 1, effectiveFrom = businessDay(updatedAt) as string } = {},
): CatalogueVersion => {
  const day = effectiveFrom as CalendarDate;
  const versioned = { definition, version, updatedAt, effectiveFrom: day };
  return 'code' in definition
    ? { ...versioned, definition, kind: 'product', name: definition.code }
    : { ...versioned, definition, kind: 'channel', name: definition.channelLink };
};

/** Stores a version whatever the rest of the catalogue is. */
export const saveVersion = async (catalogue: Catalogue, version: CatalogueVersion) => {
  const { revision } = await catalogue.load();
  return catalogue.save(version, revision, entry({ action: `${version.kind}.put` }));
};

export const plan = (over: Partial<Plan> = {}): Plan => ({
  id: 91,
  code: 'UNICO',
  name: 'Único',
  tariff: { kind: 'fixed', amount: cents(1_000) },
  period: { kind: 'payment_to_event' },
  maxInstallments: 12,
  ...over,
});

export const product = (over: Partial<Product> = {}): Product => ({
  ...TICKET_PRODUCT,
  id: 90,
  code: 'OUTRO',
  plans: [plan()],
  ...over,
});

export const channel = (over: Partial<Channel> = {}): Channel => ({ ...DEMO_CHANNEL, ...over });

export const commissionOf = (
  ppm: number,
  kind: CommissionRate['kind'] = 'representative',
): CommissionRate => ({
  kind,
  rate: rate(ppm),
});

export const grant = (productCode: string, ppm = 200_000): Channel['grants'][number] => ({
  productCode,
  commissions: [commissionOf(ppm)],
  plans: [],
});
