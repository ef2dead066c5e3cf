import Type, { type Static } from 'typebox';
import {
  type CalendarDate,
  type Cents,
  centsFromText,
  type ProductReference,
  plus,
  ZERO,
} from '#domain';
import { acceptanceBody } from '../../contract/acceptance.ts';
import { readDate, readEmail, readPhone, readTaxId } from '../../contract/domain-values.ts';
import { complain } from '../../contract/field-faults.ts';
import {
  channelLink,
  date,
  email,
  moneyText,
  PERSONAL,
  phone,
  taxId,
  text,
  time,
} from '../../contract/formats.ts';
import { readSocialName, socialNameFields } from '../../contract/people.ts';
import { showRefusalsAt } from '../../contract/refusal-answers.ts';
import { channelTextFields } from '../../sales/channel-texts.ts';
import { OPTIONAL_EXTERNAL_ID } from '../../sales/idempotency.ts';
import { quoteIdField, quoteRefusalsAt } from '../../sales/quoted-sale.ts';
import type { SaleDialect } from '../../sales/sale-dialect.ts';
import { TICKET_TYPES } from './ingresso-create-body.ts';

export const ingressoQuickStartBody = Type.Object(
  {
    type: Type.Optional(
      text(50, {
        description:
          'Código de integração do produto; ausente, o único produto de ingresso do canal',
      }),
    ),
    eventName: text(200),
    eventDate: date({ description: 'Data do evento; não pode estar no passado' }),
    eventTime: Type.Optional(time()),
    eventAddress: Type.Optional(text(300)),
    nameOrRazao: text(200, {
      minLength: 3,
      description: 'Nome ou razão social do segurado',
      ...PERSONAL,
    }),
    ...socialNameFields,
    cpfOrCnpj: taxId({ description: 'CPF ou CNPJ, sem pontuação' }),
    birthDate: date({ ...PERSONAL }),
    phone: phone(),
    email: email(),
    canal_venda: Type.Optional(text(100)),
    parceiro: Type.Optional(text(100)),
    tipoIngresso: Type.Enum(TICKET_TYPES),
    numeroIngresso: text(100),
    valorIngresso: moneyText({ description: 'Valor do ingresso: 150.00, 150,00 ou 1.234,56' }),
    taxaConveniencia: Type.Optional(
      moneyText({ description: 'Taxa de conveniência; ausente, zero' }),
    ),
    valorTotal: moneyText({ description: 'valorIngresso + taxaConveniencia: o valor protegido' }),
    channelLink: channelLink(),
    musicalGenre: Type.Optional(text(100)),
    ...quoteIdField,
    externalSaleId: OPTIONAL_EXTERNAL_ID,
    ...channelTextFields,
    acceptance: Type.Optional(acceptanceBody),
  },
  {
    title: 'IngressoQuickStartSale',
    description: 'Corpo do guia de início rápido; o prêmio vem da tarifa do plano',
  },
);

type QuickStartBody = Static<typeof ingressoQuickStartBody>;

const OBJECT_FIELDS = [
  'eventName',
  'eventDate',
  'eventTime',
  'eventAddress',
  'musicalGenre',
] as const;

const readInsuredObject = (body: QuickStartBody): Record<string, string> => {
  const event = OBJECT_FIELDS.flatMap((field) =>
    body[field] === undefined ? [] : [[field, body[field]] as const],
  );
  return {
    ...Object.fromEntries(event),
    ticketType: body.tipoIngresso,
    ticketNumber: body.numeroIngresso,
  };
};

const readProduct = (type: string | undefined): ProductReference =>
  type === undefined ? { only: true } : { code: type, inAnyCase: true };

const readAmount = (value: string | undefined): Cents | undefined =>
  value === undefined ? undefined : centsFromText(value);

export const ingressoQuickStartDialect: SaleDialect<typeof ingressoQuickStartBody> = {
  schema: ingressoQuickStartBody,
  draft: ({ quoteId, type, eventDate, birthDate, valorTotal }, today) => ({
    quoteId,
    product: readProduct(type),
    insured: { birthDate: birthDate as CalendarDate | undefined },
    insuredAmount: readAmount(valorTotal),
    eventOn: eventDate as CalendarDate | undefined,
    payment: { collectedBy: 'channel', paidOn: today },
  }),
  fieldsOfParts: () => ({
    product: ['type'],
    insuredAmount: ['valorTotal'],
    eventOn: ['eventDate'],
  }),
  ownFaults: ({ valorIngresso, taxaConveniencia, valorTotal }, faults) => {
    const ticket = readAmount(valorIngresso);
    const fee = readAmount(taxaConveniencia) ?? ZERO;
    const total = readAmount(valorTotal);
    if (ticket === undefined || total === undefined || 'taxaConveniencia' in faults) return {};
    if (ticket <= 0)
      return {
        valorIngresso: [complain('out_of_range', 'O campo valorIngresso deve ser maior que 0.')],
      };
    if (plus(ticket, fee) === total) return {};
    return {
      valorTotal: [
        complain(
          'amount_differs',
          'O campo valorTotal deve ser a soma de valorIngresso e taxaConveniencia.',
        ),
      ],
    };
  },
  request: (body, today) => ({
    quoteId: body.quoteId,
    product: readProduct(body.type),
    insured: {
      name: body.nameOrRazao,
      ...readSocialName(body),
      taxId: readTaxId(body.cpfOrCnpj),
      birthDate: readDate(body.birthDate),
      email: readEmail(body.email),
      phone: readPhone(body.phone),
    },
    insuredObject: readInsuredObject(body),
    insuredAmount: centsFromText(body.valorTotal) as Cents,
    eventOn: readDate(body.eventDate),
    payment: { collectedBy: 'channel', paidOn: today },
  }),
  complaintOf: {
    event_before_payment: complain('in_the_past', 'A data do evento não pode estar no passado.'),
  },
  fieldOf: {
    ...showRefusalsAt('type'),
    channel_inactive: 'channelLink',
    channel_not_own: 'channelLink',
    iof_rate_missing: 'type',
    premium_not_declared: 'type',
    premium_not_positive: 'valorTotal',
    amount_too_large: 'valorTotal',
    insured_amount_missing: 'valorTotal',
    sold_in_future: 'eventDate',
    sold_long_ago: 'eventDate',
    paid_in_future: 'eventDate',
    event_before_payment: 'eventDate',
    born_in_future: 'birthDate',
    period_not_declared: 'eventDate',
    period_reversed: 'eventDate',
    ...quoteRefusalsAt({ product: 'type', insuredAmount: 'valorTotal', eventOn: 'eventDate' }),
  },
};
