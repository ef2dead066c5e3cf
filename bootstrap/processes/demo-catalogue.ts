import {
  type Channel,
  type Cnpj,
  cents,
  type JsonObject,
  type Plan,
  type Product,
  rate,
} from '#domain';
import { DEMO_CHANNEL_LINK } from '../settings/demo.ts';
import {
  ARTIST_CONDITIONS,
  CANCELLATION,
  INSTRUMENTS,
  PHONE_CONDITIONS,
  SCREEN,
  SIMPLE_THEFT,
  TICKET_CONDITIONS,
  tripConditions,
} from './demo-conditions.ts';

const DEMO_INSURER = {
  name: 'Seguradora Demonstração S.A.',
  cnpj: '11222333000181' as Cnpj,
  susepCode: '00000',
  customerService: '0800 000 0000, todos os dias, 24 horas (demonstração)',
  ombudsman: '0800 000 0001, dias úteis, das 9h às 18h (demonstração)',
};

/** Fields that all demo products share. */
const COMMON = {
  pricingBasis: 'net',
  rounding: 'half-up',
  iofClass: 'general',
  commissionCap: rate(1_000_000),
  cancellation: { kind: 'pro_rata', iof: 'retained' },
  coverages: [],
  collectedBy: 'either',
} as const satisfies Partial<Product>;

/** A schema with optional properties, which also allows others. */
const described = (title: string, properties: JsonObject): JsonObject => ({
  title,
  type: 'object',
  properties,
});

const line = (title: string): JsonObject => ({ title, type: 'string', maxLength: 200 });
const day = (title: string): JsonObject => ({ title, type: 'string', format: 'date' });

const fixedPlan = (
  id: number,
  code: string,
  name: string,
  amount: number,
  over: Omit<Plan, 'id' | 'code' | 'name' | 'tariff' | 'maxInstallments'>,
): Plan => ({
  id,
  code,
  name,
  tariff: { kind: 'fixed', amount: cents(amount) },
  maxInstallments: 12,
  ...over,
});

const registration = (
  number: string,
  branchCode: string,
  branchName: string,
): Product['registration'] => ({
  susepProcess: `15414.${number}/2026-00`,
  branchCode,
  branchName,
  insurer: DEMO_INSURER,
});

const ticket: Product = {
  ...COMMON,
  id: 1,
  code: 'INGRESSO',
  name: 'Ingresso Protegido',
  line: 'event_ticket',
  attributes: described('Ingresso', {
    eventName: line('Evento'),
    eventDate: day('Data do evento'),
    eventTime: { title: 'Horário do evento', type: 'string', format: 'hour-minute' },
    eventAddress: line('Endereço do evento'),
    ticketType: line('Tipo de ingresso'),
    ticketNumber: line('Número do ingresso'),
  }),
  registration: registration('900001', '71', 'Riscos diversos (demonstração)'),
  plans: [
    {
      id: 11,
      code: 'PADRAO',
      name: 'Padrão',
      tariff: { kind: 'rate', rate: rate(100_000), minimum: cents(500) },
      period: { kind: 'payment_to_event' },
      maxInstallments: 1,
      ...TICKET_CONDITIONS,
    },
  ],
};

