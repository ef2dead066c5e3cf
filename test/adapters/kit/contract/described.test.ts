import { expect } from 'chai';
import Type from 'typebox';
import { type Cents, type Rate, toPercent } from '#domain';
import { described, fieldsOf } from '../../../../adapters/kit/contract/described.ts';
import {
  inPercent,
  inReais,
  percentShape,
  reaisShape,
} from '../../../../adapters/kit/contract/units.ts';

interface Price {
  readonly amount: Cents;
  readonly rate?: Rate;
  readonly notes: readonly string[];
}

const price = described<Price>(
  'Price',
  'Um preço',
)({
  total: [reaisShape(), ({ amount }) => inReais(amount)],
  rate: [Type.Optional(percentShape()), ({ rate }) => rate && inPercent(rate)],
  notes: [Type.Array(Type.String()), ({ notes }) => notes],
});

const ONE: Price = { amount: 1_234 as Cents, notes: ['a'] };

describe('A described answer', () => {
  it('has the schema of its fields, with its name', () => {
    expect(price.schema).to.deep.include({ title: 'Price', description: 'Um preço' });
    expect(Object.keys(price.schema.properties)).to.deep.equal(['total', 'rate', 'notes']);
    expect(price.schema.required).to.deep.equal(['total', 'notes']);
  });

  it('presents the fields in the order of the schema, without optional ones that are absent', () => {
    expect(JSON.stringify(price.present(ONE))).to.equal('{"total":12.34,"notes":["a"]}');
    expect(JSON.stringify(price.present({ ...ONE, rate: 73_800 as Rate }))).to.equal(
      '{"total":12.34,"rate":7.38,"notes":["a"]}',
    );
  });

  it('takes over the fields of another one, read from a part of its source', () => {
    const sale = described<{ readonly id: number; readonly price: Price }>()({
      id: [Type.Integer(), ({ id }) => id],
      ...fieldsOf(price.fields, (source: { readonly price: Price }) => source.price),
    });
    expect(sale.present({ id: 7, price: ONE })).to.deep.equal({
      id: 7,
      total: 12.34,
      notes: ['a'],
    });
    expect(sale.schema.required).to.deep.equal(['id', 'total', 'notes']);
  });

  it('does not compile with a value of another type or unit', () => {
    described<Price>()({
      // @ts-expect-error cents where the answer has reais
      total: [reaisShape(), ({ amount }) => amount],
      // @ts-expect-error a number without a unit where the answer has percent
      rate: [percentShape(), ({ rate }) => toPercent(rate as Rate)],
      // @ts-expect-error a list where the answer has a text
      notes: [Type.String(), ({ notes }) => notes],
    });
  });
});
