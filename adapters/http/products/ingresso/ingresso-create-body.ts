import Type from 'typebox';
import type { CalendarDate, PaymentMethod, Uf } from '#domain';
import { acceptanceBody } from '../../contract/acceptance.ts';
import {
  readCents,
  readDate,
  readEmail,
  readOptionalCents,
  readPhone,
  readPostcode,
  readTaxId,
} from '../../contract/domain-values.ts';
import {
  channelLink,
  date,
  email,
  money,
  PERSONAL,
  phone,
  postcode,
  state,
  taxId,
  text,
} from '../../contract/formats.ts';
import { readSocialName, socialNameFields } from '../../contract/people.ts';
import { showRefusalsAt } from '../../contract/refusal-answers.ts';
import { channelTextFields } from '../../sales/channel-texts.ts';
import { OPTIONAL_EXTERNAL_ID } from '../../sales/idempotency.ts';
import { quoteIdField, quoteRefusalsAt } from '../../sales/quoted-sale.ts';
import type { SaleDialect } from '../../sales/sale-dialect.ts';

/** The values of `tipoIngresso`. */
export const TICKET_TYPES = [
  'inteira',
  'meia',
  'vip',
  'camarote',
  'pista',
  'arquibancada',
] as const;

const PAYMENT_METHODS: Readonly<Record<string, PaymentMethod>> = {
  credito: 'credit',
  debito: 'debit',
  pix: 'pix',
  boleto: 'boleto',
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
    formaPagamento: Type.Enum(['credito', 'debito', 'pix', 'boleto']),
    tipoIngresso: Type.Enum(TICKET_TYPES),
    numeroIngresso: text(100, { description: 'Identificador do ingresso' }),
    dataEvento: date({ description: 'Data do evento; não anterior ao pagamento' }),
    valorIngresso: money({ description: 'Valor do ingresso em reais' }),
    valorSeguro: money({
      description:
        'Valor do seguro em reais: o prêmio líquido, ou o total com IOF, conforme o produto (pricingBasis net, o padrão, ou gross)',
    }),
    ...quoteIdField,
    externalSaleId: OPTIONAL_EXTERNAL_ID,
    ...channelTextFields,
    acceptance: Type.Optional(acceptanceBody),
  },
  { title: 'IngressoSale', description: 'Venda já paga ao parceiro' },
);

export const ingressoDialect: SaleDialect<typeof ingressoBody> = {
  schema: ingressoBody,
  draft: ({ quoteId, productId, dataPagamento, dataEvento, dataNascimento, ...amounts }) => ({
    quoteId,
    product: productId === undefined ? undefined : { id: productId },
    insured: { birthDate: dataNascimento as CalendarDate | undefined },
    insuredAmount: readOptionalCents(amounts.valorIngresso),
    declaredPrice: readOptionalCents(amounts.valorSeguro),
    eventOn: dataEvento as CalendarDate | undefined,
    payment: { collectedBy: 'channel', paidOn: dataPagamento as CalendarDate | undefined },
  }),
  fieldsOfParts: () => ({
    insuredAmount: ['valorIngresso'],
    declaredPrice: ['valorSeguro'],
    eventOn: ['dataEvento'],
    paidOn: ['dataPagamento'],
  }),
  ownFaults: () => ({}),
  request: (body) => ({
    quoteId: body.quoteId,
    product: { id: body.productId },
    insured: {
      name: body.nomeCompleto,
      ...readSocialName(body),
      taxId: readTaxId(body.cpfCnpj),
      birthDate: readDate(body.dataNascimento),
      email: readEmail(body.email),
      phone: readPhone(body.telefone),
      address: {
        street: body.logradouro,
        district: body.bairro,
        city: body.cidade,
        state: body.uf as Uf,
        postcode: readPostcode(body.cep),
      },
    },
    insuredObject: {
      ticketType: body.tipoIngresso,
      ticketNumber: body.numeroIngresso,
      eventDate: body.dataEvento,
    },
    insuredAmount: readCents(body.valorIngresso),
    declaredPrice: readCents(body.valorSeguro),
    eventOn: readDate(body.dataEvento),
    payment: {
      collectedBy: 'channel',
      method: PAYMENT_METHODS[body.formaPagamento] as PaymentMethod,
      paidOn: readDate(body.dataPagamento),
    },
  }),
  fieldOf: {
    ...showRefusalsAt('productId'),
    channel_inactive: 'channelLink',
    channel_not_own: 'channelLink',
    iof_rate_missing: 'dataPagamento',
    premium_not_declared: 'valorSeguro',
    premium_not_positive: 'valorSeguro',
    amount_too_large: 'valorSeguro',
    insured_amount_missing: 'valorIngresso',
    sold_in_future: 'dataPagamento',
    sold_long_ago: 'dataPagamento',
    paid_in_future: 'dataPagamento',
    event_before_payment: 'dataEvento',
    born_in_future: 'dataNascimento',
    period_not_declared: 'dataEvento',
    period_reversed: 'dataEvento',
    ...quoteRefusalsAt({
      product: 'productId',
      insuredAmount: 'valorIngresso',
      declaredPrice: 'valorSeguro',
      eventOn: 'dataEvento',
      paidOn: 'dataPagamento',
    }),
  },
};
