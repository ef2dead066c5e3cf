import { expect } from 'chai';
import * as domain from '#domain';
import {
  calculateCommission,
  calculatePremium,
  cancelQuotation,
  cancelSale,
  cents,
  expireSale,
  findIofRate,
  issueSale,
  type Offer,
  parseDate,
  paySale,
  previewCancellation,
  propose,
  quotePrice,
  rate,
  readProduct,
  refuseSale,
  SALE_LIFECYCLE,
  SALE_STATUSES,
  unwrap,
} from '#domain';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { AT, PAID, POLICY, salesInEveryState } from '../support/sales.ts';

// What the compiler excludes, a program in JavaScript or a file in JSON can still do.

// biome-ignore lint/suspicious/noExplicitAny: values of every wrong type are passed
type Wrong = any;

const day = (text: string) => unwrap(parseDate(text));
const iof = unwrap(findIofRate('general', day('2026-11-20')));

describe('a wrong unit or word', () => {
  const premium = (...[price, basis, law, rounding]: Wrong[]) =>
    calculatePremium(price ?? cents(100), basis ?? 'net', law ?? iof, rounding ?? 'half-up');
  const PPM = 'must be in parts per million, a whole number from 0 to 1000000: 7.38 % is 73800';

  it('is thrown with its name and the unit that is wanted', () => {
    for (const [act, words] of [
      [() => rate(0.0738), `a rate ${PPM}, not 0.0738`],
      [() => cents(1.5), 'an amount must be in cents, a whole number: R$ 1.50 is 150, not 1.5'],
      [() => cents('150' as Wrong), "not '150'"],
      [() => premium(undefined, undefined, { ...iof, rate: 0.0738 }), `iof.rate ${PPM}`],
      [() => premium(188.6), 'price must be in cents'],
      [() => premium(undefined, 'nett'), "pricingBasis must be net or gross, not 'nett'"],
      [
        () => premium(undefined, undefined, undefined, 'up'),
        'rounding must be half-up or half-even',
      ],
    ] as const)
      expect(act).to.throw(RangeError, words);
  });

  it('is thrown by commissions and quotes as well', () => {
    const amounts = premium();
    const commission = { kind: 'agency', rate: 0.2 } as Wrong;
    const cap = rate(400_000);
    expect(() => calculateCommission(amounts, [commission], cap, 'half-up')).to.throw(
      RangeError,
      `the rate of agency ${PPM}`,
    );
    expect(() => calculateCommission(amounts, [], 0.4 as Wrong, 'half-up')).to.throw('the cap');
    expect(() =>
      calculateCommission({ ...amounts, net: 1.5 as Wrong }, [], cap, 'half-up'),
    ).to.throw('net must be in cents');

    const [, , product] = DEMO_PRODUCTS as Wrong[];
    const plan = { ...product.plans[0], tariff: { kind: 'rate', rate: 0.1, minimum: 0 } };
    const offer = { product, plan, coverages: [], commissions: [] } as Offer;
    const basis = { on: day('2026-11-20'), insuredAmount: cents(1_000) };
    expect(() => quotePrice(offer, basis)).to.throw(RangeError, `the rate of ${plan.code} ${PPM}`);
    const right = { ...offer, plan: { ...plan, tariff: { ...plan.tariff, rate: 100_000 } } };
    expect(() => quotePrice(right, { ...basis, insuredAmount: 10.5 as Wrong })).to.throw(
      'the insured amount must be in cents',
    );
  });

  it('is a fault of a product where its attributes name a type that there is not', () => {
    const [, , product] = DEMO_PRODUCTS as Wrong[];
    const types = 'object, string, number, integer, boolean, array, null';
    const faultsOf = (attributes: object) => {
      const reading = readProduct({ ...product, attributes });
      return reading.ok ? [] : reading.faults;
    };
    expect(faultsOf({ type: 'objekt' })).to.deep.equal([
      { path: 'attributes.type', kind: 'not_one_of_these', expected: types },
    ]);
    const nested = {
      type: 'object',
      properties: { type: { type: ['string', 'text'] }, list: { items: { type: 'int' } } },
      allOf: [{ not: { type: 'nil' } }],
    };
    expect(faultsOf(nested).map(({ path }) => path)).to.deep.equal([
      'attributes.allOf.0.not.type',
      'attributes.properties.type.type',
      'attributes.properties.list.items.type',
    ]);
    expect(faultsOf({ type: 'object', properties: { type: { type: 'string' } } })).to.deep.equal(
      [],
    );
  });
});

