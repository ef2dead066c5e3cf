import Type, { type Static } from 'typebox';
import type { ServicePayment } from '#domain';
import { given } from '../../../../application/sales/sale-request.ts';
import { readWayBack } from '../../../kit/contract/domain-values.ts';
import { type FieldFaults, faultAt } from '../../../kit/contract/field-faults.ts';
import { date, formatted, money, PERSONAL, text } from '../../../kit/contract/formats.ts';
import {
  CARD_WITH_BOLETO,
  cardBody,
  findCardFaults,
  findHolderFaults,
  readCard,
} from '../../../kit/contract/payment-card-body.ts';
import { addressBody } from '../../../kit/contract/people.ts';
import { COLLECTED_FIELDS, collectedFields } from '../../sales/collected-sale.ts';
import type { SaleDialect } from '../../sales/sale-dialect.ts';

export const celularBody = Type.Object(
  {
    ...collectedFields,
    birthDate: Type.Optional(date(PERSONAL)),
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
  { title: 'CelularSale', description: 'Sem creditCard, a resposta traz o link de pagamento' },
);

type CelularBody = Static<typeof celularBody>;

/** The date of purchase, and a card sent with a boleto. */
const findPairFaults = (sound: Partial<CelularBody>, today: string): FieldFaults => {
  const { device, payment } = sound;
  return {
    ...(device?.purchaseDate !== undefined &&
      device.purchaseDate > today &&
      faultAt(
        'device.purchaseDate',
        'in_the_future',
        'A data da compra do aparelho não pode ser futura.',
      )),
    ...(payment?.modeCode === '1' && cardIn(sound) !== undefined && CARD_WITH_BOLETO),
  };
};

/** The card in its own field, or in that of Artista Protegido. */
const cardIn = ({ creditCard, payment }: Partial<CelularBody>) => creditCard ?? payment?.creditCard;

const cardFieldOf = ({ creditCard }: Partial<CelularBody>): string =>
  creditCard === undefined ? 'payment.creditCard' : 'creditCard';

const readPayment = (body: Partial<CelularBody>): ServicePayment => ({
  collectedBy: 'service',
  installments: body.payment?.totalInstallmentNumber ?? 1,
  ...(cardIn(body) !== undefined && { method: 'credit' }),
  ...(body.payment?.modeCode === '1' && { method: 'boleto' }),
  ...readWayBack(body.return_url),
});

const findInstallmentFaults = (sound: Partial<CelularBody>, faults: FieldFaults): FieldFaults =>
  (sound.payment?.totalInstallmentNumber ?? 1) > 1 &&
  cardIn(sound) === undefined &&
  !Object.keys(faults).some((path) => /^(payment\.)?creditCard/.test(path))
    ? faultAt(
        'payment.totalInstallmentNumber',
        'contradicts',
        'Mais de uma parcela só com cartão: falta o campo creditCard.',
      )
    : {};

export const celularDialect: SaleDialect<typeof celularBody> = {
  schema: celularBody,
  fields: {
    ...COLLECTED_FIELDS,
    insuredAmount: ['device.value'],
    installments: [
      'payment.totalInstallmentNumber',
      'payment.modeCode',
      'payment.creditCard',
      'creditCard',
    ],
  },
  payment: readPayment,
  insuredObject: ({ artisticName, musicalGenre, device: { value: _, ...device } = {} }) =>
    given({ artisticName, musicalGenre, ...device }),
  ownFaults: (sound, faults, today, cardNeeds) => ({
    ...findHolderFaults(cardNeeds, cardIn(sound), cardFieldOf(sound), sound, faults),
    ...findPairFaults(sound, today),
    ...findInstallmentFaults(sound, faults),
    ...findCardFaults(sound.creditCard, 'creditCard', today),
    ...findCardFaults(sound.payment?.creditCard, 'payment.creditCard', today),
  }),
  card: (body, insured) => {
    const card = cardIn(body);
    return card === undefined ? undefined : readCard(card, insured);
  },
};
