import { expect } from 'chai';
import {
  allocate,
  type CalendarDate,
  type Cents,
  calculateCommission,
  calculatePremium,
  centsFromText,
  type IofRate,
  parseCnpj,
  parseCpf,
  parseMunicipalityCode,
  parseTaxId,
  plus,
  rate as ppm,
  type Rate,
  rateFromPercent,
  UFS,
  type Uf,
} from '#domain';
import { vectors } from '../support/vectors.ts';

interface IofVectors {
  fromNet: {
    net: string;
    rate: string;
    iof: string;
    total: string;
    commissionRate?: string;
    commission?: string;
  }[];
  ties: { net: string; rate: string; halfUp: string; halfEven: string }[];
  floatTraps: { net: string; rate: string; iof: string }[];
  fromGross: { gross: string; rate: string; iof: string; net: string }[];
  installments: { total: string; count: number; parts: string[] }[];
}

interface TaxIdVectors {
  cpf: { valid: string[]; invalid: string[] };
  cnpj: { valid: string[]; invalid: string[] };
  cnpjAlphanumeric: { valid: string[]; invalid: string[] };
}

interface IbgeVectors {
  exceptions: string[];
  ufPrefixes: Record<string, string>;
  valid: Record<string, string>;
}

const money = (text: string): Cents => centsFromText(text) as Cents;
const percent = (text: string): Rate => rateFromPercent(Number(text)) as Rate;
const iofOf = (rate: string): IofRate => ({
  iofClass: 'general',
  from: '2008-01-03' as CalendarDate,
  rate: percent(rate),
  legalBasis: '',
});

describe('published figures are reproduced exactly', () => {
  const iof = vectors<IofVectors>('iof');

  for (const { net, rate, iof: tax, total, commissionRate, commission } of iof.fromNet) {
    it(`IOF of ${rate} % on ${net} is ${tax}, total ${total}`, () => {
      const figures = calculatePremium(money(net), 'net', iofOf(rate), 'half-up');
      expect(figures).to.include({
        net: money(net),
        iof: money(tax),
        total: money(total),
        iofRate: percent(rate),
        rounding: 'half-up',
      });
      if (commissionRate === undefined || commission === undefined) return;
      const earned = calculateCommission(
        figures,
        [{ kind: 'brokerage', rate: percent(commissionRate) }],
        ppm(1_000_000),
        'half-up',
      );
      expect(earned.amount).to.equal(money(commission));
      expect(plus(earned.netAmount, earned.amount)).to.equal(money(total));
    });
  }

  for (const { net, rate, halfUp, halfEven } of iof.ties) {
    it(`rounds the half cent of ${rate} % on ${net} to ${halfUp} half-up and to ${halfEven} half-even`, () => {
      expect(calculatePremium(money(net), 'net', iofOf(rate), 'half-up').iof).to.equal(
        money(halfUp),
      );
      expect(calculatePremium(money(net), 'net', iofOf(rate), 'half-even').iof).to.equal(
        money(halfEven),
      );
    });
  }

  for (const { net, rate, iof: tax } of iof.floatTraps) {
    it(`IOF of ${rate} % on ${net} is ${tax}, where floating point is one cent off`, () => {
      expect(calculatePremium(money(net), 'net', iofOf(rate), 'half-up').iof).to.equal(money(tax));
    });
  }

  for (const { gross, rate, iof: tax, net } of iof.fromGross) {
    it(`a gross ${gross} with ${rate} % IOF is ${net} of premium and ${tax} of IOF`, () => {
      expect(calculatePremium(money(gross), 'gross', iofOf(rate), 'half-up')).to.include({
        net: money(net),
        iof: money(tax),
        total: money(gross),
      });
    });
  }

  for (const { total, count, parts } of iof.installments) {
    it(`${total} in ${count} parts is ${parts.join(' + ')}`, () => {
      expect(allocate(money(total), count)).to.deep.equal(parts.map(money));
    });
  }
});

describe('published tax ids', () => {
  const { cpf, cnpj, cnpjAlphanumeric } = vectors<TaxIdVectors>('tax-ids');

  for (const id of cpf.valid) it(`${id} is a CPF`, () => expect(parseCpf(id)).to.equal(id));
  for (const id of cpf.invalid)
    it(`${id} is no CPF`, () => expect(parseCpf(id)).to.equal(undefined));
  for (const id of [...cnpj.valid, ...cnpjAlphanumeric.valid])
    it(`${id} is a CNPJ`, () => expect(parseCnpj(id)).to.equal(id));
  for (const id of [...cnpj.invalid, ...cnpjAlphanumeric.invalid]) {
    it(`${id} is no CNPJ`, () => expect(parseCnpj(id)).to.equal(undefined));
  }

  it('may have punctuation and lower-case letters', () => {
    expect(parseTaxId('111.444.777-35')).to.equal('11144477735');
    expect(parseTaxId('12.abc.345/01de-35')).to.equal('12ABC34501DE35');
    expect(parseTaxId('11.222.333/0001-81')).to.equal('11222333000181');
    expect(parseTaxId('')).to.equal(undefined);
  });
});

describe('published IBGE codes', () => {
  const { exceptions, ufPrefixes, valid } = vectors<IbgeVectors>('ibge');
  const stateOf = (code: string): Uf =>
    UFS.find((state) => ufPrefixes[state] === code.slice(0, 2)) as Uf;

  it('cover the prefixes of all 27 states', () => {
    expect([...UFS].sort()).to.deep.equal(Object.keys(ufPrefixes).sort());
  });
  for (const [code, state] of Object.entries(valid)) {
    it(`${code} belongs to ${state}`, () =>
      expect(parseMunicipalityCode(code, state as Uf)).to.equal(code));
  }
  it('use the digit sum of a product above nine for the check digit', () => {
    expect(parseMunicipalityCode('3549904', 'SP')).to.equal('3549904');
  });
  for (const code of exceptions) {
    it(`${code} is accepted although its check digit breaks the rule`, () =>
      expect(parseMunicipalityCode(code, stateOf(code))).to.equal(code));
  }

  it('are rejected with another state, check digit or length', () => {
    expect(parseMunicipalityCode('3550308', 'RJ')).to.equal(undefined);
    expect(parseMunicipalityCode('3550309', 'SP')).to.equal(undefined);
    // One of these codes has a valid check digit, but all have one digit too many.
    for (const last of '0123456789')
      expect(parseMunicipalityCode(`3550308${last}`, 'SP')).to.equal(undefined);
    for (const text of ['355030', '35503080', '35503088', 'a3550308', '3550308\n', '']) {
      expect(parseMunicipalityCode(text, 'SP')).to.equal(undefined);
    }
  });
});
