import Type, { type TProperties, type TSchema, type TSchemaOptions } from 'typebox';
import {
  type Cents,
  centsFromNumber,
  type Rate,
  rateFromPercent,
  type Shape,
  toPercent,
  toReais,
} from '#domain';
import { closedObject, percentage, text } from './formats.ts';

export type Body = Readonly<Record<string, unknown>>;

/** What bodies add to the reader of a field, or do otherwise. */
interface About {
  readonly title?: string;
  readonly maxItems?: number;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The name in bodies. Default: that of the domain. */
  readonly name?: string;
  /** The schema of bodies. Default: what the reader accepts. */
  readonly schema?: TSchema;
  /** Whether the path of the request names it, so that bodies may leave it out. */
  readonly isInPath?: true;
  /** The meaning of an absent field, in the units of bodies, from its object and the whole body. */
  readonly fallback?: (object: Body, body: Body) => unknown;
  /** The value that the domain expresses by leaving the field out. */
  readonly implied?: string;
  /** Another field that bodies may have in its place, if the value has a short form. */
  readonly short?: {
    readonly name: string;
    readonly schema: TSchema;
    readonly expand: (short: unknown, body: Body) => unknown;
    readonly shorten: (value: readonly Body[]) => unknown;
  };
  /** The names of a choice's values in bodies. */
  readonly names?: Readonly<Record<string, string>>;
}

interface AboutAll extends About {
  readonly item?: string | AboutAll;
  readonly fields?: Readonly<Record<string, string | AboutAll>>;
}

/** A description, or all that bodies add. The compiler asks for each field of an object. */
export type AboutOf<Value> = string | (About & Inside<Value>);

type Inside<Value> = [Value] extends [string | number | boolean]
  ? unknown
  : [Value] extends [readonly (infer Item)[]]
    ? { readonly item: AboutOf<Item> }
    : string extends keyof Value
      ? unknown
      : { readonly fields: { readonly [Name in NamesOf<Value>]: AboutOf<FieldAt<Value, Name>> } };
type NamesOf<Value> = Value extends unknown ? keyof Value : never;
type FieldAt<Value, Name> = Value extends { readonly [Each in Name & PropertyKey]?: infer Field }
  ? Exclude<Field, undefined>
  : never;

/** A field of the domain and of bodies. */
export interface Field extends Omit<Shape, 'item' | 'fields'>, About {
  readonly name: string;
  readonly item?: Field;
  /** The fields by their names in the domain, in the order of the schema. */
  readonly fields?: ReadonlyMap<string, Field>;
}

/** Joins what a reader accepts and what bodies add. */
export const fieldOf = (shape: Shape, about: string | AboutAll = {}, name = ''): Field => {
  const { item, fields, ...own } = typeof about === 'string' ? { description: about } : about;
  const { item: itemShape, fields: shapes, ...accepted } = shape;
  const inner = Object.keys(fields ?? shapes ?? {}).map(
    (each) => [each, fieldOf(shapes?.[each] as Shape, fields?.[each], each)] as const,
  );
  return {
    name,
    ...accepted,
    ...own,
    ...(itemShape && { item: fieldOf(itemShape, item) }),
    ...(shapes && { fields: new Map(inner) }),
  };
};

const optionsOf = ({ title, maxItems, description, examples }: Field): TSchemaOptions =>
  Object.fromEntries(
    Object.entries({ title, maxItems, description, examples }).filter(([, each]) => each),
  );

export const amountFromZero = (options: TSchemaOptions): TSchema =>
  Type.Number({ format: 'money', minimum: 0, examples: [29.9], ...options });

type Described = Required<Pick<Field, 'least' | 'most' | 'values' | 'item'>> & Field;

const SCHEMAS: Readonly<
  Record<Shape['type'], (field: Described, options: TSchemaOptions) => TSchema>
> = {
  text: ({ most }, options) => text(most, options),
  whole: ({ least, most }, options) => Type.Integer({ minimum: least, maximum: most, ...options }),
  cents: ({ least }, options) =>
    least > 0
      ? Type.Number({ format: 'money', exclusiveMinimum: 0, ...options })
      : amountFromZero(options),
  ppm: (_, options) => percentage(options),
  flag: (_, options) => Type.Boolean(options),
  choice: ({ values, names }, options) =>
    Type.Enum(names ? Object.values<string>(names) : values, options),
  json: (_, options) => Type.Unsafe({ type: 'object', ...options }),
  list: ({ item, least }, options) =>
    Type.Array(schemaOf(item), { ...(least && { minItems: least }), ...options }),
  object: (field, options) => closedObject(propertiesOf(field), options),
};

