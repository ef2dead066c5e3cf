import {
  type Cents,
  type Channel,
  centsFromNumber,
  type Product,
  type Rate,
  rateFromPercent,
  type Shape,
  toPercent,
  toReais,
} from '#domain';
import type { Body, Field } from './catalogue-fields.ts';
import { CHANNEL, PRODUCT } from './catalogue-shapes.ts';

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

const toDomain = (sent: unknown, field: Field, body: Body): unknown => {
  const { type, names, item, fields } = field;
  if (names) return Object.keys(names).find((each) => names[each] === sent) ?? sent;
  if (typeof sent === 'number') return toDomainUnit(sent, type);
  if (Array.isArray(sent)) return item ? sent.map((each) => toDomain(each, item, body)) : sent;
  if (fields === undefined || !isBody(sent)) return sent;

  // A body may have a field `constructor`, which every object inherits.
  const left = new Map(Object.entries(sent));
  const known: Record<string, unknown> = {};
  for (const [domainName, each] of fields) {
    const taken = takeValue(left, each);
    const value = taken === undefined ? each.fallback?.(sent, body) : taken;
    if (value !== undefined && value !== each.implied)
      known[domainName] = toDomain(value, each, body);
  }
  return { ...Object.fromEntries(left), ...known };
};

/** Takes the value of a field. With both forms of it, the short one is left as unknown. */
const takeValue = (left: Map<string, unknown>, { name, short }: Field): unknown => {
  const taken = short === undefined || left.has(name) ? name : short.name;
  const value = left.get(taken);
  left.delete(taken);
  return short?.name === taken && value !== undefined ? short.expand(value) : value;
};

const toWire = (value: unknown, field: Field): unknown => {
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

const readBodyOf =
  (key: string, field: Field) =>
  (name: string, { version: _, updated_at: __, ...body }: Body): unknown =>
    toDomain({ ...body, [key]: name }, field, body);

export const productFrom = readBodyOf('code', PRODUCT);
export const channelFrom = readBodyOf('channelLink', CHANNEL);

export const productTo = (product: Product): object => toWire(product, PRODUCT) as object;

/** The longest field comes last. */
export const channelTo = (channel: Channel): object => {
  const { role, products, ...rest } = toWire(channel, CHANNEL) as Body;
  return { ...rest, ...(role !== undefined && { role }), products };
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
