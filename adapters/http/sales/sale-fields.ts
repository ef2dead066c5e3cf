import Type, { type TSchemaOptions } from 'typebox';
import {
  type AdditionalInsured,
  type CalendarDate,
  type Cents,
  centsFromText,
  type Insured,
  type Json,
  type JsonObject,
  type Reference,
} from '#domain';
import {
  given,
  type SaleDraft,
  type SaleRequest,
} from '../../../application/sales/sale-request.ts';
import { MAX_SEALED_CHARACTERS } from '../../../application/selling/quote-seal.ts';
import {
  readCents,
  readDate,
  readEmail,
  readPhone,
  readTaxId,
} from '../../kit/contract/domain-values.ts';
import type { FieldCode } from '../../kit/contract/error-codes.ts';
import { type Complaint, complain, type FieldFaults } from '../../kit/contract/field-faults.ts';
import { isParagraphs, isText, text } from '../../kit/contract/formats.ts';
import {
  findAddressFaults,
  findBirthFaults,
  readAdditionalInsured,
  readAddress,
  readSocialName,
} from '../../kit/contract/people.ts';
import { COMMON_FIELDS, type SaleFields, type SalePart } from './sale-dialect.ts';

/** A product, plan or coverage of the catalogue, by id, by code, or by both, which must agree. */
export const referenceBody = (description: string, options: TSchemaOptions = {}) =>
  Type.Object(
    { id: Type.Optional(Type.Integer({ minimum: 1 })), code: Type.Optional(text(50)) },
    {
      title: 'CatalogueReference',
      description: `${description}: id, code ou ambos`,
      ...options,
    },
  );

/** The field of a sale's body that names its quote. */
export const quoteIdField = {
  quoteId: Type.Optional(
    text(MAX_SEALED_CHARACTERS, {
      title: 'QuoteId',
      description:
        'O quote_id de uma cotação do canal: a venda tem aquele preço, e o que ela diz deve ser o mesmo',
    }),
  ),
};

export type Body = Readonly<Record<string, unknown>>;

/** Makes a function that returns the value of the field at a path; undefined if a body lacks it. */
const compilePath = (path: string | undefined): ((body: Body) => unknown) => {
  if (path === undefined) return () => undefined;
  const [name = '', ...rest] = path.replace(/\.$/, '').split('.');
  if (rest.length === 0) return (body) => body[name];
  const readInside = compilePath(rest.join('.'));
  return (body) => {
    const inside = body[name];
    return inside === undefined ? undefined : readInside(inside as Body);
  };
};

const readAmount = (sent: unknown): Cents | undefined => {
  if (typeof sent === 'number') return readCents(sent);
  return typeof sent === 'string' ? centsFromText(sent) : undefined;
};

const readDay = (sent: unknown) => (typeof sent === 'string' ? readDate(sent) : undefined);

const isReference = (sent: object | undefined): sent is Reference =>
  sent !== undefined && Object.keys(sent).length > 0;

const readReference = (sent: unknown) => (isReference(sent as object) ? sent : undefined);

/** Names a part by id; by code, in any case; or by a reference. */
const readProduct = (sent: unknown): SaleDraft['product'] => {
  if (typeof sent === 'number') return { id: sent };
  if (typeof sent === 'string') return { code: sent, inAnyCase: true };
  return readReference(sent) as SaleDraft['product'];
};

/** Finds all or none: without one, the positions of the others would be wrong. */
const readReferences = (sent: unknown): SaleDraft['coverages'] =>
  Array.isArray(sent) && sent.every(isReference) ? sent : undefined;

/** What the fields say that are read alike in every body. */
export type ReadDraft = Omit<SaleDraft, 'channelLink' | 'line' | 'unknown' | 'payment'>;

/** Makes the function that reads what a body, or the sound fields of a faulty one, asks for. */
export const compileDraft = (fields: SaleFields): ((sound: Body) => ReadDraft) => {
  const at = (part: SalePart) => compilePath((fields[part] ?? COMMON_FIELDS[part])?.[0]);
  const [quote, product, plan] = [at('quote'), at('product'), at('plan')];
  const [coverages, birthDate] = [at('coverages'), at('birthDate')];
  const [soldOn, eventOn] = [at('soldOn'), at('eventOn')];
  const [insuredAmount, declaredPrice] = [at('insuredAmount'), at('declaredPrice')];
  const [net, iof, total, start, end] = [at('net'), at('iof'), at('total'), at('start'), at('end')];

  const readPeriod = (sound: Body): SaleDraft['declaredPeriod'] => {
    const [first, last] = [readDay(start(sound)), readDay(end(sound))];
    return first === undefined || last === undefined ? undefined : { start: first, end: last };
  };

  return function readDraft(sound) {
    return {
      quoteId: quote(sound) as string | undefined,
      product: readProduct(product(sound)),
      plan: readReference(plan(sound)) as SaleDraft['plan'],
      coverages: readReferences(coverages(sound)),
      insured: { birthDate: readDay(birthDate(sound)) },
      soldOn: readDay(soldOn(sound)),
      eventOn: readDay(eventOn(sound)),
      insuredAmount: readAmount(insuredAmount(sound)),
      declaredPrice: readAmount(declaredPrice(sound)),
      declaredFigures: {
        net: readAmount(net(sound)),
        iof: readAmount(iof(sound)),
        total: readAmount(total(sound)),
      },
      declaredPeriod: readPeriod(sound),
    };
  };
};

/**
 * Makes the function that reads who is insured by a body without faults.
 *
 * @param composeAddress for a body that has no field for the whole of an address
 */
