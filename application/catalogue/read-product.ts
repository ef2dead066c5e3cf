import { type Fault, type JsonObject, type Product, type Reading, readProduct } from '#domain';
import type { Ports } from '../ports.ts';

export type ReadProduct = (input: unknown) => Reading<Product>;

/** Reads one product, whatever it came from, its schema of attributes included; every fault by its place. */
export const makeReadProduct = ({
  attributeSchemas,
}: Pick<Ports, 'attributeSchemas'>): ReadProduct =>
  function readProductAndSchema(input) {
    const reading = readProduct(input);
    const known = reading.ok ? [] : reading.faults;
    // What is no object of JSON, or too large a one, is no schema to look at.
    if (known.some(({ path }) => path === '' || /^attributes\b/.test(path))) return reading;
    const { attributes } = input as { readonly attributes: JsonObject };
    const faults = attributeSchemas.faultsOfSchema(attributes).map(inAttributes);
    return faults.length === 0 ? reading : { ok: false, faults: [...known, ...faults] };
  };

const inAttributes = (fault: Fault): Fault => ({
  ...fault,
  path: fault.path === '' ? 'attributes' : `attributes.${fault.path}`,
});
