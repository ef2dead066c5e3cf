import { type Fault, type JsonObject, type Product, type Reading, readProduct } from '#domain';
import type { AttributeSchemas } from './attribute-schemas.ts';

export type ReadProduct = (input: unknown) => Reading<Product>;

/** Reads a product from JSON, its attribute schema included. Returns every fault with its path. */
export const makeReadProduct = ({
  attributeSchemas,
}: {
  readonly attributeSchemas: AttributeSchemas;
}): ReadProduct =>
  function readProductAndSchema(input) {
    const reading = readProduct(input);
    const known = reading.ok ? [] : reading.faults;
    // Attributes that are no JSON object, or too large, are not checked as a schema.
    if (known.some(isUnreadable)) return reading;
    const { attributes } = input as { readonly attributes: JsonObject };
    const faults = attributeSchemas.faultsOfSchema(attributes).map(inAttributes);
    const others = known.filter(({ path }) => faults.every((each) => each.path !== path));
    return faults.length === 0 ? reading : { ok: false, faults: [...others, ...faults] };
  };

/** A type that there is not leaves a schema readable. */
const isUnreadable = ({ path, kind }: Fault): boolean =>
  path === '' || (/^attributes\b/.test(path) && kind !== 'not_one_of_these');

const inAttributes = (fault: Fault): Fault => ({
  ...fault,
  path: fault.path === '' ? 'attributes' : `attributes.${fault.path}`,
});
