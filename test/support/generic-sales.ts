/** Below `{base_url}`. */
export const SALE = '/private/integration/sale';
export const SALES_LIST = '/private/integration/sales';

type Fields = Record<string, unknown>;

/**
 * A valid body of the generic sale: a honeymoon, paid to the channel. `undefined` removes a field.
 */
export const saleOrder = (over: Fields = {}): Fields => ({
  externalSaleId: 'order-1',
  product: { code: 'LUA_DE_MEL' },
  insured: { name: 'Maria da Silva', cpfOrCnpj: '529.982.247-25', email: 'maria@example.com' },
  coverage: { startDate: '2199-12-01', endDate: '2199-12-10' },
  payment: { status: 'paid', method: 'pix', paidAt: '2026-11-20' },
  attributes: { destination: 'Fernando de Noronha' },
  ...over,
});

/** A product line that exists only as data: the service has no code for it. */
export const petProduct = (over: Fields = {}): Fields => ({
  id: 60,
  name: 'Seguro Pet',
  line: 'pet',
  iofClass: 'health',
  rounding: 'half-even',
  registration: {
    ...{ susepProcess: '15414.900060/2026-00', branchCode: '31', branchName: 'Animais' },
    insurer: { name: 'Seguradora Demonstração S.A.', cnpj: '11222333000181', susepCode: '00000' },
  },
  attributes: {
    type: 'object',
    additionalProperties: false,
    required: ['species', 'petName'],
    properties: {
      species: { title: 'Espécie', enum: ['dog', 'cat'] },
      petName: { title: 'Nome', type: 'string', minLength: 1, maxLength: 40 },
      microchip: { title: 'Microchip', type: 'string', pattern: '^\\d{15}$' },
      bornOn: { title: 'Nascimento', type: 'string', format: 'date' },
    },
  },
  plans: [
    {
      ...{ id: 61, code: 'ANUAL', name: 'Anual', maxInstallments: 12 },
      tariff: { kind: 'rate', rate: 8, minimum: 60 },
      period: { kind: 'months', months: 12 },
    },
  ],
  coverages: [{ id: 601, code: 'VACINAS', name: 'Vacinas', tariff: { kind: 'fixed', amount: 15 } }],
  ...over,
});
