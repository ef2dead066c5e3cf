import { type Channel, cents, type Product, rate } from '@insurance-sales/domain';

const DEMO_INSURER = { name: 'Seguradora Demonstração S.A.', cnpj: '11222333000181', susepCode: '00000' };

const registration = (number: string, branchCode: string, branchName: string): Product['registration'] => ({
  susepProcess: `15414.${number}/2026-00`,
  branchCode,
  branchName,
  insurer: DEMO_INSURER,
});

const ticket: Product = {
  id: 1,
  code: 'INGRESSO',
  name: 'Ingresso Protegido',
  line: 'event_ticket',
  pricingBasis: 'net',
  rounding: 'half-up',
  iofClass: 'general',
  collectedBy: 'channel',
  registration: registration('900001', '71', 'Riscos diversos (demonstração)'),
  plans: [
    {
      id: 11,
      code: 'PADRAO',
      name: 'Padrão',
      tariff: { kind: 'rate', rate: rate(100_000), minimum: cents(500) },
      period: { kind: 'payment_to_event' },
    },
  ],
  coverages: [],
};

const artist: Product = {
  id: 2,
  code: 'ARTISTA',
  name: 'Artista Protegido',
  line: 'artist',
  pricingBasis: 'net',
  rounding: 'half-up',
  iofClass: 'general',
  collectedBy: 'service',
  registration: registration('900002', '51', 'Responsabilidade civil de eventos (demonstração)'),
  plans: [{ id: 21, code: 'PADRAO', name: 'Padrão', tariff: { kind: 'declared' }, period: { kind: 'declared' } }],
  coverages: [
    { id: 201, code: 'INSTRUMENTOS', name: 'Instrumentos e equipamentos', price: cents(0) },
    { id: 202, code: 'CANCELAMENTO', name: 'Cancelamento da apresentação', price: cents(0) },
  ],
};

const phone: Product = {
  id: 3,
  code: 'CELULAR',
  name: 'Seguro Celular',
  line: 'mobile_phone',
  pricingBasis: 'net',
  rounding: 'half-up',
  iofClass: 'general',
  collectedBy: 'service',
  registration: registration('900003', '71', 'Riscos diversos (demonstração)'),
  plans: [
    {
      id: 31,
      code: 'MENSAL',
      name: 'Mensal',
      tariff: { kind: 'fixed', amount: cents(2_990) },
      period: { kind: 'months', months: 1 },
    },
    {
      id: 32,
      code: 'ANUAL',
      name: 'Anual',
      tariff: { kind: 'fixed', amount: cents(29_900) },
      period: { kind: 'months', months: 12 },
    },
  ],
  coverages: [
    { id: 301, code: 'QUEBRA_TELA', name: 'Quebra de tela', price: cents(500) },
    { id: 302, code: 'FURTO_SIMPLES', name: 'Furto simples', price: cents(750) },
  ],
};

const honeymoon: Product = {
  id: 4,
  code: 'LUA_DE_MEL',
  name: 'Seguro Lua de Mel',
  line: 'travel',
  pricingBasis: 'net',
  rounding: 'half-up',
  iofClass: 'life',
  collectedBy: 'service',
  registration: registration('900004', '69', 'Viagem (demonstração)'),
  plans: [
    { id: 41, code: 'NACIONAL', name: 'Nacional', tariff: { kind: 'fixed', amount: cents(8_990) }, period: { kind: 'declared' } },
    {
      id: 42,
      code: 'INTERNACIONAL',
      name: 'Internacional',
      tariff: { kind: 'fixed', amount: cents(24_990) },
      period: { kind: 'declared' },
    },
  ],
  coverages: [],
};

/** Products of no real insurer, for a first look at the service. */
export const DEMO_PRODUCTS: readonly Product[] = [ticket, artist, phone, honeymoon];

export const DEMO_CHANNEL: Channel = {
  channelLink: 'canal-demo',
  name: 'Canal de demonstração',
  active: true,
  grants: DEMO_PRODUCTS.map(({ code }) => ({ productCode: code, commissionRate: rate(200_000), plans: [] })),
};
