import type { Fault, JsonObject } from '#domain';

/** What `format` may name, in a schema of attributes. */
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

/** The `keyword` of a fault where the texts are too long for the patterns of the schema: an earlier version may have put it. */
export const TOO_MUCH_MATCHING = 'matching';

/** A rule of a schema that attributes break: its JSON Schema keyword, and what goes with that. */
export interface AttributeFault {
  /** Dotted; the whole is the empty path. */
  readonly path: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * What products let channels say of the insured object, as JSON Schema.
 *
 * 1. A schema without faults can be held against any attributes, in 10 ms at most, and asks for nothing outside itself.
 * 2. The faults of a schema, and those of attributes, are found at once, each at its place: a hundred at most.
 */
export interface AttributeSchemas {
  faultsOfSchema(schema: JsonObject): readonly Fault[];
  /** For a schema without faults of its own. */
  faultsOf(attributes: JsonObject, schema: JsonObject): readonly AttributeFault[];
}
