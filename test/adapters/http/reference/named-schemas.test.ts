import { expect } from 'chai';
import Type from 'typebox';
import { NamedSchemas } from '../../../../adapters/http/reference/named-schemas.ts';

const person = Type.Object({ name: Type.String() }, { title: 'Person' });

describe('named schemas', () => {
  it('are components, to which every use refers', () => {
    const schemas = new NamedSchemas();
    const written = schemas.write(Type.Object({ one: person, others: Type.Array(person) }));
    expect(written['properties']).to.deep.equal({
      one: { $ref: '#/components/schemas/Person' },
      others: { type: 'array', items: { $ref: '#/components/schemas/Person' } },
    });
    expect(schemas.components()).to.deep.equal({
      Person: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    });
  });

  it('have one name each: another schema with the same title is an error', () => {
    const schemas = new NamedSchemas();
    schemas.write(person);
    const other = Type.Object({ title: Type.String() }, { title: 'Person' });
    expect(() => schemas.write(other)).to.throw('two schemas have the title Person');
  });

  it('keep their description where all uses have it, else each use its own', () => {
    const schemas = new NamedSchemas();
    const described = (description: string) => ({ ...person, description });
    const [seller, buyer] = [schemas.write(described('Sells')), schemas.write(described('Buys'))];
    schemas.write(Type.String({ title: 'Code', description: 'A code' }));
    const { Person, Code } = schemas.components();
    expect(Person).not.to.have.property('description');
    expect([seller['description'], buyer['description']]).to.deep.equal(['Sells', 'Buys']);
    expect(Code).to.deep.equal({ description: 'A code', type: 'string' });
  });

  it('take a field named title for a field', () => {
    const schemas = new NamedSchemas();
    const { properties } = schemas.write(Type.Object({ title: Type.String() }));
    expect(properties).to.deep.equal({ title: { type: 'string' } });
    expect(schemas.components()).to.deep.equal({});
  });

  it('are written shortly: nullable types, records and lists of words', () => {
    const schemas = new NamedSchemas();
    expect(schemas.write(Type.Union([Type.String(), Type.Null()]))).to.deep.equal({
      type: ['string', 'null'],
    });
    expect(schemas.write(Type.Record(Type.String(), Type.Integer()))).to.deep.equal({
      type: 'object',
      additionalProperties: { type: 'integer' },
    });
    expect(schemas.write(Type.Enum(['a', 'b']))).to.deep.equal({
      type: 'string',
      enum: ['a', 'b'],
    });
  });
});
