import Type, { type Static } from 'typebox';
import {
  type AdditionalInsured,
  type Address,
  type CalendarDate,
  parseMunicipalityCode,
  type State,
} from '#domain';
import type { Faults } from './answer-error.ts';
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
import { dateFrom, emailFrom, phoneFrom, postcodeFrom, taxIdFrom } from './domain-values.ts';

export const addressBody = Type.Object({
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

export const additionalInsuredBody = Type.Object({
  name: text(200, PERSONAL),
  cpfOrCnpj: taxId(),
  birthDate: date(PERSONAL),
  email: Type.Optional(email()),
  phone: Type.Optional(phone()),
});

type AddressBody = Omit<Static<typeof addressBody>, 'ibgeCode'> & {
  readonly ibgeCode?: string | undefined;
};

export const addressFrom = ({ ibgeCode: code, ...body }: AddressBody): Address => {
  const ibgeCode =
    code === undefined ? undefined : parseMunicipalityCode(code, body.state as State);
  return {
    ...body,
    state: body.state as State,
    postcode: postcodeFrom(body.postcode),
    ...(ibgeCode && { ibgeCode }),
  };
};

export const additionalInsuredFrom = (
  body: Static<typeof additionalInsuredBody>,
): AdditionalInsured => ({
  name: body.name,
  taxId: taxIdFrom(body.cpfOrCnpj),
  birthDate: dateFrom(body.birthDate),
  ...(body.email !== undefined && { email: emailFrom(body.email) }),
  ...(body.phone !== undefined && { phone: phoneFrom(body.phone) }),
});

/** A municipality's code must be one of its state. */
export const addressFaults = (
  address: Partial<AddressBody> | undefined,
  field = 'address',
): Faults =>
  address?.ibgeCode === undefined ||
  address.state === undefined ||
  parseMunicipalityCode(address.ibgeCode, address.state as State) !== undefined
    ? {}
    : {
        [`${field}.ibgeCode`]: [
          `O campo ${field}.ibgeCode deve ser o código IBGE de um município do estado informado.`,
        ],
      };

/** Nobody is born today or later. */
export const birthFaults = (
  people: readonly { readonly birthDate?: string }[] | undefined,
  today: CalendarDate,
): Faults =>
  Object.fromEntries(
    (people ?? []).flatMap(({ birthDate }, index) =>
      birthDate === undefined || birthDate < today
        ? []
        : [
            [
              `additionalInsured.${index}.birthDate`,
              ['A data de nascimento deve estar no passado.'],
            ] as const,
          ],
    ),
  );
