import Type, { type Static } from 'typebox';
import { type Cents, centsFromNumber, type Insured, type ServicePayment } from '#domain';
import type { Faults } from '../answers.ts';
import { date, email, formatted, money, PERSONAL, phone, taxId, text } from '../formats.ts';
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

export const phoneBody = Type.Object(
  {
    productId: Type.Integer({ minimum: 1, description: 'Id do produto (ou de um de seus planos)' }),
    channelLink: text(100, { description: 'Identificador do canal de venda' }),
    nameOrRazao: text(200, { minLength: 3, description: 'Nome completo ou razão social do segurado', ...PERSONAL }),
    cpfOrCnpj: taxId({ description: 'CPF ou CNPJ, somente dígitos' }),
    email: email(),
    phone: phone({ description: 'Telefone do segurado; aceita código do país e pontuação' }),
    birthDate: Type.Optional(date(PERSONAL)),
    socialName: Type.Optional(text(200, PERSONAL)),
    artisticName: Type.Optional(text(200, PERSONAL)),
    musicalGenre: Type.Optional(text(100)),
    plan: Type.Optional(reference),
    insurance: Type.Optional(Type.Array(reference, { maxItems: 50, description: 'Coberturas adicionais' })),
    additionalInsured: Type.Optional(Type.Array(additionalInsuredBody, { maxItems: 50 })),
    device: Type.Optional(
      Type.Object({
        brand: Type.Optional(text(100)),
        model: Type.Optional(text(100)),
        imei: Type.Optional(formatted('imei', { examples: ['490154203237518'], ...PERSONAL })),
        value: Type.Optional(money({ description: 'Valor do aparelho, em reais' })),
        purchaseDate: Type.Optional(date({ description: 'Data da compra do aparelho; não pode ser futura' })),
      }),
    ),
    payment: Type.Optional(
      Type.Object({
        modeCode: Type.Optional(Type.Enum(['1', '2'], { description: '1: boleto, à vista; 2: cartão de crédito' })),
        creditCard: Type.Optional(cardBody),
        totalInstallmentNumber: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 12, description: 'Mais de uma, só com creditCard' }),
        ),
      }),
    ),
    creditCard: Type.Optional(cardBody),
    address: Type.Optional(addressBody),
    saleDate: Type.Optional(date({ description: 'Data da venda; ausente, hoje; não pode ser futura' })),
  },
  { title: 'SeguroCelular', description: 'Sem creditCard, a resposta traz o link de pagamento' },
);

type PhoneBody = Static<typeof phoneBody>;

const insured = (body: PhoneBody): Insured => ({
  name: body.nameOrRazao,
  taxId: taxIdFrom(body.cpfOrCnpj),
  email: emailFrom(body.email),
  phone: phoneFrom(body.phone),
  ...(body.socialName !== undefined && { socialName: body.socialName }),
  ...(body.birthDate !== undefined && { birthDate: dateFrom(body.birthDate) }),
  ...(body.address !== undefined && { address: addressFrom(body.address) }),
});

const insuredObject = ({ artisticName, musicalGenre, device: { value: _, ...device } = {} }: PhoneBody): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ artisticName, musicalGenre, ...device }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );

/** Fields that do not go together. */
const pairFaults = (sound: Partial<PhoneBody>, today: string): Faults => {
  const { device, payment } = sound;
  return {
    ...(device?.purchaseDate !== undefined &&
      device.purchaseDate > today && { 'device.purchaseDate': ['A data da compra do aparelho não pode ser futura.'] }),
    ...(payment?.modeCode === '1' && cardIn(sound) !== undefined && { 'payment.modeCode': [CARD_WITH_BOLETO] }),
  };
};

/** In its own place, or where Artista Protegido has it. */
const cardIn = ({ creditCard, payment }: Partial<PhoneBody>) => creditCard ?? payment?.creditCard;

const payment = (body: PhoneBody): ServicePayment => ({
  collectedBy: 'service',
  installments: body.payment?.totalInstallmentNumber ?? 1,
  ...(cardIn(body) !== undefined && { method: 'credit' }),
  ...(body.payment?.modeCode === '1' && { method: 'boleto' }),
});

export const phoneDialect: SaleDialect<typeof phoneBody> = {
  schema: phoneBody,
  draft: ({ productId, plan, insurance, saleDate, birthDate }) => ({
    product: productId === undefined ? undefined : { id: productId },
    plan,
    coverages: insurance,
    paidTo: 'service',
    soldOn: saleDate === undefined ? undefined : dateFrom(saleDate),
    birthDate: birthDate === undefined ? undefined : dateFrom(birthDate),
  }),
  ownFaults: (sound, _, today) => ({
    ...addressFaults(sound.address),
    ...birthFaults(sound.additionalInsured, today),
    ...pairFaults(sound, today),
    ...cardFaults(sound.creditCard, 'creditCard', today),
    ...cardFaults(sound.payment?.creditCard, 'payment.creditCard', today),
  }),
  request: (body) => ({
    product: { id: body.productId },
    plan: body.plan,
    coverages: body.insurance,
    insured: insured(body),
    additionalInsured: body.additionalInsured?.map(additionalInsuredFrom),
    insuredObject: insuredObject(body),
    insuredAmount: body.device?.value === undefined ? undefined : (centsFromNumber(body.device.value) as Cents),
    soldOn: body.saleDate === undefined ? undefined : dateFrom(body.saleDate),
    payment: payment(body),
  }),
  card: (body) => {
    const card = cardIn(body);
    return card === undefined ? undefined : cardFrom(card, insured(body));
  },
  fieldOf: {
    ...everyRefusalAt('productId'),
    channel_inactive: 'channelLink',
    channel_not_own: 'channelLink',
    plan_unknown: 'plan',
    coverage_unknown: 'insurance',
    coverage_repeated: 'insurance',
    iof_rate_missing: 'saleDate',
    insured_amount_missing: 'device',
    sold_in_future: 'saleDate',
    period_over: 'saleDate',
    born_in_future: 'birthDate',
    installments_not_offered: 'payment.totalInstallmentNumber',
    installment_below_one_cent: 'payment.totalInstallmentNumber',
  },
};
