import type { Fault, JsonObject } from '#domain';

/** What `format` may name, in a schema of attributes. */
export const ATTRIBUTE_FORMATS = [
  ...(['date', 'date-time', 'hour-minute', 'email', 'phone', 'tax-id', 'postcode', 'state', 'imei'] as const),
] as const;

export type AttributeFormat = (typeof ATTRIBUTE_FORMATS)[number];

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
 * 1. A schema without faults can be held against any attributes, at a cost that is bounded, and asks for nothing outside itself.
 * 2. Every fault of a schema, and every fault of attributes, is found at once, each at its place.
 */
export interface AttributeSchemas {
  faultsOfSchema(schema: JsonObject): readonly Fault[];
  /** For a schema without faults of its own. */
  faultsOf(attributes: JsonObject, schema: JsonObject): readonly AttributeFault[];
}
