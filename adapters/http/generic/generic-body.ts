import Type, { type Static } from 'typebox';
import type { JsonObject } from '#domain';
import { acceptanceBody } from '../../kit/contract/acceptance.ts';
import { PAYMENT_METHOD_NAMES } from '../../kit/contract/domain-values.ts';
import {
  ATTRIBUTES,
  channelLink,
  closedObject,
  date,
  email,
  formatted,
  money,
  PERSONAL,
  phone,
  returnUrl,
  text,
} from '../../kit/contract/formats.ts';
import { closedNamedObject } from '../../kit/contract/named-object.ts';
import { additionalInsuredBody, addressBody, socialNameFields } from '../../kit/contract/people.ts';
import { channelTextFields } from '../sales/channel-texts.ts';
import { externalSaleIdField } from '../sales/idempotency.ts';
import { quoteIdField, referenceBody } from '../sales/sale-fields.ts';

const anyTaxId = () =>
  formatted('tax-id', {
    ...PERSONAL,
    maxLength: 18,
    examples: ['52998224725', '12ABC34501DE35'],
    description: 'CPF ou CNPJ, também o alfanumérico; com ou sem pontuação',
  });

export const reference = (description: string) =>
  referenceBody(description, { title: 'SaleReference', additionalProperties: false });

export const optionalAmount = (description: string) => Type.Optional(money({ description }));

const { ibgeCode, ...addressProperties } = addressBody.properties;

export const saleBody = closedNamedObject('ImportedSale', {
  externalSaleId: externalSaleIdField(
    'O nome da venda no canal: repetida, responde o mesmo; com outro conteúdo, 409',
  ),
  ...channelTextFields,
  ...quoteIdField,
  product: reference('Produto'),
  plan: Type.Optional(reference('Plano; ausente, o padrão do produto')),
  coverages: Type.Optional(Type.Array(reference('Cobertura adicional'), { maxItems: 50 })),
  channelLink: Type.Optional(channelLink({ description: 'Se enviado, o do próprio cliente' })),
  saleDate: Type.Optional(
    date({ description: 'Data da venda; ausente, hoje; não pode ser futura' }),
  ),
  insured: closedNamedObject('Insured', {
    name: text(200, { description: 'Nome completo ou razão social', ...PERSONAL }),
    cpfOrCnpj: anyTaxId(),
    email: email(),
    phone: Type.Optional(phone()),
    birthDate: Type.Optional(date(PERSONAL)),
    ...socialNameFields,
    address: Type.Optional(
      closedNamedObject('SaleAddress', {
        ...addressProperties,
        ibgeCode: Type.Optional(ibgeCode),
      }),
    ),
  }),
  additionalInsured: Type.Optional(
    Type.Array(
      closedNamedObject('SaleAdditionalInsured', {
        ...additionalInsuredBody.properties,
        cpfOrCnpj: anyTaxId(),
      }),
      { maxItems: 50 },
    ),
  ),
  coverage: Type.Optional(
    closedObject(
      { startDate: date(), endDate: date() },
      {
        title: 'DeclaredPeriod',
        description: 'A vigência, onde o plano não a calcula (dias inclusos)',
      },
    ),
  ),
  amounts: Type.Optional(
    closedObject(
      {
        insuredAmount: optionalAmount('Valor segurado'),
        netPremium: optionalAmount('Prêmio líquido'),
        iof: Type.Optional(Type.Number({ format: 'money', minimum: 0 })),
        total: optionalAmount('Prêmio mais IOF'),
      },
      {
        title: 'DeclaredAmounts',
        description:
          'Em reais. O prêmio declarado é o preço onde o plano não tem tarifa; se não, é conferido (1 centavo)',
      },
    ),
  ),
  payment: closedNamedObject('SalePayment', {
    status: Type.Enum(['paid', 'pending'], {
      description: 'paid: já pago ao canal; pending: a pagar em payment_url',
    }),
    method: Type.Enum(PAYMENT_METHOD_NAMES),
    paidAt: Type.Optional(
      formatted('date-or-time', {
        description: 'Quando foi pago; ausente, em saleDate',
        examples: ['2026-11-20'],
      }),
    ),
    installments: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  }),
  return_url: Type.Optional(returnUrl()),
  acceptance: Type.Optional({
    ...acceptanceBody,
    title: 'SaleAcceptance',
    additionalProperties: false,
  }),
  attributes: Type.Optional(
    Type.Unsafe<JsonObject>({
      type: 'object',
      description: 'Dados próprios do produto, conforme o esquema no catálogo',
      ...ATTRIBUTES,
    }),
  ),
});

export type SaleBody = Static<typeof saleBody>;
