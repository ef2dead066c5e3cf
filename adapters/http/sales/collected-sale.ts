import Type, { type Static } from 'typebox';
import type { CalendarDate, Insured } from '#domain';
import { acceptanceBody } from '../contract/acceptance.ts';
import {
  readDate,
  readEmail,
  readOptionalDate,
  readPhone,
  readTaxId,
} from '../contract/domain-values.ts';
import type { FieldFaults } from '../contract/field-faults.ts';
import {
  channelLink,
  date,
  email,
  PERSONAL,
  phone,
  returnUrl,
  taxId,
  text,
} from '../contract/formats.ts';
import {
  additionalInsuredBody,
  type addressBody,
  findAddressFaults,
  findBirthFaults,
  readAdditionalInsured,
  readSocialName,
  socialNameFields,
} from '../contract/people.ts';
import { showRefusalsAt } from '../contract/refusal-answers.ts';
import { channelTextFields } from './channel-texts.ts';
import { OPTIONAL_EXTERNAL_ID } from './idempotency.ts';
import { quoteIdField, quoteRefusalsAt } from './quoted-sale.ts';
import { findReferenceFaults, isReference, listReferences, referenceBody } from './references.ts';

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

const collected = Type.Object(collectedFields);

type Collected = Static<typeof collected> & { readonly birthDate?: string };

/** What is wanted, and since when. */
const readWanted = ({ quoteId, plan, insurance = [], saleDate }: Partial<Collected>) => ({
  quoteId,
  plan: isReference(plan) ? plan : undefined,
  // Without all of them, the positions of the others would be wrong.
  coverages: insurance.every(isReference) ? insurance : undefined,
  soldOn: readOptionalDate(saleDate),
});

export const toCollectedDraft = (sound: Partial<Collected>) => ({
  ...readWanted(sound),
  product: sound.productId === undefined ? undefined : { id: sound.productId },
  insured: { birthDate: readOptionalDate(sound.birthDate) },
});

export const COLLECTED_FIELDS_OF_PARTS = {
  plan: ['plan.'],
  coverages: ['insurance.'],
  soldOn: ['saleDate'],
} as const;

/** The faults of references without id and code, and those of the people in a body. */
export const findCollectedFaults = (
  sound: Partial<Collected> & { readonly address?: Partial<Static<typeof addressBody>> },
  faults: FieldFaults,
  today: CalendarDate,
): FieldFaults => ({
  ...findReferenceFaults(
    { plan: sound.plan, ...listReferences('insurance', sound.insurance) },
    faults,
  ),
  ...findAddressFaults(sound.address),
  ...findBirthFaults(sound.additionalInsured, today),
});

export const readCollectedInsured = (body: Collected): Insured => ({
  name: body.nameOrRazao,
  ...readSocialName(body),
  taxId: readTaxId(body.cpfOrCnpj),
  email: readEmail(body.email),
  phone: readPhone(body.phone),
  ...(body.birthDate !== undefined && { birthDate: readDate(body.birthDate) }),
});

export const toCollectedRequest = (body: Collected) => ({
  ...readWanted(body),
  product: { id: body.productId },
  additionalInsured: body.additionalInsured?.map(readAdditionalInsured),
});

/** The parts of a quote that all these sales have. */
export const QUOTED_PARTS = {
  product: 'productId',
  plan: 'plan.id',
  coverages: 'insurance',
} as const;

export const collectedRefusals = {
  ...showRefusalsAt('productId'),
  return_url_not_registered: 'return_url',
  channel_inactive: 'channelLink',
  channel_not_own: 'channelLink',
  plan_unknown: (part: string) => `plan.${part}` as const,
  coverage_unknown: (part: string) => `insurance.${part}` as const,
  coverage_repeated: (part: string) => `insurance.${part}` as const,
  iof_rate_missing: 'saleDate',
  sold_in_future: 'saleDate',
  sold_long_ago: 'saleDate',
  born_in_future: 'birthDate',
  period_over: 'saleDate',
  installments_not_offered: 'payment.totalInstallmentNumber',
  installment_below_one_cent: 'payment.totalInstallmentNumber',
  ...quoteRefusalsAt(QUOTED_PARTS),
} as const;
