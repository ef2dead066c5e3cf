import Type from 'typebox';
import { acceptanceBody } from '../../kit/contract/acceptance.ts';
import {
  channelLink,
  date,
  email,
  PERSONAL,
  phone,
  returnUrl,
  taxId,
  text,
} from '../../kit/contract/formats.ts';
import { additionalInsuredBody, socialNameFields } from '../../kit/contract/people.ts';
import { channelTextFields } from './channel-texts.ts';
import { OPTIONAL_EXTERNAL_ID } from './idempotency.ts';
import { quoteIdField, referenceBody } from './sale-fields.ts';

/** The fields that all sales collected by the service share. */
export const collectedFields = {
  ...quoteIdField,
  productId: Type.Integer({ minimum: 1, description: 'Id do produto (ou de um de seus planos)' }),
  channelLink: channelLink({ description: 'Identificador do canal de venda' }),
  nameOrRazao: text(200, {
    minLength: 3,
    description: 'Nome completo ou razão social do segurado',
    ...PERSONAL,
  }),
  ...socialNameFields,
  cpfOrCnpj: taxId({ description: 'CPF ou CNPJ, sem pontuação' }),
  email: email(),
  phone: phone({ description: 'Telefone do segurado; aceita código do país e pontuação' }),
  artisticName: Type.Optional(text(200, PERSONAL)),
  musicalGenre: Type.Optional(text(100)),
  plan: Type.Optional(referenceBody('Plano; ausente, o padrão do produto')),
  insurance: Type.Optional(
    Type.Array(referenceBody('Cobertura adicional'), {
      maxItems: 50,
      description: 'Coberturas adicionais',
    }),
  ),
  additionalInsured: Type.Optional(Type.Array(additionalInsuredBody, { maxItems: 50 })),
  saleDate: Type.Optional(
    date({ description: 'Data da venda; ausente, hoje; não pode ser futura' }),
  ),
  externalSaleId: OPTIONAL_EXTERNAL_ID,
  ...channelTextFields,
  return_url: Type.Optional(returnUrl()),
  acceptance: Type.Optional(acceptanceBody),
};

/** The place of each part in the bodies of these sales. */
export const COLLECTED_FIELDS = {
  product: ['productId'],
  plan: ['plan.'],
  coverages: ['insurance.'],
  name: ['nameOrRazao'],
  taxId: ['cpfOrCnpj'],
  birthDate: ['birthDate'],
  email: ['email'],
  phone: ['phone'],
  address: ['address'],
  soldOn: ['saleDate'],
} as const;
