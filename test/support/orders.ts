import { inDays, taxedToday } from './today.ts';

/** A card number and security code that the service must store nowhere. */
export const SECRET_CARD = { number: '4111111111111111', cvv: '8371' };

export const creditCard = (over: object = {}): object => ({
  flag: 'visa',
  ...SECRET_CARD,
  expiryMonth: '12',
  expiryYear: '39',
  ...over,
});

export const address = {
  ...{
    street: 'Rua das Flores',
    number: '100',
    district: 'Centro',
    city: 'São Paulo',
    state: 'SP',
  },
  ...{ postcode: '01001000', ibgeCode: '3550308' },
};

const insured = {
  channelLink: 'canal-demo',
  nameOrRazao: 'Maria da Silva',
  cpfOrCnpj: '52998224725',
  email: 'maria@example.com',
  phone: '+55 (11) 98765-4321',
};

/** A valid body, with changes; `undefined` removes a field. */
export const artistOrder = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...insured,
  productId: 2,
  birthDate: '1990-05-17',
  eventName: 'Festival',
  venueName: 'Parque',
  eventDescription: 'Apresentação musical',
  assemblyStartDate: inDays(10),
  eventStartDate: inDays(11),
  eventEndDate: inDays(12),
  disassemblyEndDate: inDays(13),
  standArea: 20,
  lossLimit: 10_000,
  premiumNet: 100,
  premiumTaxes: 7.38,
  payment: { modeCode: '1', totalInstallmentNumber: 1 },
  address,
  ...over,
});

/** The same for a service that has the machine's clock, not that of the tests in 2026. */
export const artistOrderToday: typeof artistOrder = (over) =>
  artistOrder({ premiumTaxes: taxedToday(10_000).iof, ...over });

/** By card: quotation, proposal, charge, policy. */
export const byCard = (over: object = {}, card: object = {}): object => ({
  modeCode: '2',
  totalInstallmentNumber: 1,
  creditCard: creditCard(card),
  ...over,
});

export const phoneOrder = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...insured,
  productId: 3,
  ...over,
});