const schemaOf = (field: Field): TSchema =>
  field.schema ?? SCHEMAS[field.type](field as Described, optionsOf(field));

/** The properties of an object, as bodies have them. */
export const propertiesOf = ({ fields = new Map(), required = [] }: Field): TProperties => {
  const properties: Record<string, TSchema> = {};
  for (const [domainName, field] of fields) {
    const { name, short, isInPath, fallback } = field;
    if (short) properties[short.name] = Type.Optional(short.schema);
    const isOptional = isInPath ?? short ?? fallback ?? !required.includes(domainName);
    properties[name] = isOptional ? Type.Optional(schemaOf(field)) : schemaOf(field);
  }
  return properties;
};

// Translates products and channels between the administrator's body (reais, percent, `products` of
// a channel) and the domain's definition (cents, ppm, `grants`). A body may still have faults:
// unknown fields and values of a wrong type stay as they are, so that the domain's reader reports
// them.

type Unit = (value: number, type: Shape['type']) => number;

/** A number that is not an amount or rate becomes NaN, and the domain's reader reports it. */
const toDomainUnit: Unit = (value, type) => {
  if (type === 'cents') return centsFromNumber(value) ?? Number.NaN;
  return type === 'ppm' ? (rateFromPercent(value) ?? Number.NaN) : value;
};

const toWireUnit: Unit = (value, type) => {
  if (type === 'cents') return toReais(value as Cents);
  return type === 'ppm' ? toPercent(value as Rate) : value;
};

const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toDomain = (sent: unknown, field: Field, body: Body): unknown => {
  const { type, names, item, fields } = field;
  if (names) return Object.keys(names).find((each) => names[each] === sent) ?? sent;
  if (typeof sent === 'number') return toDomainUnit(sent, type);
  if (Array.isArray(sent)) return item ? sent.map((each) => toDomain(each, item, body)) : sent;
  if (fields === undefined || !isBody(sent)) return sent;

  // A body may have a field `constructor`, which every object inherits.
  const left = new Map(Object.entries(sent));
  const known: Record<string, unknown> = {};
  for (const [domainName, each] of fields) {
    const taken = takeValue(left, each, body);
    const value = taken === undefined ? each.fallback?.(sent, body) : taken;
    if (value !== undefined && value !== each.implied)
      known[domainName] = toDomain(value, each, body);
  }
  return { ...Object.fromEntries(left), ...known };
};

/** Takes the value of a field. With both forms of it, the short one is left as unknown. */
const takeValue = (left: Map<string, unknown>, { name, short }: Field, body: Body): unknown => {
  const taken = short === undefined || left.has(name) ? name : short.name;
  const value = left.get(taken);
  left.delete(taken);
  return short?.name === taken && value !== undefined ? short.expand(value, body) : value;
};

export const toWire = (value: unknown, field: Field): unknown => {
  const { type, names, item, fields } = field;
  if (names) return names[value as string];
  if (typeof value === 'number') return toWireUnit(value, type);
  if (Array.isArray(value)) return value.map((each) => toWire(each, item as Field));
  if (fields === undefined) return value;

  const shown: Record<string, unknown> = {};
  for (const { name, implied } of fields.values()) if (implied !== undefined) shown[name] = implied;
  for (const [domainName, each] of Object.entries(value as Body)) {
    const inner = fields.get(domainName) ?? { name: domainName, type: 'json' };
    const long = toWire(each, inner);
    const short = inner.short?.shorten(long as readonly Body[]);
    if (short === undefined) shown[inner.name] = long;
    else shown[inner.short?.name as string] = short;
  }
  return shown;
};

export interface Place {
  /** The path in the body. */
  readonly path: string;
  readonly field: Field | undefined;
}

/** Finds the field at a path of the domain's definition, and its place in the body that was sent. */
export const findPlace = (path: string, root: Field, body: unknown): Place => {
  let field: Field | undefined = root;
  let sent = body;
  let short: string | undefined;
  const names: string[] = [];
  for (const part of path.split('.')) {
    const inner: Field | undefined = /^\d+$/.test(part) ? field?.item : field?.fields?.get(part);
    const name = inner?.name || part;
    const isSent = isBody(sent) && sent[name] !== undefined;
    if (!short && !isSent && inner?.short) short = [...names, inner.short.name].join('.');
    names.push(name);
    sent = Array.isArray(sent) ? sent[Number(part)] : isBody(sent) ? sent[name] : undefined;
    field = inner;
  }
  return { path: short ?? names.join('.'), field };
};
