import { type Channel, type CommissionRate, cents, type Plan, type Product, rate } from '#domain';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';

export const TICKET_PRODUCT = DEMO_PRODUCTS[0] as Product;

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
