import Type, { type Static } from 'typebox';
import type { Insured, ServicePayment } from '#domain';
import type { Faults } from '../../contract/answer-error.ts';
import { date, formatted, money, PERSONAL, text } from '../../contract/formats.ts';
import { CARD_WITH_BOLETO, cardBody, cardFaults, cardFrom } from '../../contract/payment-card-body.ts';
import {
  collectedDraft,
  collectedFaults,
  collectedFields,
  collectedInsured,
  collectedRefusals,
  collectedRequest,
} from '../../sales/collected-sale.ts';
import type { SaleDialect } from '../../sales/sale-dialect.ts';
import { addressBody, addressFrom } from '../../contract/people.ts';
import { centsFrom } from '../../contract/domain-values.ts';

export const phoneBody = Type.Object(
  {
    ...collectedFields,
    birthDate: Type.Optional(date(PERSONAL)),
    socialName: Type.Optional(text(200, PERSONAL)),
    device: Type.Optional(
      Type.Object({
        brand: Type.Optional(text(100)),
        model: Type.Optional(text(100)),
        imei: Type.Optional(formatted('imei', { examples: ['490154203237518'], ...PERSONAL })),
        value: Type.Optional(money({ description: 'Valor do aparelho, em reais' })),
        purchaseDate: Type.Optional(
          date({ description: 'Data da compra do aparelho; não pode ser futura' }),
        ),
      }),
    ),
    payment: Type.Optional(
      Type.Object({
        modeCode: Type.Optional(
          Type.Enum(['1', '2'], { description: '1: boleto, à vista; 2: cartão de crédito' }),
        ),
        creditCard: Type.Optional(cardBody),
        totalInstallmentNumber: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 12, description: 'Mais de uma, só com creditCard' }),
        ),
      }),
    ),
    creditCard: Type.Optional(cardBody),
    address: Type.Optional(addressBody),
  },
  { title: 'SeguroCelular', description: 'Sem creditCard, a resposta traz o link de pagamento' },
);

type PhoneBody = Static<typeof phoneBody>;

const insured = (body: PhoneBody): Insured => ({
  ...collectedInsured(body),
  ...(body.socialName !== undefined && { socialName: body.socialName }),
  ...(body.address !== undefined && { address: addressFrom(body.address) }),
});

const insuredObject = ({
  artisticName,
  musicalGenre,
  device: { value: _, ...device } = {},
}: PhoneBody): Record<string, string> =>
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
      device.purchaseDate > today && {
        'device.purchaseDate': ['A data da compra do aparelho não pode ser futura.'],
      }),
    ...(payment?.modeCode === '1' &&
      cardIn(sound) !== undefined && { 'payment.modeCode': [CARD_WITH_BOLETO] }),
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

/** Some gateways charge no card whose holder has no address. */
const holderFaults = (sound: Partial<PhoneBody>): Faults => {
  const card = cardIn(sound);
  const hasAddress = sound.address !== undefined || card?.holder?.address !== undefined;
  return card === undefined || hasAddress
    ? {}
    : { address: ['O campo address é obrigatório para pagamento com cartão.'] };
};

export const phoneDialect = (cardNeedsAddress: boolean): SaleDialect<typeof phoneBody> => ({
  schema: phoneBody,
  draft: collectedDraft,
  ownFaults: (sound, _, today) => ({
    ...collectedFaults(sound, today),
    ...(cardNeedsAddress && holderFaults(sound)),
    ...pairFaults(sound, today),
    ...cardFaults(sound.creditCard, 'creditCard', today),
    ...cardFaults(sound.payment?.creditCard, 'payment.creditCard', today),
  }),
  request: (body) => ({
    ...collectedRequest(body),
    insured: insured(body),
    insuredObject: insuredObject(body),
    insuredAmount: body.device?.value === undefined ? undefined : centsFrom(body.device.value),
    payment: payment(body),
  }),
  card: (body) => {
    const card = cardIn(body);
    return card === undefined ? undefined : cardFrom(card, insured(body));
  },
  fieldOf: { ...collectedRefusals, insured_amount_missing: 'device' },
});
