import Type, { type Static } from 'typebox';
import { addDays, type CalendarDate } from '#domain';
import { readDate, readWayBack } from '../../../kit/contract/domain-values.ts';
import { type FieldFaults, faultAt } from '../../../kit/contract/field-faults.ts';
import { date, money, PERSONAL, paragraphs, text } from '../../../kit/contract/formats.ts';
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

export const artistaBody = Type.Object(
  {
    ...collectedFields,
    birthDate: date(PERSONAL),
    eventName: text(200),
    venueName: text(200),
    standName: Type.Optional(text(200)),
    eventDescription: paragraphs(2_000),
    assemblyStartDate: date({ description: 'Início da montagem, e da vigência' }),
    eventStartDate: date(),
    eventEndDate: date(),
    disassemblyEndDate: date({ description: 'Fim da desmontagem, e da vigência' }),
    standArea: Type.Integer({
      exclusiveMinimum: 0,
      maximum: 10_000_000,
      description: 'Em metros quadrados',
    }),
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
  },
  {
    title: 'ArtistaSale',
    description: 'Só os dados do negócio: a emissão é feita pelo serviço',
  },
);

type ArtistaBody = Static<typeof artistaBody>;

/** The sound fields of a body, also inside its payment. */
type SoundBody = Partial<Omit<ArtistaBody, 'payment'>> & {
  readonly payment?: Partial<ArtistaBody['payment']>;
};

const DAYS = ['assemblyStartDate', 'eventStartDate', 'eventEndDate', 'disassemblyEndDate'] as const;

const OBJECT_FIELDS = [
  'artisticName',
  'musicalGenre',
  'eventName',
  'venueName',
  'standName',
  'eventDescription',
  ...DAYS,
  'standArea',
] as const;

/** The dates of assembly, event and disassembly must be in order. */
const findDayFaults = (sound: Partial<ArtistaBody>): FieldFaults => {
  const known = DAYS.filter((name) => sound[name] !== undefined);
  const faults = known.map((name, index) => {
    const before = known[index - 1] ?? name;
    return (sound[name] as string) < (sound[before] as string)
      ? faultAt(name, 'wrong_order', `O campo ${name} não pode ser anterior a ${before}.`)
      : {};
  });
  return Object.assign({}, ...faults);
};

/** The insurer holds its price only for a time: the first installment must be due within it. */
const MAX_DUE_DAYS = 30;

const findDueFaults = ({ payment }: SoundBody, today: CalendarDate): FieldFaults => {
  const due = payment?.firstInstallmentDate;
  return due !== undefined && (due < today || due > addDays(today, MAX_DUE_DAYS))
    ? faultAt(
        'payment.firstInstallmentDate',
        'out_of_range',
        `O campo payment.firstInstallmentDate deve estar entre hoje e ${MAX_DUE_DAYS} dias à frente.`,
      )
    : {};
};

const findCardModeFaults = ({ payment }: SoundBody, faults: FieldFaults): FieldFaults => ({
  ...(payment?.modeCode === '2' &&
    payment.creditCard === undefined &&
    !Object.keys(faults).some((path) => path.startsWith('payment.creditCard')) &&
    faultAt(
      'payment.creditCard',
      'required',
      'O campo payment.creditCard é obrigatório para pagamento com cartão.',
    )),
  ...(payment?.modeCode === '1' && payment.creditCard !== undefined && CARD_WITH_BOLETO),
});

/** Days until a boleto is due, if the body has no due date. */
const BOLETO_DAYS = 3;

const METHODS = { '1': 'boleto', '2': 'credit' } as const;

const readPayment = (
  { payment: { modeCode = '1', ...sent } = {}, return_url }: SoundBody,
  today: CalendarDate,
) => ({
  collectedBy: 'service' as const,
  installments: sent.totalInstallmentNumber,
  method: METHODS[modeCode],
  underwriting: 'before_payment' as const,
  ...(modeCode === '1' && { firstDueOn: addDays(today, BOLETO_DAYS) }),
  ...(sent.firstInstallmentDate !== undefined && {
    firstDueOn: readDate(sent.firstInstallmentDate),
  }),
  ...readWayBack(return_url),
});

export const artistaDialect: SaleDialect<typeof artistaBody> = {
  schema: artistaBody,
  fields: {
    ...COLLECTED_FIELDS,
    insuredAmount: ['lossLimit'],
    declaredPrice: ['premiumNet'],
    iof: ['premiumTaxes'],
    period: [...DAYS],
    start: ['assemblyStartDate'],
    end: ['disassemblyEndDate'],
    installments: ['payment.totalInstallmentNumber', 'payment.modeCode'],
  },
  payment: readPayment,
  insuredObject: (sound) =>
    Object.fromEntries(
      OBJECT_FIELDS.flatMap((field) =>
        sound[field] === undefined ? [] : [[field, String(sound[field])]],
      ),
    ),
  ownFaults: (sound, faults, today, cardNeeds) => ({
    ...findDayFaults(sound),
    ...findDueFaults(sound, today),
    ...findCardModeFaults(sound, faults),
    ...findHolderFaults(cardNeeds, sound.payment?.creditCard, 'payment.creditCard', sound, faults),
    ...findCardFaults(sound.payment?.creditCard, 'payment.creditCard', today),
  }),
  card: ({ payment: { modeCode, creditCard } }, insured) =>
    modeCode === '2' && creditCard !== undefined ? readCard(creditCard, insured) : undefined,
};
