import Type, { type Static } from 'typebox';
import { addDays, type CalendarDate, type Cents, centsFromNumber, type Insured, type ServicePayment } from '#domain';
import type { Faults } from '../answers.ts';
import { date, email, money, PERSONAL, phone, taxId, text } from '../formats.ts';
import { CARD_WITH_BOLETO, cardBody, cardFaults, cardFrom } from '../sales/card.ts';
import type { SaleDialect } from '../sales/dialect.ts';
import {
  additionalInsuredBody,
  additionalInsuredFrom,
  addressBody,
  addressFaults,
  addressFrom,
  birthFaults,
  dateFrom,
  emailFrom,
  phoneFrom,
  taxIdFrom,
} from '../sales/people.ts';
import { everyRefusalAt } from '../sales/refusals.ts';

const reference = Type.Object({ id: Type.Integer({ minimum: 1 }) });

export const artistBody = Type.Object(
  {
    productId: Type.Integer({ minimum: 1, description: 'Id do produto (ou de um de seus planos)' }),
    channelLink: text(100, { description: 'Identificador do canal de venda' }),
    nameOrRazao: text(200, { minLength: 3, description: 'Nome completo ou razão social do segurado', ...PERSONAL }),
    cpfOrCnpj: taxId({ description: 'CPF ou CNPJ, somente dígitos' }),
    artisticName: Type.Optional(text(200, PERSONAL)),
    email: email(),
    phone: phone(),
    birthDate: date(PERSONAL),
    musicalGenre: Type.Optional(text(100)),
    eventName: text(200),
    venueName: text(200),
    standName: Type.Optional(text(200)),
    eventDescription: text(2_000),
    assemblyStartDate: date({ description: 'Início da montagem, e da vigência' }),
    eventStartDate: date(),
    eventEndDate: date(),
    disassemblyEndDate: date({ description: 'Fim da desmontagem, e da vigência' }),
    standArea: Type.Integer({ exclusiveMinimum: 0, maximum: 10_000_000, description: 'Em metros quadrados' }),
    lossLimit: money({ description: 'Limite máximo de indenização, em reais' }),
    premiumNet: money({ description: 'Prêmio líquido, em reais' }),
    premiumTaxes: Type.Number({
      format: 'money',
      minimum: 0,
      description: 'IOF em reais; conferido, com tolerância de um centavo',
    }),
    payment: Type.Object({
      modeCode: Type.Enum(['1', '2'], { description: '1: boleto, à vista; 2: cartão de crédito' }),
      totalInstallmentNumber: Type.Integer({ minimum: 1, maximum: 12 }),
      firstInstallmentDate: Type.Optional(date({ description: 'Vencimento da primeira parcela' })),
      creditCard: Type.Optional(cardBody),
    }),
    address: addressBody,
    saleDate: Type.Optional(date({ description: 'Data da venda; ausente, hoje; não pode ser futura' })),
    plan: Type.Optional(reference),
    insurance: Type.Optional(Type.Array(reference, { maxItems: 50, description: 'Coberturas adicionais' })),
    additionalInsured: Type.Optional(Type.Array(additionalInsuredBody, { maxItems: 50 })),
  },
  { title: 'ArtistaProtegido', description: 'Só os dados do negócio: a emissão é feita pelo serviço' },
);

type ArtistBody = Static<typeof artistBody>;

const insured = (body: ArtistBody): Insured => ({
  name: body.nameOrRazao,
  taxId: taxIdFrom(body.cpfOrCnpj),
  birthDate: dateFrom(body.birthDate),
  email: emailFrom(body.email),
  phone: phoneFrom(body.phone),
  address: addressFrom(body.address),
});

const OBJECT_FIELDS = [
  ...['artisticName', 'musicalGenre', 'eventName', 'venueName', 'standName', 'eventDescription'],
  ...['assemblyStartDate', 'eventStartDate', 'eventEndDate', 'disassemblyEndDate', 'standArea'],
] as readonly (keyof ArtistBody)[];

const insuredObject = (body: ArtistBody): Record<string, string> =>
  Object.fromEntries(OBJECT_FIELDS.flatMap((field) => (body[field] === undefined ? [] : [[field, String(body[field])]])));

const DAYS = ['assemblyStartDate', 'eventStartDate', 'eventEndDate', 'disassemblyEndDate'] as const;

/** Assembly, event and disassembly follow one another. */
const dayFaults = (sound: Partial<ArtistBody>): Faults => {
  const known = DAYS.flatMap((name) => (sound[name] === undefined ? [] : [{ name, day: sound[name] }]));
  const reversed = known.flatMap(({ name, day }, index) => {
    const before = known[index - 1];
    return before !== undefined && day < before.day
      ? [[name, [`O campo ${name} não pode ser anterior a ${before.name}.`]] as const]
      : [];
  });
  return Object.fromEntries(reversed);
};