export const compileInsured = (
  fields: SaleFields,
  composeAddress?: (body: never) => Insured['address'],
): ((body: Body) => Pick<SaleRequest, 'insured' | 'additionalInsured'>) => {
  const at = (part: SalePart) => compilePath(fields[part]?.[0]);
  const [name, taxId, email, phone] = [at('name'), at('taxId'), at('email'), at('phone')];
  const [birthDate, address] = [at('birthDate'), at('address')];
  // The social name stands beside the name.
  const [, inside] = /^(.+)\.[^.]+$/.exec(fields.name?.[0] ?? '') ?? [];
  const person = inside === undefined ? (body: Body) => body : compilePath(inside);

  return function readInsured(body) {
    const sent = phone(body);
    const home = address(body) as Parameters<typeof readAddress>[0] | undefined;
    const composed = composeAddress?.(body as never);
    const others = body['additionalInsured'] as
      | Parameters<typeof readAdditionalInsured>[0][]
      | undefined;
    return {
      insured: {
        name: name(body) as string,
        ...readSocialName(person(body) as object),
        taxId: readTaxId(taxId(body) as string),
        email: readEmail(email(body) as string),
        ...given({
          birthDate: readDay(birthDate(body)),
          phone: sent === undefined ? undefined : readPhone(sent as string),
          address: home ? readAddress(home) : composed,
        }),
      } satisfies Insured,
      additionalInsured: others?.map(readAdditionalInsured) satisfies
        | readonly AdditionalInsured[]
        | undefined,
    };
  };
};

type FindFaults = (sound: Body, faults: FieldFaults, today: CalendarDate) => FieldFaults;

/**
 * Makes the function that finds the faults between fields which every body may have: a reference
 * without id and code, a municipality of another state, a person who is not born yet. `faults` are
 * those of single fields.
 */
export const compileCommonFaults = (fields: SaleFields): FindFaults => {
  const references = (['product', 'plan', 'coverages'] as const)
    .flatMap((part) => fields[part]?.[0] ?? [])
    .filter((path) => path.endsWith('.'))
    .map((path) => ({ path: path.slice(0, -1), read: compilePath(path) }));
  const [home] = fields.address ?? [];
  const readHome = compilePath(home);

  return function findCommonFaults(sound, faults, today) {
    const address = readHome(sound) as Parameters<typeof findAddressFaults>[0];
    const people = sound['additionalInsured'] as Parameters<typeof findBirthFaults>[0];
    const unnamed = references.flatMap(({ path, read }) => listUnnamed(path, read(sound), faults));
    return {
      ...(unnamed.length > 0 && Object.fromEntries(unnamed)),
      ...(address && findAddressFaults(address, home)),
      ...(people && findBirthFaults(people, today)),
    };
  };
};

/** Each reference must have an id or a code. */
const listUnnamed = (
  path: string,
  sent: unknown,
  faults: FieldFaults,
): readonly (readonly [field: string, complaints: readonly Complaint[]])[] => {
  if (Array.isArray(sent))
    return sent.flatMap((each, index) => listUnnamed(`${path}.${index}`, each, faults));
  const isFaulty = () => Object.keys(faults).some((each) => each.startsWith(`${path}.`));
  if (sent === undefined || isReference(sent as object) || isFaulty()) return [];
  return [[`${path}.id`, [complain('required', `O campo ${path} deve ter id ou code.`)]]];
};

/** Limits for the attributes of every product, whatever its schema allows. */
export const ATTRIBUTE_LIMITS = { levels: 5, values: 300, textLength: 2_000 };
const MAX_NAME_LENGTH = 100;

const BAD_TEXT = `não pode ser vazio, conter caracteres de controle nem ter mais de ${ATTRIBUTE_LIMITS.textLength} caracteres`;
const BAD_NAME = `tem um nome de campo inválido (vazio, com caracteres de controle ou com mais de ${MAX_NAME_LENGTH} caracteres)`;

/** Faults that attributes must not have, whatever the product's schema allows. */
export const findAttributeFaults = (attributes: JsonObject | undefined): FieldFaults => {
  const faults: Record<string, Complaint[]> = {};
  const addFault = (path: string, code: FieldCode, complaint: string): void => {
    faults[path] ??= [complain(code, `O campo ${path} ${complaint}.`)];
  };
  let left = ATTRIBUTE_LIMITS.values;
  const checkValue = (value: Json, path: string, levels: number): void => {
    left -= 1;
    if (left < 0)
      addFault('attributes', 'too_complex', `tem mais de ${ATTRIBUTE_LIMITS.values} valores`);
    else if (typeof value === 'object' && value !== null) checkFields(value, path, levels);
    else if (
      typeof value === 'string' &&
      !(isParagraphs(value) && value.length <= ATTRIBUTE_LIMITS.textLength)
    )
      addFault(path, isParagraphs(value) ? 'too_long' : 'invalid_format', BAD_TEXT);
    // A number in JSON that is too large for a double becomes Infinity, which jsonb cannot store.
    else if (typeof value === 'number' && !Number.isFinite(value))
      addFault(path, 'out_of_range', 'não é um número que se possa guardar');
  };
  const checkFields = (value: object, path: string, levels: number): void => {
    if (levels === 0)
      addFault('attributes', 'too_complex', `tem mais de ${ATTRIBUTE_LIMITS.levels} níveis`);
    else
      for (const [name, each] of Object.entries(value)) {
        if (left < 0) break;
        if (isText(name) && name.length <= MAX_NAME_LENGTH && name !== '__proto__')
          checkValue(each, `${path}.${name}`, levels - 1);
        else addFault(path, 'unknown', BAD_NAME);
      }
  };
  checkValue(attributes ?? {}, 'attributes', ATTRIBUTE_LIMITS.levels);
  return faults;
};