const artist: Product = {
  ...COMMON,
  id: 2,
  code: 'ARTISTA',
  name: 'Artista Protegido',
  line: 'artist',
  instrument: 'apolice',
  attributes: described('Apresentação', {
    artisticName: line('Nome artístico'),
    musicalGenre: line('Gênero musical'),
    eventName: line('Evento'),
    venueName: line('Local'),
    standName: line('Estande'),
    eventDescription: { ...line('Descrição'), maxLength: 2_000 },
    assemblyStartDate: day('Início da montagem'),
    eventStartDate: day('Início do evento'),
    eventEndDate: day('Fim do evento'),
    disassemblyEndDate: day('Fim da desmontagem'),
    standArea: { title: 'Área em metros quadrados', type: 'number', exclusiveMinimum: 0 },
  }),
  registration: registration('900002', '51', 'Responsabilidade civil de eventos (demonstração)'),
  cancellation: { kind: 'short_period', iof: 'retained' },
  plans: [
    {
      id: 21,
      code: 'PADRAO',
      name: 'Padrão',
      tariff: { kind: 'declared' },
      period: { kind: 'declared' },
      maxInstallments: 12,
      ...ARTIST_CONDITIONS,
    },
  ],
  coverages: [
    {
      id: 201,
      code: 'INSTRUMENTOS',
      name: 'Instrumentos e equipamentos',
      tariff: { kind: 'fixed', amount: cents(0) },
      ...INSTRUMENTS,
    },
    {
      id: 202,
      code: 'CANCELAMENTO',
      name: 'Cancelamento da apresentação',
      tariff: { kind: 'fixed', amount: cents(0) },
      ...CANCELLATION,
    },
  ],
};

const THEFT = { ...PHONE_CONDITIONS, limit: cents(500_000) };

const phone: Product = {
  ...COMMON,
  id: 3,
  code: 'CELULAR',
  name: 'Seguro Celular',
  line: 'mobile_phone',
  attributes: described('Aparelho', {
    brand: line('Marca'),
    model: line('Modelo'),
    imei: { title: 'IMEI', type: 'string', format: 'imei' },
    purchaseDate: day('Data da compra'),
  }),
  registration: registration('900003', '71', 'Riscos diversos (demonstração)'),
  cancellation: { kind: 'short_period', iof: 'retained' },
  plans: [
    fixedPlan(31, 'MENSAL', 'Mensal', 2_990, { ...THEFT, period: { kind: 'months', months: 1 } }),
    fixedPlan(32, 'ANUAL', 'Anual', 29_900, { ...THEFT, period: { kind: 'months', months: 12 } }),
  ],
  coverages: [
    {
      id: 301,
      code: 'QUEBRA_TELA',
      name: 'Quebra de tela',
      tariff: { kind: 'fixed', amount: cents(500) },
      limit: cents(150_000),
      ...SCREEN,
    },
    {
      id: 302,
      code: 'FURTO_SIMPLES',
      name: 'Furto simples',
      tariff: { kind: 'fixed', amount: cents(750) },
      ...SIMPLE_THEFT,
    },
  ],
};

const honeymoon: Product = {
  ...COMMON,
  id: 4,
  code: 'LUA_DE_MEL',
  name: 'Seguro Lua de Mel',
  line: 'travel',
  attributes: described('Viagem', {
    destination: line('Destino'),
    departureDate: day('Partida'),
    returnDate: day('Retorno'),
    weddingDate: day('Casamento'),
  }),
  iofClass: 'life',
  registration: registration('900004', '69', 'Viagem (demonstração)'),
  plans: [
    fixedPlan(41, 'NACIONAL', 'Nacional', 8_990, {
      ...tripConditions(150_000, 300_000),
      period: { kind: 'declared' },
      limit: cents(1_000_000),
    }),
    fixedPlan(42, 'INTERNACIONAL', 'Internacional', 24_990, {
      ...tripConditions(500_000, 1_000_000),
      period: { kind: 'declared' },
      limit: cents(6_000_000),
    }),
  ],
};

/** Fictitious products for a first look at the service. */
export const DEMO_PRODUCTS: readonly Product[] = [ticket, artist, phone, honeymoon];

export const DEMO_CHANNEL: Channel = {
  channelLink: DEMO_CHANNEL_LINK,
  name: 'Canal de demonstração',
  cnpj: '11444777000161' as Cnpj,
  role: 'representative',
  active: true,
  returnOrigins: ['https://loja.example', 'http://localhost:8080'],
  grants: DEMO_PRODUCTS.map(({ code }) => ({
    productCode: code,
    commissions: [{ kind: 'representative', rate: rate(200_000) }],
    plans: [],
  })),
};
