import type { Fault, JsonObject } from '#domain';

/** Values that `format` may have in an attribute schema. */
export const ATTRIBUTE_FORMATS = [
  ...([
    'date',
    'date-time',
    'hour-minute',
    'email',
    'phone',
    'tax-id',
    'postcode',
    'state',
    'imei',
  ] as const),
] as const;

export type AttributeFormat = (typeof ATTRIBUTE_FORMATS)[number];

/**
 * `keyword` of a fault: matching the schema's patterns against such long texts costs too much. Only
 * schemas stored by earlier versions cause it.
 */
export const TOO_MUCH_MATCHING = 'matching';

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
 * 1. A schema without faults checks any attributes within 10 ms, and refers to nothing outside
 *    itself.
 * 2. All faults of a schema, or of attributes, are found at once, each with its path; at most 100.
 */
export interface AttributeSchemas {
  faultsOfSchema(schema: JsonObject): readonly Fault[];
  /** `schema` must be free of faults. */
  faultsOf(attributes: JsonObject, schema: JsonObject): readonly AttributeFault[];
}
