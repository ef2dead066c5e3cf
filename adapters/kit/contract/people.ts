import Type, { type Static } from 'typebox';
import {
  type AdditionalInsured,
  type Address,
  type CalendarDate,
  parseMunicipalityCode,
  refuse,
  type Uf,
} from '#domain';
import { readDate, readEmail, readPhone, readPostcode, readTaxId } from './domain-values.ts';
import { type FieldFaults, faultAt } from './field-faults.ts';
import {
  date,
  email,
  formatted,
  PERSONAL,
  phone,
  postcode,
  state,
  taxId,
  text,
} from './formats.ts';
import { namedObject } from './named-object.ts';
import { sentenceOf } from './refusal-answers.ts';

const socialName = () =>
  text(200, { ...PERSONAL, title: 'SocialName', description: 'Nome social do segurado' });

/** The social name, under each name by which partners know the field. */
export const socialNameFields = {
  nomeSocial: Type.Optional(socialName()),
  socialName: Type.Optional(socialName()),
  nome_social: Type.Optional(socialName()),
};

type SocialNames = Partial<Record<keyof typeof socialNameFields, string>>;

export const readSocialName = ({
  nomeSocial,
  socialName: second,
  nome_social: third,
}: SocialNames): { readonly socialName?: string } => {
  const name = nomeSocial ?? second ?? third;
  return name === undefined ? {} : { socialName: name };
};

export const addressBody = namedObject('Address', {
  street: text(200, PERSONAL),
  number: text(20, PERSONAL),
  complement: Type.Optional(text(100, PERSONAL)),
  district: text(100, PERSONAL),
  city: text(100, PERSONAL),
  state: state(PERSONAL),
  postcode: postcode(),
  ibgeCode: formatted('municipality', {
    examples: ['3550308'],
    description: 'Código IBGE do município, do estado informado',
  }),
});

export const additionalInsuredBody = namedObject('AdditionalInsured', {
  name: text(200, PERSONAL),
  cpfOrCnpj: taxId(),
  birthDate: date(PERSONAL),
  email: Type.Optional(email()),
  phone: Type.Optional(phone()),
});

type AddressBody = Omit<Static<typeof addressBody>, 'ibgeCode'> & {
  readonly ibgeCode?: string | undefined;
};

export const readAddress = ({ ibgeCode: code, ...body }: AddressBody): Address => {
  const ibgeCode = code === undefined ? undefined : parseMunicipalityCode(code, body.state as Uf);
  return {
    ...body,
    state: body.state as Uf,
    postcode: readPostcode(body.postcode),
    ...(ibgeCode && { ibgeCode }),
  };
};

export const readAdditionalInsured = (
  body: Static<typeof additionalInsuredBody>,
): AdditionalInsured => ({
  name: body.name,
  taxId: readTaxId(body.cpfOrCnpj),
  birthDate: readDate(body.birthDate),
  ...(body.email !== undefined && { email: readEmail(body.email) }),
  ...(body.phone !== undefined && { phone: readPhone(body.phone) }),
});

/** The code of a municipality must belong to the state of the address. */
export const findAddressFaults = (
  address: Partial<AddressBody> | undefined,
  field = 'address',
): FieldFaults =>
  address?.ibgeCode === undefined ||
  address.state === undefined ||
  parseMunicipalityCode(address.ibgeCode, address.state as Uf) !== undefined
    ? {}
    : faultAt(
        `${field}.ibgeCode`,
        'contradicts',
        `O campo ${field}.ibgeCode deve ser o código IBGE de um município do estado informado.`,
      );

/** A date of birth must be before today. */
export const findBirthFaults = (
  people: readonly { readonly birthDate?: string }[] | undefined,
  today: CalendarDate,
): FieldFaults =>
  Object.assign(
    {},
    ...(people ?? []).map(({ birthDate }, index) =>
      birthDate === undefined || birthDate < today
        ? {}
        : bornInFutureAt(`additionalInsured.${index}.birthDate`),
    ),
  );

/** The fault of a date of birth that has not come yet. */
export const bornInFutureAt = (field: string): FieldFaults =>
  faultAt(field, 'in_the_future', sentenceOf(refuse('born_in_future')));