/** A first payment in the past, or after the price may have lapsed, is none. */
const MOST_DAYS_AHEAD = 30;

const dueFaults = ({ payment: sent }: Partial<ArtistBody>, today: CalendarDate): Faults => {
  const due = sent?.firstInstallmentDate;
  return due !== undefined && (due < today || due > addDays(today, MOST_DAYS_AHEAD))
    ? {
        'payment.firstInstallmentDate': [
          `O campo payment.firstInstallmentDate deve estar entre hoje e ${MOST_DAYS_AHEAD} dias à frente.`,
        ],
      }
    : {};
};

const cardModeFaults = ({ payment }: Partial<ArtistBody>, faults: Faults): Faults => ({
  ...(payment?.modeCode === '2' &&
    payment.creditCard === undefined &&
    !Object.keys(faults).some((path) => path.startsWith('payment.creditCard')) && {
      'payment.creditCard': ['O campo payment.creditCard é obrigatório para pagamento com cartão.'],
    }),
  ...(payment?.modeCode === '1' && payment.creditCard !== undefined && { 'payment.modeCode': [CARD_WITH_BOLETO] }),
});

/** Days in which a boleto is to be paid where nobody says when. */
const BOLETO_DAYS = 3;

const payment = ({ payment: sent }: ArtistBody, today: CalendarDate): ServicePayment => ({
  collectedBy: 'service',
  installments: sent.totalInstallmentNumber,
  method: sent.modeCode === '2' ? 'credit' : 'boleto',
  underwriting: 'before_payment',
  ...(sent.modeCode === '1' && { firstDueOn: addDays(today, BOLETO_DAYS) }),
  ...(sent.firstInstallmentDate !== undefined && { firstDueOn: dateFrom(sent.firstInstallmentDate) }),
});

const cents = (value: number): Cents => centsFromNumber(value) as Cents;

export const artistDialect: SaleDialect<typeof artistBody> = {
  schema: artistBody,
  draft: ({ productId, plan, insurance, saleDate, birthDate }) => ({
    product: productId === undefined ? undefined : { id: productId },
    plan,
    coverages: insurance,
    paidTo: 'service',
    soldOn: saleDate === undefined ? undefined : dateFrom(saleDate),
    birthDate: birthDate === undefined ? undefined : dateFrom(birthDate),
  }),
  ownFaults: (sound, faults, today) => ({
    ...dayFaults(sound),
    ...addressFaults(sound.address),
    ...birthFaults(sound.additionalInsured, today),
    ...dueFaults(sound, today),
    ...cardModeFaults(sound, faults),
    ...cardFaults(sound.payment?.creditCard, 'payment.creditCard', today),
  }),
  request: (body, today) => ({
    product: { id: body.productId },
    plan: body.plan,
    coverages: body.insurance,
    insured: insured(body),
    additionalInsured: body.additionalInsured?.map(additionalInsuredFrom),
    insuredObject: insuredObject(body),
    insuredAmount: cents(body.lossLimit),
    declaredPrice: cents(body.premiumNet),
    declaredFigures: { iof: cents(body.premiumTaxes) },
    declaredPeriod: { start: dateFrom(body.assemblyStartDate), end: dateFrom(body.disassemblyEndDate) },
    soldOn: body.saleDate === undefined ? undefined : dateFrom(body.saleDate),
    payment: payment(body, today),
  }),
  card: (body) =>
    body.payment.modeCode === '2' && body.payment.creditCard !== undefined
      ? cardFrom(body.payment.creditCard, insured(body))
      : undefined,
  fieldOf: {
    ...everyRefusalAt('productId'),
    channel_inactive: 'channelLink',
    channel_not_own: 'channelLink',
    plan_unknown: 'plan',
    coverage_unknown: 'insurance',
    coverage_repeated: 'insurance',
    iof_rate_missing: 'saleDate',
    premium_not_declared: 'premiumNet',
    premium_not_positive: 'premiumNet',
    net_premium_differs: 'premiumNet',
    amount_too_large: 'premiumNet',
    iof_differs: 'premiumTaxes',
    total_differs: 'premiumTaxes',
    insured_amount_missing: 'lossLimit',
    sold_in_future: 'saleDate',
    born_in_future: 'birthDate',
    period_not_declared: 'assemblyStartDate',
    period_reversed: 'disassemblyEndDate',
    period_over: 'disassemblyEndDate',
    installments_not_offered: 'payment.totalInstallmentNumber',
    installment_below_one_cent: 'payment.totalInstallmentNumber',
  },
};
