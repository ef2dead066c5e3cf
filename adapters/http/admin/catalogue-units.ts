import {
  type Cents,
  centsFromNumber,
  type Rate,
  rateFromPercent,
  type Shape,
  toPercent,
  toReais,
} from '#domain';

type Converters = Readonly<Record<NonNullable<Shape['unit']>, (value: number) => number>>;

/** A number that is not an amount or rate becomes NaN, and the domain's reader reports it. */
const TO_DOMAIN: Converters = {
  cents: (value) => centsFromNumber(value) ?? Number.NaN,
  ppm: (value) => rateFromPercent(value) ?? Number.NaN,
};

const TO_WIRE: Converters = {
  cents: (value) => toReais(value as Cents),
  ppm: (value) => toPercent(value as Rate),
};

/** Reais and percent to cents and ppm. Unknown fields and values of a wrong type stay as they are. */
export const toDomainUnits = (value: unknown, shape: Shape): unknown =>
  convert(value, shape, TO_DOMAIN);

/** Cents and ppm to reais and percent. */
export const toWireUnits = (value: object, shape: Shape): object =>
  convert(value, shape, TO_WIRE) as object;

const convert = (value: unknown, shape: Shape | undefined, converters: Converters): unknown => {
  if (shape === undefined) return value;
  const { unit, item, fields } = shape;
  if (unit !== undefined) return typeof value === 'number' ? converters[unit](value) : value;
  if (Array.isArray(value)) return value.map((each) => convert(each, item, converters));
  if (fields === undefined || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      // The body may have a field `constructor`, which every object inherits.
      Object.hasOwn(fields, name) ? convert(field, fields[name], converters) : field,
    ]),
  );
};
