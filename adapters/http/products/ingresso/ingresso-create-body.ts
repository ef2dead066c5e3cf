import Type from 'typebox';
import type { PaymentMethod, Uf } from '#domain';
import { given } from '../../../../application/sales/sale-request.ts';
import { acceptanceBody } from '../../contract/acceptance.ts';
import { readOptionalDate, readPostcode } from '../../contract/domain-values.ts';
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
import { socialNameFields } from '../../contract/people.ts';
import { channelTextFields } from '../../sales/channel-texts.ts';
import { OPTIONAL_EXTERNAL_ID } from '../../sales/idempotency.ts';
import { quoteIdField } from '../../sales/quoted-sale.ts';
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

const PAYMENT_METHODS = {
  credito: 'credit',
  debito: 'debit',
  pix: 'pix',
  boleto: 'boleto',
} as const satisfies Record<string, PaymentMethod>;

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
