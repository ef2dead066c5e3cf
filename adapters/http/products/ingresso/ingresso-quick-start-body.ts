import Type from 'typebox';
import { type Cents, centsFromText, plus, ZERO } from '#domain';
import { given } from '../../../../application/sales/sale-request.ts';
import { acceptanceBody } from '../../contract/acceptance.ts';
import { complain, faultAt } from '../../contract/field-faults.ts';
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
import { socialNameFields } from '../../contract/people.ts';
import { channelTextFields } from '../../sales/channel-texts.ts';
import { OPTIONAL_EXTERNAL_ID } from '../../sales/idempotency.ts';
import { quoteIdField } from '../../sales/quoted-sale.ts';
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

const readAmount = (value: string | undefined): Cents | undefined =>
  value === undefined ? undefined : centsFromText(value);

export const ingressoQuickStartDialect: SaleDialect<typeof ingressoQuickStartBody> = {
  schema: ingressoQuickStartBody,
  fields: {
    product: ['type'],
    name: ['nameOrRazao'],
    taxId: ['cpfOrCnpj'],
    birthDate: ['birthDate'],
    email: ['email'],
    phone: ['phone'],
    eventOn: ['eventDate'],
    insuredAmount: ['valorTotal'],
  },
  readMore: ({ type }) => (type === undefined ? { product: { only: true } } : {}),
  payment: (_sound, today) => ({ collectedBy: 'channel', paidOn: today }),
  insuredObject: ({ eventName, eventDate, eventTime, eventAddress, musicalGenre, ...ticket }) =>
    given({
      ...{ eventName, eventDate, eventTime, eventAddress, musicalGenre },
      ticketType: ticket.tipoIngresso,
      ticketNumber: ticket.numeroIngresso,
    }),
  ownFaults: ({ valorIngresso, taxaConveniencia, valorTotal }, faults) => {
    const ticket = readAmount(valorIngresso);
    const fee = readAmount(taxaConveniencia) ?? ZERO;
    const total = readAmount(valorTotal);
    if (ticket === undefined || total === undefined || 'taxaConveniencia' in faults) return {};
    if (ticket <= 0)
      return faultAt(
        'valorIngresso',
        'out_of_range',
        'O campo valorIngresso deve ser maior que 0.',
      );
    if (plus(ticket, fee) === total) return {};
    return faultAt(
      'valorTotal',
      'amount_differs',
      'O campo valorTotal deve ser a soma de valorIngresso e taxaConveniencia.',
    );
  },
  complaintOf: {
    event_before_payment: complain('in_the_past', 'A data do evento não pode estar no passado.'),
  },
};
