import { expect } from 'chai';
import type { JsonObject } from '#domain';
import { AjvAttributeSchemas } from '../../adapters/json-schema/ajv-attribute-schemas.ts';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { petProduct } from '../support/generic-sales.ts';

const schemas = new AjvAttributeSchemas();

const refused = (schema: object): readonly string[] =>
  schemas.faultsOfSchema(schema as JsonObject).map(({ path, kind }) => `${path}: ${kind}`);

const faults = (schema: object, attributes: object): readonly string[] => {
  expect(refused(schema), 'the schema itself').to.deep.equal([]);
  return schemas
    .faultsOf(attributes as JsonObject, schema as JsonObject)
    .map(({ path, keyword }) => `${path}: ${keyword}`);
};

/** Definitions that each refer twice to the previous one. */
const doubling = (count: number): object => {
  const twice = (name: number) => ({
    allOf: [{ $ref: `#/$defs/d${name}` }, { $ref: `#/$defs/d${name}` }],
  });
  const rest = Array.from(
    { length: count },
    (_, index) => [`d${index + 1}`, twice(index)] as const,
  );
  return {
    $defs: { d0: { type: 'string' }, ...Object.fromEntries(rest) },
    $ref: `#/$defs/d${count}`,
  };
};

describe('an attribute schema', () => {
  it('may use the plain keywords of JSON Schema, as the demo catalogue does', () => {
    for (const { attributes } of DEMO_PRODUCTS) expect(refused(attributes)).to.deep.equal([]);
    for (const plain of [
      {},
      petProduct()['attributes'] as object,
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'x',
        description: 'x',
        $comment: 'x',
        examples: [1],
      },
      {
        properties: {
          a: {
            type: ['string', 'number'],
            enum: [1, 'a'],
            const: 1,
            multipleOf: 0.5,
            minimum: 0,
            exclusiveMaximum: 10,
          },
        },
      },
      {
        prefixItems: [{}, true],
        items: false,
        contains: {},
        minContains: 1,
        maxContains: 2,
        uniqueItems: true,
      },
      {
        propertyNames: { maxLength: 5 },
        minProperties: 1,
        dependentRequired: { a: ['b'] },
        dependentSchemas: { a: { required: ['c'] } },
      },
      JSON.parse(
        '{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"not": {"required": ["b"]}}}',
      ),
      { oneOf: [{ required: ['a'] }, { required: ['b'] }], anyOf: [{}, false] },
      {
        $defs: { money: { type: 'number' } },
        properties: { a: { $ref: '#/$defs/money' }, b: { $ref: '#/$defs/money' } },
      },
      {
        patternProperties: { '^x-': { type: 'string' } },
        additionalProperties: { type: 'number' },
      },
      {
        properties: {
          constructor: { type: 'string' },
          $ref: { type: 'string' },
          pattern: { type: 'string' },
        },
      },
    ]) {
      expect(refused(plain), JSON.stringify(plain)).to.deep.equal([]);
    }
  });

  it('cannot refer to other documents or to itself', () => {
    for (const $ref of [
      'http://evil.example/x',
      'file:///etc/passwd',
      '#',
      '#/properties/a',
      '#/$defs/none',
      '#/$defs/constructor',
      'x',
      5,
    ]) {
      expect(refused({ $ref, $defs: { a: {} } })).to.include('$ref: badly_formed');
    }
    expect(
      refused({ properties: { a: { items: { $ref: 'http://evil.example' } } } }),
    ).to.deep.equal(['properties.a.items.$ref: badly_formed']);
    expect(refused({ $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' })).to.deep.equal([
      '$defs.a.$ref: badly_formed',
    ]);
    const ring = {
      a: { properties: { b: { $ref: '#/$defs/b' } } },
      b: { items: { $ref: '#/$defs/a' } },
    };
    expect(refused({ $defs: ring, $ref: '#/$defs/a' })).to.deep.equal([
      '$defs.b.items.$ref: badly_formed',
    ]);
    expect(refused({ $defs: ring }), 'a ring that nothing refers to').to.deep.equal([
      '$defs.a.properties.b.$ref: badly_formed',
    ]);
    expect(
      refused({
        $defs: { a: { $ref: 'http://evil.example' }, b: { properties: { c: { foo: 1 } } } },
      }),
    ).to.have.members([
      ...['$defs.a.$ref: badly_formed', '$defs.b.properties.c.foo: unknown_field'],
    ]);
    for (const keyword of ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef']) {
      expect(refused({ [keyword]: 'x' })).to.include(`${keyword}: unknown_field`);
    }
    expect(refused({ definitions: {} })).to.deep.equal(['definitions: unknown_field']);
    expect(refused({ $schema: 'http://json-schema.org/draft-07/schema#' })).to.deep.equal([
      '$schema: not_one_of_these',
    ]);
    expect(refused({ properties: { a: { $defs: {} } } })).to.deep.equal([
      'properties.a.$defs: unknown_field',
    ]);
  });

  it('has up to 1,000 parts, which count again at each reference', () => {
    expect(refused(doubling(5))).to.deep.equal([]);
    const many = (count: number) => ({
      allOf: Array.from({ length: count }, () => ({ type: 'string' })),
    });
    // The root is one part, and each item is three: the item, its schema and its keyword.
    expect([refused(many(333)), refused(many(334))]).to.deep.equal([[], [': too_large']]);
    const choices = (count: number) => ({
      properties: { city: { enum: Array.from({ length: count }, (_, index) => index) } },
    });
    expect([refused(choices(997)), refused(choices(998))]).to.deep.equal([[], [': too_large']]);
    const name = { $ref: '#/$defs/city' };
    const { city } = choices(330).properties;
    const cities = (count: number) => ({
      $defs: { city },
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`city${index}`, name]),
      ),
    });
    expect([refused(cities(2)), refused(cities(3))]).to.deep.equal([[], [': too_large']]);
  });

  it('has up to five levels, and a reference is no level', () => {
    const nested = (levels: number, inner: object = {}): object =>
      levels === 0 ? inner : { properties: { a: nested(levels - 1, inner) } };
    const place = Array(6).fill('properties.a').join('.');
    expect([refused(nested(5)), refused(nested(6))]).to.deep.equal([[], [`${place}: too_deep`]]);
    expect(
      refused({ $defs: { deep: nested(3) }, ...nested(2, { $ref: '#/$defs/deep' }) }),
    ).to.deep.equal([]);
    expect(
      refused({ $defs: { deep: nested(4) }, ...nested(2, { $ref: '#/$defs/deep' }) }),
    ).to.deep.equal(['$defs.deep.properties.a.properties.a.properties.a.properties.a: too_deep']);
    expect(refused(doubling(6))).to.deep.equal([
      '$defs.d1.allOf.0: too_deep',
      '$defs.d1.allOf.1: too_deep',
    ]);
  });

  it('has patterns of RE2 syntax', () => {
    for (const pattern of [
      '(?=a)b',
      '(a)\\1',
      '(?<!a)b',
      '(',
      '[',
      'a{2000}',
      '((a{90}){90}){90}',
      5,
    ])
      expect(refused({ properties: { a: { pattern } } })).to.deep.equal([
        'properties.a.pattern: badly_formed',
      ]);
    expect(refused({ patternProperties: { '(?=x)': {} } })).to.deep.equal([
      'patternProperties.(?=x): badly_formed',
    ]);
    expect(
      faults(
        { properties: { a: { pattern: '^(a|a?)+$' }, b: { pattern: '^b$' } } },
        { a: `${'a'.repeat(2_000)}!`, b: 'b' },
      ),
    ).to.deep.equal(['a: pattern']);
  });

  it('has up to 20 patterns, which count again at each reference', () => {
    const properties = (count: number, schema: object) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]));
    const code = { pattern: '^[a-z]+$' };
    expect(refused({ properties: properties(20, code) })).to.deep.equal([]);
    expect(refused({ properties: properties(21, code) })).to.deep.equal([
      'properties.p20.pattern: too_many_patterns',
    ]);
    expect(refused({ properties: properties(300, code) })).to.deep.equal([
      'properties.p20.pattern: too_many_patterns',
    ]);
    expect(refused({ patternProperties: properties(21, {}) })).to.deep.equal([
      'patternProperties.p20: too_many_patterns',
    ]);
    const $defs = { code };
    const toCode = { $ref: '#/$defs/code' };
    expect(refused({ $defs, properties: properties(20, toCode) })).to.deep.equal([]);
    expect(refused({ $defs, properties: properties(21, toCode) })).to.deep.equal([
      '$defs.code.pattern: too_many_patterns',
    ]);
    const unique = { uniqueItems: true };
    expect(refused({ properties: properties(20, unique) })).to.deep.equal([]);
    expect(refused({ properties: { a: code, ...properties(20, unique) } })).to.deep.equal([
      'properties.p19.uniqueItems: too_many_patterns',
    ]);
  });

  it('has patterns of up to 300 steps together, with repetitions written out', () => {
    const one = (pattern: string) => refused({ properties: { a: { pattern } } });
    const tooLarge = ['properties.a.pattern: pattern_too_large'];
    expect([one('[ab]*a[ab]{290}[cd]'), one('[ab]*a[ab]{300}[cd]')]).to.deep.equal([[], tooLarge]);
    expect(one('(a{1,100}){1,10}')).to.deep.equal(tooLarge);
    expect(one(`[${'ab'.repeat(150)}]`), 'over 300 characters').to.deep.equal(tooLarge);
    const code = { type: 'string', pattern: '^[A-Z]{3}-?[0-9]{1,12}$' };
    const codes = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`code${index}`, code]));
    const long = { code3: 'ABC'.repeat(600), code7: 'ABC-12' };
    expect(faults({ properties: codes(9) }, long)).to.deep.equal(['code3: pattern']);
    expect(refused({ properties: codes(10) })).to.deep.equal([
      'properties.code9.pattern: pattern_too_large',
    ]);
  });

  it('has short or anchored patterns in lists and for fields without a fixed name', () => {
    const places = (pattern: string): readonly [string, object][] => {
      const text = { type: 'string', pattern };
      return [
        ['properties.list.items.pattern', { properties: { list: { items: text } } }],
        ['properties.list.contains.pattern', { properties: { list: { contains: text } } }],
        ['additionalProperties.pattern', { additionalProperties: text }],
        ['propertyNames.pattern', { propertyNames: { pattern } }],
        ['patternProperties.^x-.pattern', { patternProperties: { '^x-': text } }],
        [`patternProperties.${pattern}`, { patternProperties: { [pattern]: {} } }],
        ['$defs.text.pattern', { $defs: { text }, additionalProperties: { $ref: '#/$defs/text' } }],
        [
          'properties.list.items.properties.one.anyOf.0.pattern',
          { properties: { list: { items: { properties: { one: { anyOf: [text, {}] } } } } } },
        ],
      ];
    };
    for (const pattern of ['^[0-9]{15}$', '^[A-Z]+$', 'a[ab]{6}[cd]', '^[A-Z]{3}-?[0-9]{12}$'])
      for (const [place, schema] of places(pattern))
        expect(refused(schema), `${place}: ${pattern}`).to.deep.equal([]);
    for (const pattern of [
      ...['a[ab]{7}[cd]', '^[ab]*a[ab]{7}[cd]', '^a|b.{9}$', '^(ab?){2,}c.{9}$', 'a^.{9}$'],
      ...['^.+a.{9}$', '\\d{3}.{0,9}\\d{3}x?$', '(a.{0,2}b.{0,2}){4}[=+]$', '^[0-9]{40}$'],
    ]) {
      for (const [place, schema] of places(pattern))
        expect(refused(schema), pattern).to.deep.equal([`${place}: too_long_to_match`]);
      expect(refused({ properties: { one: { pattern } } }), pattern).to.deep.equal([]);
    }
  });

  it('that was stored before there were these limits goes on being checked', () => {
    const nested = (levels: number): object =>
      levels === 0 ? { type: 'number' } : { properties: { a: nested(levels - 1) } };
    const code = { type: 'string', pattern: '[ab]*a[ab]{430}[cd]' };
    const codes = Array.from({ length: 25 }, (_, index) => [`code${index}`, code] as const);
    const stored = {
      $defs: { tree: { properties: { more: { $ref: '#/$defs/tree' }, id: { type: 'number' } } } },
      properties: { ...Object.fromEntries(codes), deep: nested(9), tree: { $ref: '#/$defs/tree' } },
      additionalProperties: { enum: Array.from({ length: 2_000 }, (_, index) => index) },
    } as unknown as JsonObject;
    expect(refused(stored)).not.to.deep.equal([]);
    const check = (attributes: JsonObject) =>
      schemas.faultsOf(attributes, stored).map(({ path, keyword }) => `${path}: ${keyword}`);
    const right = `a${'ab'.repeat(215)}c`;
    expect(check({ code0: right, code24: right, tree: { more: { id: 1 } }, y: 7 })).to.deep.equal(
      [],
    );
    expect(
      check({ code0: 'ab'.repeat(1_000), code24: right, tree: { more: { id: 'x' } }, y: 2_000 }),
    ).to.have.members(['code0: pattern', 'tree.more.id: type', 'y: enum']);
  });

  it('must have known formats, and valid types, limits and lists', () => {
    expect(refused({ properties: { a: { format: 'uri' }, b: { format: 5 } } })).to.have.members([
      'properties.a.format: not_one_of_these',
      'properties.b.format: badly_formed',
    ]);
    expect(
      refused({
        type: 'text',
        properties: 5,
        required: ['a', 'a'],
        minLength: -1,
        maximum: '9',
        multipleOf: 0,
        foo: 1,
      }),
    ).to.have.members([
      ...['type', 'properties', 'required', 'minLength', 'maximum', 'multipleOf'].map(
        (name) => `${name}: badly_formed`,
      ),
      'foo: unknown_field',
    ]);
    for (const type of ['array', ['string', 'null']])
      expect(refused({ type })).to.deep.equal(['type: not_one_of_these']);
    for (const odd of [{ enum: [] }, { if: {} }, { maxContains: 1 }])
      expect(refused(odd)).to.deep.equal([': badly_formed']);
  });

  it('reports all faults of attributes, each with its path', () => {
    expect(
      faults(petProduct()['attributes'] as object, {
        species: 'bird',
        microchip: '12',
        bornOn: '2026-02-30',
        colour: 'x',
      }),
    ).to.have.members([
      ...[
        'petName: required',
        'colour: additionalProperties',
        'species: enum',
        'microchip: pattern',
        'bornOn: format',
      ],
    ]);
    const formats = {
      date: '2026-02-28',
      'date-time': '2026-02-28T10:00-03:00',
      'hour-minute': '21:30',
      email: 'a@b.co',
      phone: '11987654321',
      'tax-id': '12.ABC.345/01DE-35',
      postcode: '01001000',
      state: 'SP',
      imei: '490154203237518',
    };
    for (const [format, right] of Object.entries(formats)) {
      const schema = { properties: { a: { format } } };
      expect(faults(schema, { a: right }), format).to.deep.equal([]);
      expect(faults(schema, { a: 'x' }), format).to.deep.equal(['a: format']);
    }
  });

  it('reports a fault of a name, or of a missing field, at that field', () => {
    const trip = {
      properties: { ways: { dependentRequired: { back: ['date'] } } },
      propertyNames: { maxLength: 5 },
    };
    expect(faults(trip, { ways: { back: 1 }, overlong: 1 })).to.have.members([
      'overlong: maxLength',
      'overlong: propertyNames',
      'ways.date: dependentRequired',
    ]);
  });

  it('accepts decimals as multiples of 0.01', () => {
    const schema = { properties: { a: { type: 'number', multipleOf: 0.01 } } };
    for (const right of [
      19.99, 1234.35, 100.1, 0.07, 138448154.7, 9007199254740.01, -0.01, 0, 1e300,
    ])
      expect(faults(schema, { a: right })).to.deep.equal([]);
    for (const wrong of [19.995, 138448154.701, 0.0100001, 1e-9, 5e-324])
      expect(faults(schema, { a: wrong })).to.deep.equal(['a: multipleOf']);
  });

  it('reports field names with special characters unchanged', () => {
    const schema = { properties: { 'a/b~c': { type: 'string' } } };
    expect(faults(schema, { 'a/b~c': 1 })).to.deep.equal(['a/b~c: type']);
  });

  it('treats names of object methods like other names', () => {
    const schema = { properties: { constructor: { type: 'number' } }, required: ['toString'] };
    expect(faults(schema, { constructor: 'x' })).to.have.members([
      'toString: required',
      'constructor: type',
    ]);
    expect(refused(JSON.parse('{"properties": {"__proto__": {"type": "string"}}}'))).to.deep.equal([
      'properties.__proto__: unknown_field',
    ]);
  });
});
