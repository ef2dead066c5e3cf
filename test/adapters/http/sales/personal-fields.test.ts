import { expect } from 'chai';
import type { TSchema } from 'typebox';
import { saleBody } from '../../../../adapters/http/generic/generic-body.ts';
import { artistaBody } from '../../../../adapters/http/products/artista/artista-body.ts';
import { celularBody } from '../../../../adapters/http/products/celular/celular-body.ts';
import {
  ingressoBody,
  ingressoQuickStartBody,
} from '../../../../adapters/http/products/ingresso/ingresso-bodies.ts';
import type { NestedSchemas } from '../../../../adapters/kit/contract/formats.ts';

const BODIES: readonly TSchema[] = [
  ingressoBody,
  ingressoQuickStartBody,
  artistaBody,
  celularBody,
  saleBody,
];

/** Each field of a body with its path, and whether answers mask it. */
const fieldsOf = (
  schema: TSchema,
  path = '',
  isMasked = false,
): readonly (readonly [path: string, isMasked: boolean])[] => {
  const { properties = {}, items } = schema as NestedSchemas;
  const isMaskedHere = isMasked || 'x-personal' in schema || 'x-card' in schema;
  const inside = [...Object.entries(properties), ...(items ? ([['0', items]] as const) : [])];
  if (inside.length === 0) return [[path, isMaskedHere]];
  return inside.flatMap(([name, each]) =>
    fieldsOf(each, path === '' ? name : `${path}.${name}`, isMaskedHere),
  );
};

describe('a field that several bodies have', () => {
  it('is masked by all or by none, because one name may meet the content of another body', () => {
    const masked = new Map<string, Set<boolean>>();
    for (const [path, isMasked] of BODIES.flatMap((body) => fieldsOf(body)))
      masked.set(path, (masked.get(path) ?? new Set()).add(isMasked));
    expect(masked.size).to.be.above(80);
    const mixed = [...masked].filter(([, answers]) => answers.size > 1).map(([path]) => path);
    expect(mixed).to.deep.equal([]);
  });
});
