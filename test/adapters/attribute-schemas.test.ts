import { expect } from 'chai';
import type { JsonObject } from '#domain';
import { AjvAttributeSchemas } from '../../adapters/json-schema/ajv-attribute-schemas.ts';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { petProduct } from '../support/integration.ts';
import { processorTimeOf } from '../support/timing.ts';

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
      '$defs: badly_formed',
    ]);
    const ring = {
      a: { properties: { b: { $ref: '#/$defs/b' } } },
      b: { items: { $ref: '#/$defs/a' } },
    };
    expect(refused({ $defs: ring, $ref: '#/$defs/a' })).to.deep.equal(['$defs: badly_formed']);
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

  it('has a limited size, with references followed', () => {
    expect(refused(doubling(5))).to.deep.equal([]);
    expect(refused(doubling(20))).to.deep.equal([': too_large']);
    expect(refused(doubling(200))).to.deep.equal([': too_large']);
    const many = (count: number) => ({
      allOf: Array.from({ length: count }, () => ({ type: 'string' })),
    });
    expect([refused(many(499)), refused(many(500))]).to.deep.equal([[], [': too_large']]);
  });

  it('has patterns of RE2 syntax and of limited size', async () => {
    for (const pattern of [
      '(?=a)b',
      '(a)\\1',
      '(?<!a)b',
      '(',
      '[',
      'a{2000}',
      '((a{90}){90}){90}',
      5,
    ]) {
      expect(refused({ properties: { a: { pattern } } })).to.include(
        'properties.a.pattern: badly_formed',
      );
    }
    expect(refused({ patternProperties: { '(?=x)': {} } })).to.deep.equal([
      'patternProperties.(?=x): badly_formed',
    ]);
    expect(refused({ patternProperties: { 'a{900}': {} } })).to.deep.equal([': too_large']);
    expect(refused({ pattern: 'a{900}' })).to.deep.equal([': too_large']);
    const slow = { properties: { a: { type: 'string', pattern: '^(a|a?)+$' } } };
    const { result, ms } = await processorTimeOf(() =>
      faults(slow, { a: `${'a'.repeat(2_000)}!` }),
    );
    expect(result).to.deep.equal(['a: pattern']);
    expect(ms, 'ms of processor time').to.be.below(1_000);
  });

  const SLOW: readonly [string, string][] = [
    ['[ab]*a[ab]{430}[cd]', 'ab'],
    ['a.{400}$', 'ab'],
    ['\\d{3}.{0,200}\\d{3}x?$', '0123456789'],
    ['\\d{3}.{0,200}\\d{3}[xy]$', '0123456789'],
    ['(a.{0,25}b.{0,25}){4}[=+]$', 'ab'],
    ['(a|b.{20}){0,9}[=+]$', 'ab'],
  ];
  for (const [pattern, alphabet] of SLOW)
    it(`rejects ${pattern} as too expensive, and limits its matching in a stored schema`, async () => {
      const text = { type: 'string', pattern };
      const places: readonly [object, string][] = [
        [{ additionalProperties: text }, 'additionalProperties.pattern'],
        [{ properties: { list: { items: text } } }, 'properties.list.items.pattern'],
        [{ properties: { one: text } }, 'properties.one.pattern'],
        [
          { $defs: { text }, properties: { one: { $ref: '#/$defs/text' } } },
          'properties.one.$ref.pattern',
        ],
        [
          { allOf: [{ additionalProperties: { anyOf: [text, { type: 'number' }] } }] },
          'allOf.0.additionalProperties.anyOf.0.pattern',
        ],
      ];
      let seed = 7;
      const random = (): string => {
        seed = (seed * 48_271) % 2_147_483_647;
        return alphabet[seed % alphabet.length] as string;
      };
      const texts = Array.from({ length: 120 }, () =>
        Array.from({ length: 1_990 }, random).join(''),
      );
      const attributes = {
        ...Object.fromEntries(texts.map((each, index) => [`t${index}`, each])),
        list: texts,
        one: texts[0] ?? '',
      };
      for (const [schema, place] of places) {
        expect(refused(schema)).to.deep.equal([`${place}: too_long_to_match`]);
        const put = { type: 'object', ...schema } as JsonObject;
        schemas.faultsOf({}, put);
        const { result, ms } = await processorTimeOf(() => schemas.faultsOf(attributes, put));
        expect(result[0]?.keyword).to.match(/matching|type|pattern/);
        expect(ms, 'ms of processor time').to.be.below(200);
      }
    });

  it('may have any pattern for short texts, lists and objects', () => {
    const text = { type: 'string', pattern: '[ab]*a[ab]{430}[cd]', maxLength: 300 };
    expect(refused({ properties: { one: text } })).to.deep.equal([]);
    expect(refused({ additionalProperties: text })).to.deep.equal([
      'additionalProperties.pattern: too_long_to_match',
    ]);
    expect(refused({ additionalProperties: text, maxProperties: 1 })).to.deep.equal([]);
    expect(refused({ properties: { list: { items: text, maxItems: 2 } } })).to.deep.equal([
      'properties.list.items.pattern: too_long_to_match',
    ]);
    const short = { ...text, maxLength: 100 };
    expect(refused({ properties: { list: { items: short, maxItems: 3 } } })).to.deep.equal([]);
    expect(refused({ propertyNames: { pattern: 'a.{40}$' } })).to.deep.equal([
      'propertyNames.pattern: too_long_to_match',
    ]);
    expect(refused({ propertyNames: { pattern: 'a.{40}$', maxLength: 10 } })).to.deep.equal([]);
    const longList = Array.from({ length: 5_570 }, (_, index) => index);
    expect(refused({ properties: { city: { enum: longList } } })).to.deep.equal([]);
    expect(refused({ additionalProperties: { enum: longList } })).to.deep.equal([
      'additionalProperties.enum: too_long_to_match',
    ]);
    // Reports the first fault only, because the search for all faults would cost too much.
    expect(faults({ properties: { one: text } }, { one: 'ab'.repeat(1_000) })).to.deep.equal([
      'one: maxLength',
    ]);
  });

  it('limits the comparisons of uniqueItems', () => {
    const unique = Array.from({ length: 20 }, () => ({ uniqueItems: true }));
    expect(refused({ properties: { list: { type: 'array', allOf: unique } } })).to.deep.equal([
      'properties.list.allOf.0.uniqueItems: too_long_to_match',
    ]);
    expect(refused({ properties: { list: { type: 'array', uniqueItems: true } } })).to.deep.equal(
      [],
    );
  });

  it('may have anchored patterns of limited length for texts of any length', () => {
    const code = { type: 'string', pattern: '^[A-Z]{3}-?[0-9]{1,12}$' };
    const properties = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`code${index}`, code]),
    );
    expect(refused({ properties })).to.deep.equal([]);
    const long = Object.fromEntries(
      Object.keys(properties).map((name) => [name, 'ABC'.repeat(600)]),
    );
    expect(faults({ properties }, long)).to.have.length(12);
    for (const pattern of [
      '^[ab]*a[ab]{300}[cd]',
      '^a|b.{300}$',
      '^(ab?){2,}c.{300}$',
      'a^.{300}$',
      '^.+a.{300}$',
    ])
      expect(refused({ properties: { one: { pattern } } }), pattern).to.deep.equal([
        'properties.one.pattern: too_long_to_match',
      ]);
  });

  it('is rejected quickly, even with thousands of patterns', async () => {
    const pattern = (index: number): string =>
      `^[\\p{L}\\p{N}\\p{S}]{${800 + (index % 150)}}${index}`;
    const properties = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`p${index}`, { pattern: pattern(index) }]),
    );
    const long = { properties: { a: { pattern: 'x'.repeat(100_000) } } };
    const { result, ms } = await processorTimeOf(() =>
      [{ properties }, { $defs: properties }, long].map(refused),
    );
    expect(result).to.deep.equal([
      [': too_large'],
      [': too_large'],
      ['properties.a.pattern: too_large'],
    ]);
    expect(ms, 'ms of processor time').to.be.below(1_000);
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
    for (const right of [19.99, 1234.35, 100.1, 0.07])
      expect(faults(schema, { a: right })).to.deep.equal([]);
    expect(faults(schema, { a: 19.995 })).to.deep.equal(['a: multipleOf']);
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
