import Type from 'typebox';
import { type Cents, centsFromText, plus, type Uf, ZERO } from '#domain';
import { given } from '../../../../application/sales/sale-request.ts';
import { acceptanceBody } from '../../../kit/contract/acceptance.ts';
import {
  PAYMENT_METHOD_NAMES,
  PAYMENT_METHODS,
  readOptionalDate,
  readPostcode,
} from '../../../kit/contract/domain-values.ts';
import { complain, faultAt } from '../../../kit/contract/field-faults.ts';
import {
  channelLink,
  date,
  email,
  money,
  moneyText,
  PERSONAL,
  phone,
  postcode,
  state,
  taxId,
  text,
  time,
} from '../../../kit/contract/formats.ts';
import { socialNameFields } from '../../../kit/contract/people.ts';
import { channelTextFields } from '../../sales/channel-texts.ts';
import { OPTIONAL_EXTERNAL_ID } from '../../sales/idempotency.ts';
import type { SaleDialect } from '../../sales/sale-dialect.ts';
import { quoteIdField } from '../../sales/sale-fields.ts';

/** The values of `tipoIngresso`. */
const TICKET_TYPES = ['inteira', 'meia', 'vip', 'camarote', 'pista', 'arquibancada'] as const;

/** The fields at the end of both bodies. */
const commonFields = {
  ...quoteIdField,
  externalSaleId: OPTIONAL_EXTERNAL_ID,
  ...channelTextFields,
  acceptance: Type.Optional(acceptanceBody),
};

export const ingressoBody = Type.Object(
  {
    productId: Type.Integer({
      minimum: 1,
      description: 'Id do produto (ou de um de seus planos) na tabela de produtos',
    }),
    channelLink: channelLink({ description: 'Link do canal parceiro' }),
    nomeCompleto: text(200, {
      minLength: 3,
      description: 'Nome completo do segurado',
      ...PERSONAL,
    }),
    ...socialNameFields,
    cpfCnpj: taxId({ description: 'CPF ou CNPJ, sem pontuação' }),
    dataNascimento: date({ description: 'Data de nascimento', ...PERSONAL }),
    email: email({ description: 'E-mail do segurado' }),
    telefone: phone({ description: 'Telefone do segurado' }),
    logradouro: text(200, { description: 'Logradouro com número', ...PERSONAL }),
    bairro: text(100, PERSONAL),
    cidade: text(100, PERSONAL),
    uf: state({ ...PERSONAL, description: 'Sigla da unidade federativa' }),
    cep: postcode({ description: 'CEP, somente dígitos' }),
    dataPagamento: date({ description: 'Data do pagamento; não pode ser futura' }),
    formaPagamento: Type.Enum(PAYMENT_METHOD_NAMES),
    tipoIngresso: Type.Enum(TICKET_TYPES),
    numeroIngresso: text(100, { description: 'Identificador do ingresso' }),
    dataEvento: date({ description: 'Data do evento; não anterior ao pagamento' }),
    valorIngresso: money({ description: 'Valor do ingresso em reais' }),
    valorSeguro: money({
      description:
        'Valor do seguro em reais: o prêmio líquido, ou o total com IOF, conforme o produto (pricingBasis net, o padrão, ou gross)',
    }),
    ...commonFields,
  },
  { title: 'IngressoSale', description: 'Venda já paga ao parceiro' },
);

export const ingressoDialect: SaleDialect<typeof ingressoBody> = {
  schema: ingressoBody,
  fields: {
    product: ['productId'],
    name: ['nomeCompleto'],
    taxId: ['cpfCnpj'],
    birthDate: ['dataNascimento'],
    email: ['email'],
    phone: ['telefone'],
    eventOn: ['dataEvento'],
    paidOn: ['dataPagamento'],
    insuredAmount: ['valorIngresso'],
    declaredPrice: ['valorSeguro'],
  },
  payment: ({ formaPagamento, dataPagamento }) => ({
    collectedBy: 'channel',
    method: formaPagamento && PAYMENT_METHODS[formaPagamento],
    paidOn: readOptionalDate(dataPagamento),
  }),
  insuredObject: ({ tipoIngresso, numeroIngresso, dataEvento }) =>
    given({ ticketType: tipoIngresso, ticketNumber: numeroIngresso, eventDate: dataEvento }),
  address: ({ logradouro, bairro, cidade, uf, cep }) => ({
    street: logradouro,
    district: bairro,
    city: cidade,
    state: uf as Uf,
    postcode: readPostcode(cep),
  }),
  ownFaults: () => ({}),
};

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
    ...commonFields,
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