describe('a transition from a state that it cannot leave', () => {
  const closing = { closedAt: AT, reason: 'declined' } as const;
  const moment = { on: day('2026-11-25'), at: AT };
  const report = { ...PAID.payment, chargeId: 'ch-1', status: 'approved' } as Wrong;
  const ACTS: Readonly<Record<string, (sale: Wrong) => unknown>> = {
    issued: (sale) => issueSale(sale, POLICY),
    paid: (sale) => paySale(sale, report, AT),
    refused: (sale) => refuseSale(sale, closing),
    expired: (sale) => expireSale(sale, closing),
    cancelled: (sale) => cancelSale(sale, moment),
  };

  it('is thrown, with the states that it may leave', () => {
    for (const [to, act] of Object.entries(ACTS))
      for (const from of SALE_STATUSES) {
        const sale = salesInEveryState().find(({ status }) => status === from);
        if (sale === undefined) throw new Error(`no sale is ${from}`);
        const may = SALE_STATUSES.filter((each) =>
          (SALE_LIFECYCLE[each] as readonly string[]).includes(to),
        );
        // A refund that is undone makes a refunded sale cancelled, without a cancellation.
        const leaves = may.includes(from) && !(to === 'cancelled' && from === 'refunded');
        if (leaves) expect(() => act(sale), `${from} to ${to}`).not.to.throw();
        else
          expect(() => act(sale), `${from} to ${to}`).to.throw(
            TypeError,
            `what is ${from} cannot become ${to}, only what is `,
          );
      }
    expect(() => previewCancellation(ENDED as Wrong, moment.on)).to.throw(
      TypeError,
      'only what is',
    );
  });
  const ENDED = { ...PAID, status: 'refunded' };

  it('is thrown for the documents of an insurer', () => {
    const rejected = { status: 'rejected', reason: 'no' } as Wrong;
    expect(() => cancelQuotation(rejected)).to.throw(
      'what is rejected cannot become cancelled, only what is draft, quoted, issued',
    );
    expect(() => propose(rejected, 'PR-1', day('2026-11-20'))).to.throw('only what is quoted');
  });
});

describe('every reader', () => {
  const READERS = {
    ...{ parseCpf: domain.parseCpf, parseCnpj: domain.parseCnpj, parseTaxId: domain.parseTaxId },
    ...{
      parsePhone: domain.parsePhone,
      parseEmail: domain.parseEmail,
      parseImei: domain.parseImei,
    },
    ...{ parsePostcode: domain.parsePostcode, parseDate, parseInstant: domain.parseInstant },
    ...{ centsFromText: domain.centsFromText, parseReais: domain.parseReais },
    parseExternalSaleId: domain.parseExternalSaleId,
    parseMunicipalityCode: (given: unknown) => domain.parseMunicipalityCode(given, 'SP'),
    parseCard: (given: unknown) => domain.CardNumber.parse(given),
  };
  const NO_TEXTS = [undefined, null, 52_998_224_725, 0, true, {}, [], ['52998224725'], Symbol('x')];

  it('of a text gives undefined for what is no text', () => {
    for (const [name, read] of Object.entries(READERS))
      for (const given of [...NO_TEXTS, ''])
        expect(read(given), `${name} ${String(given)}`).to.equal(undefined);
  });

  it('of a number gives undefined for what is no number', () => {
    for (const read of [domain.centsFromNumber, domain.rateFromPercent])
      for (const given of [undefined, null, '150', true, {}, Number.NaN])
        expect(read(given)).to.equal(undefined);
  });

  it('takes no phone of zeros, and no unknown federative unit', () => {
    expect(domain.parsePhone('00000000000')).to.equal(undefined);
    expect([domain.isUf('SP'), domain.isUf('XX'), domain.isUf(null)]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});
