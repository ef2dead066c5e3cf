import type { Fault, JsonObject } from '#domain';

/** Values that `format` may have in an attribute schema. */
export const ATTRIBUTE_FORMATS = [
  'date',
  'date-time',
  'hour-minute',
  'email',
  'phone',
  'tax-id',
  'postcode',
  'state',
  'imei',
] as const;

export type AttributeFormat = (typeof ATTRIBUTE_FORMATS)[number];

/** A schema rule that attributes break: the JSON Schema keyword and its parameters. */
export interface AttributeFault {
  /** Dotted; empty for the whole object. */
  readonly path: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Schemas of a product's attributes (JSON Schema): what a channel may say of the insured object.
 *
 * 1. A schema without faults refers to nothing outside itself, and is within fixed limits: 5 levels,
 *    1,000 parts and 20 patterns, whose matching takes up to 80 ms.
 * 2. All faults of a schema, or of attributes, are found at once, each with its path; at most 100.
 */
export interface AttributeSchemas {
  faultsOfSchema(schema: JsonObject): readonly Fault[];
  /** `schema` was free of faults when it was stored. The limits may have changed since. */
  faultsOf(attributes: JsonObject, schema: JsonObject): readonly AttributeFault[];
}
