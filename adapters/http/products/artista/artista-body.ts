import Type, { type Static } from 'typebox';
import { addDays, type CalendarDate, type Insured, type ServicePayment } from '#domain';
import type { Faults } from '../../contract/answer-error.ts';
import { date, money, PERSONAL, text } from '../../contract/formats.ts';
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
import { centsFrom, dateFrom } from '../../contract/domain-values.ts';

export const artistBody = Type.Object(
  {
    ...collectedFields,
    birthDate: date(PERSONAL),
    eventName: text(200),
    venueName: text(200),
    standName: Type.Optional(text(200)),
    eventDescription: text(2_000),
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
    title: 'ArtistaProtegido',
    description: 'Só os dados do negócio: a emissão é feita pelo serviço',
  },
);

type ArtistBody = Static<typeof artistBody>;

const insured = (body: ArtistBody): Insured => ({
  ...collectedInsured(body),
  address: addressFrom(body.address),
});

const OBJECT_FIELDS = [
  ...['artisticName', 'musicalGenre', 'eventName', 'venueName', 'standName', 'eventDescription'],
  ...['assemblyStartDate', 'eventStartDate', 'eventEndDate', 'disassemblyEndDate', 'standArea'],
] as readonly (keyof ArtistBody)[];

const insuredObject = (body: ArtistBody): Record<string, string> =>
  Object.fromEntries(
    OBJECT_FIELDS.flatMap((field) =>
      body[field] === undefined ? [] : [[field, String(body[field])]],
    ),
  );

const DAYS = ['assemblyStartDate', 'eventStartDate', 'eventEndDate', 'disassemblyEndDate'] as const;

/** Assembly, event and disassembly follow one another. */
const dayFaults = (sound: Partial<ArtistBody>): Faults => {
  const known = DAYS.flatMap((name) =>
    sound[name] === undefined ? [] : [{ name, day: sound[name] }],
  );
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
  ...(payment?.modeCode === '1' &&
    payment.creditCard !== undefined && { 'payment.modeCode': [CARD_WITH_BOLETO] }),
});

/** Days in which a boleto is to be paid where nobody says when. */
const BOLETO_DAYS = 3;

const payment = ({ payment: sent }: ArtistBody, today: CalendarDate): ServicePayment => ({
  collectedBy: 'service',
  installments: sent.totalInstallmentNumber,
  method: sent.modeCode === '2' ? 'credit' : 'boleto',
  underwriting: 'before_payment',
  ...(sent.modeCode === '1' && { firstDueOn: addDays(today, BOLETO_DAYS) }),
  ...(sent.firstInstallmentDate !== undefined && {
    firstDueOn: dateFrom(sent.firstInstallmentDate),
  }),
});

export const artistDialect: SaleDialect<typeof artistBody> = {
  schema: artistBody,
  draft: collectedDraft,
  ownFaults: (sound, faults, today) => ({
    ...dayFaults(sound),
    ...collectedFaults(sound, today),
    ...dueFaults(sound, today),
    ...cardModeFaults(sound, faults),
    ...cardFaults(sound.payment?.creditCard, 'payment.creditCard', today),
  }),
  request: (body, today) => ({
    ...collectedRequest(body),
    insured: insured(body),
    insuredObject: insuredObject(body),
    insuredAmount: centsFrom(body.lossLimit),
    declaredPrice: centsFrom(body.premiumNet),
    declaredFigures: { iof: centsFrom(body.premiumTaxes) },
    declaredPeriod: {
      start: dateFrom(body.assemblyStartDate),
      end: dateFrom(body.disassemblyEndDate),
    },
    payment: payment(body, today),
  }),
  card: (body) =>
    body.payment.modeCode === '2' && body.payment.creditCard !== undefined
      ? cardFrom(body.payment.creditCard, insured(body))
      : undefined,
  fieldOf: {
    ...collectedRefusals,
    premium_not_declared: 'premiumNet',
    premium_not_positive: 'premiumNet',
    net_premium_differs: 'premiumNet',
    amount_too_large: 'premiumNet',
    iof_differs: 'premiumTaxes',
    total_differs: 'premiumTaxes',
    insured_amount_missing: 'lossLimit',
    period_not_declared: 'assemblyStartDate',
    period_reversed: 'disassemblyEndDate',
    period_over: 'disassemblyEndDate',
  },
};
