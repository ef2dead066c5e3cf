import { expect } from 'chai';
import {
  cents,
  FAULT_KINDS,
  type Fault,
  messageOf,
  REFUSAL_KINDS,
  type Refusal,
  readProduct,
  refuse,
  refuseAt,
} from '#domain';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';

/** One sentence or more: each begins with a capital letter and ends with a full stop. */
const SENTENCES = /^\p{Lu}[^.]* [^.]*\.( \p{Lu}[^.]*\.)*$/u;

const told = (refusalOrFault: Refusal | Fault): string => messageOf(refusalOrFault, 'pt-BR');

const expectOneEach = (kinds: readonly string[], messages: readonly string[]): void => {
  expect(new Set(kinds)).to.have.property('size', kinds.length);
  expect(new Set(messages)).to.have.property('size', kinds.length);
  for (const message of messages) expect(message).to.match(SENTENCES);
};

describe('the message of a refusal', () => {
  it('is a sentence of its own for each kind', () => {
    expect(REFUSAL_KINDS).to.include.members(['product_unknown', 'quotation_expired']);
    expectOneEach(
      REFUSAL_KINDS,
      REFUSAL_KINDS.map((kind) => told(refuse(kind))),
    );
  });

  it('tells the right amount if there is one', () => {
    expect(told(refuse('total_differs'))).to.equal('O valor total difere do calculado.');
    expect(told(refuse('total_differs', cents(1_234_56)))).to.equal(
      'O valor total difere do calculado. O valor correto é R$ 1.234,56.',
    );
    expect(told(refuse('iof_differs', cents(0)))).to.equal(
      'O IOF difere do calculado sobre o prêmio líquido. O valor correto é R$ 0,00.',
    );
  });

  it('is the same wherever the fault is', () => {
    const offered = [{ id: 51, code: 'ANUAL' }];
    expect(told(refuseAt('plan_unknown', ['id'], offered))).to.equal(told(refuse('plan_unknown')));
  });
});

describe('the message of a fault', () => {
  it('is a sentence of its own for each kind, about the field', () => {
    expect(FAULT_KINDS).to.include.members(['missing', 'priced_twice']);
    const messages = FAULT_KINDS.map((kind) => told({ kind, path: 'plans', expected: '50000' }));
    expectOneEach(FAULT_KINDS, messages);
    for (const message of messages) expect(message).to.match(/^O campo plans \p{Ll}/u);
  });

  const TOLD: readonly [Fault, string][] = [
    [
      { path: 'plans.0.maxInstallments', kind: 'out_of_range', expected: '1 to 60' },
      'O campo plans.0.maxInstallments deve ser de 1 a 60.',
    ],
    [
      { path: '0.from', kind: 'in_force', expected: '2026-12-01' },
      'O campo 0.from está em vigor desde 2026-12-01 e não muda mais.',
    ],
    [
      { path: 'commissions', kind: 'above_cap', expected: '73800 at most, all together' },
      'O campo commissions passa do teto de comissão do produto, 7.38 % ao todo.',
    ],
    [
      { path: 'attributes', kind: 'too_deep', expected: '12' },
      'O campo attributes tem mais de 12 níveis.',
    ],
    [{ path: '', kind: 'not_a_list' }, 'O conteúdo deve ser uma lista.'],
  ];
  for (const [fault, message] of TOLD)
    it(`tells what was expected: ${message}`, () => {
      expect(told(fault)).to.equal(message);
    });

  it('tells a person what is wrong with a product', () => {
    const reading = readProduct({ ...DEMO_PRODUCTS[0], rounding: 'up', plans: [], colour: 'red' });
    expect(reading.ok ? [] : reading.faults.map(told)).to.deep.equal([
      'O campo colour não é conhecido, ou não cabe aqui.',
      'O campo rounding deve ser um destes: half-up, half-even.',
      'O campo plans não pode ser uma lista vazia.',
    ]);
  });
});

describe('a message of something unknown', () => {
  const UNKNOWN: readonly [string, () => unknown][] = [
    ['sold_out', () => told(refuse('sold_out') as unknown as Refusal)],
    ['toString', () => told(refuse('toString') as unknown as Refusal)],
    ['too_red', () => told({ path: 'plans', kind: 'too_red' as 'missing' })],
    ['valueOf', () => told({ path: 'plans', kind: 'valueOf' as 'missing' })],
    ['fr-FR', () => messageOf(refuse('plan_unknown'), 'fr-FR' as 'pt-BR')],
  ];
  for (const [name, tell] of UNKNOWN)
    it(`is refused by an error that names it: ${name}`, () => {
      expect(tell).to.throw(RangeError, name);
    });
});
