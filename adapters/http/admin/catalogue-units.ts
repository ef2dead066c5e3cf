import {
  type Cents,
  type Channel,
  type Coverage,
  centsFromNumber,
  type IncludedCoverage,
  type Insurer,
  type JsonObject,
  type Plan,
  type Product,
  type Rate,
  rateFromPercent,
  type Tariff,
  toPercent,
  toReais,
} from '#domain';

/** `cents`: reais on the wire. `ppm`: percent on the wire. `same`: no conversion. */
type Unit = 'cents' | 'ppm' | 'same';

/** What the table of a shape must hold for a field of this type. */
type UnitOf<Field> = [Field] extends [Cents]
  ? 'cents'
  : [Field] extends [Rate]
    ? 'ppm'
    : [Field] extends [string | number | boolean]
      ? 'same'
      : [JsonObject] extends [Field]
        ? 'same'
        : [Field] extends [readonly (infer Item)[]]
          ? readonly [UnitOf<Item>]
          : UnitTable<Field>;

type FieldNames<Shape> = Shape extends unknown ? keyof Shape : never;
type FieldType<Shape, Name> = Shape extends unknown
  ? Name extends keyof Shape
    ? NonNullable<Shape[Name]>
    : never
  : never;

/**
 * The unit of each field of a domain type, nested shapes and lists included. The compiler refuses a
 * table that lacks a field of the type, or that gives an amount or a rate another unit.
 */
export type UnitTable<Shape> = {
  readonly [Name in FieldNames<Shape>]-?: UnitOf<FieldType<Shape, Name>>;
};

const TARIFF: UnitTable<Tariff> = { kind: 'same', amount: 'cents', rate: 'ppm', minimum: 'cents' };

const INCLUDED: UnitTable<IncludedCoverage> = {
  name: 'same',
  limit: 'cents',
  premiumShare: 'ppm',
  description: 'same',
  notCovered: ['same'],
};

const PLAN: UnitTable<Plan> = {
  id: 'same',
  code: 'same',
  name: 'same',
  tariff: TARIFF,
  period: { kind: 'same', months: 'same' },
  maxInstallments: 'same',
  covers: 'same',
  limit: 'cents',
  includes: [INCLUDED],
  deductible: TARIFF,
  waitingDays: 'same',
  exclusions: ['same'],
  claimDocuments: ['same'],
  claimContact: 'same',
};

const COVERAGE: UnitTable<Coverage> = {
  id: 'same',
  code: 'same',
  name: 'same',
  tariff: TARIFF,
  premiumShare: 'ppm',
  limit: 'cents',
  description: 'same',
  notCovered: ['same'],
};

const INSURER: UnitTable<Insurer> = {
  name: 'same',
  cnpj: 'same',
  susepCode: 'same',
  customerService: 'same',
  ombudsman: 'same',
};

export const PRODUCT_UNITS: UnitTable<Product> = {
  id: 'same',
  code: 'same',
  name: 'same',
  line: 'same',
  pricingBasis: 'same',
  rounding: 'same',
  iofClass: 'same',
  collectedBy: 'same',
  commissionCap: 'ppm',
  cancellation: { kind: 'same', iof: 'same' },
  registration: {
    susepProcess: 'same',
    branchCode: 'same',
    branchName: 'same',
    insurer: INSURER,
  },
  attributes: 'same',
  plans: [PLAN],
  coverages: [COVERAGE],
  certificateMail: 'same',
};

export const CHANNEL_UNITS: UnitTable<Channel> = {
  channelLink: 'same',
  name: 'same',
  cnpj: 'same',
  role: 'same',
  active: 'same',
  returnOrigins: ['same'],
  grants: [
    {
      productCode: 'same',
      commissions: [{ kind: 'same', rate: 'ppm' }],
      plans: [{ planCode: 'same', commissions: [{ kind: 'same', rate: 'ppm' }] }],
    },
  ],
};

type Converters = Readonly<Record<Unit, (value: number) => number>>;

/** A number that is not an amount or rate becomes NaN, and the domain's reader reports it. */
const TO_DOMAIN: Converters = {
  cents: (value) => centsFromNumber(value) ?? Number.NaN,
  ppm: (value) => rateFromPercent(value) ?? Number.NaN,
  same: (value) => value,
};

const TO_WIRE: Converters = {
  cents: (value) => toReais(value as Cents),
  ppm: (value) => toPercent(value as Rate),
  same: (value) => value,
};

/** Reais and percent to cents and ppm. Unknown fields and values of a wrong type stay as they are. */
export const toDomainUnits = <Shape>(value: unknown, units: UnitTable<Shape>): unknown =>
  convert(value, units, TO_DOMAIN);

/** Cents and ppm to reais and percent. */
export const toWireUnits = <Shape extends object>(value: Shape, units: UnitTable<Shape>): object =>
  convert(value, units, TO_WIRE) as object;

type FieldUnits = { readonly [name: string]: Units };
type Units = Unit | readonly [Units] | FieldUnits;

const isListTable = (units: Units): units is readonly [Units] => Array.isArray(units);

const convert = (value: unknown, units: unknown, converters: Converters): unknown => {
  const known = units as Units;
  if (typeof known === 'string')
    return typeof value === 'number' ? converters[known](value) : value;
  if (isListTable(known))
    return Array.isArray(value) ? value.map((item) => convert(item, known[0], converters)) : value;
  return convertFields(value, known as FieldUnits, converters);
};

const convertFields = (value: unknown, units: FieldUnits, converters: Converters): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      // The body may have a field `constructor`, which every object inherits.
      Object.hasOwn(units, name) ? convert(field, units[name], converters) : field,
    ]),
  );
};
