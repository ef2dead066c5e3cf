import { expect } from 'chai';
import {
  allocate,
  type CalendarDate,
  type Cents,
  centsFromText,
  commissionOn,
  type IofRate,
  parseCnpj,
  parseCpf,
  parseMunicipalityCode,
  parseTaxId,
  plus,
  rate as ppm,
  premium,
  type Rate,
  rateFromPercent,
  STATES,
  type State,
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

describe('published figures come out exactly', () => {
  const iof = vectors<IofVectors>('iof');

  for (const { net, rate, iof: tax, total, commissionRate, commission } of iof.fromNet) {
    it(`IOF of ${rate} % on ${net} is ${tax}, total ${total}`, () => {
      const figures = premium(money(net), 'net', iofOf(rate), 'half-up');
      expect(figures).to.include({
        net: money(net),
        iof: money(tax),
        total: money(total),
        iofRate: percent(rate),
        rounding: 'half-up',
      });
      if (commissionRate === undefined || commission === undefined) return;
      const earned = commissionOn(
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
    it(`the half cent of ${rate} % on ${net} goes to ${halfUp} half-up and to ${halfEven} half-even`, () => {
      expect(premium(money(net), 'net', iofOf(rate), 'half-up').iof).to.equal(money(halfUp));
      expect(premium(money(net), 'net', iofOf(rate), 'half-even').iof).to.equal(money(halfEven));
    });
  }

  for (const { net, rate, iof: tax } of iof.floatTraps) {
    it(`IOF of ${rate} % on ${net} is ${tax}, where floating point would be a cent off`, () => {
      expect(premium(money(net), 'net', iofOf(rate), 'half-up').iof).to.equal(money(tax));
    });
  }

  for (const { gross, rate, iof: tax, net } of iof.fromGross) {
    it(`${gross} with ${rate} % inside holds ${tax} of IOF and ${net} of premium`, () => {
      expect(premium(money(gross), 'gross', iofOf(rate), 'half-up')).to.include({
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

  it('are read with punctuation and in small letters', () => {
    expect(parseTaxId('111.444.777-35')).to.equal('11144477735');
    expect(parseTaxId('12.abc.345/01de-35')).to.equal('12ABC34501DE35');
    expect(parseTaxId('11.222.333/0001-81')).to.equal('11222333000181');
    expect(parseTaxId('')).to.equal(undefined);
  });
});

describe('published IBGE codes', () => {
  const { exceptions, ufPrefixes, valid } = vectors<IbgeVectors>('ibge');
  const stateOf = (code: string): State =>
    STATES.find((state) => ufPrefixes[state] === code.slice(0, 2)) as State;

  it('cover the 27 states with their prefixes', () => {
    expect([...STATES].sort()).to.deep.equal(Object.keys(ufPrefixes).sort());
  });
  for (const [code, state] of Object.entries(valid)) {
    it(`${code} lies in ${state}`, () =>
      expect(parseMunicipalityCode(code, state as State)).to.equal(code));
  }
  it('count a product above nine by the sum of its digits, and nine as nine', () => {
    expect(parseMunicipalityCode('3549904', 'SP')).to.equal('3549904');
  });
  for (const code of exceptions) {
    it(`${code} is accepted against the check digit rule`, () =>
      expect(parseMunicipalityCode(code, stateOf(code))).to.equal(code));
  }

  it('are refused with another state, another check digit, or another length', () => {
    expect(parseMunicipalityCode('3550308', 'RJ')).to.equal(undefined);
    expect(parseMunicipalityCode('3550309', 'SP')).to.equal(undefined);
    // One of these has a right check digit, and still a digit too many.
    for (const last of '0123456789')
      expect(parseMunicipalityCode(`3550308${last}`, 'SP')).to.equal(undefined);
    for (const text of ['355030', '35503080', '35503088', 'a3550308', '3550308\n', '']) {
      expect(parseMunicipalityCode(text, 'SP')).to.equal(undefined);
    }
  });
});
