import { expect } from 'chai';
import {
  type Fault,
  isLoopbackOrigin,
  type Reading,
  readCatalogue,
  readChannel,
  readProduct,
} from '#domain';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';

const PET = {
  id: 5,
  code: 'PET',
  name: 'Seguro Pet',
  line: 'pet',
  pricingBasis: 'gross',
  rounding: 'half-even',
  iofClass: 'health',
  collectedBy: 'service',
  commissionCap: 300_000,
  cancellation: { kind: 'short_period', iof: 'refunded' },
  registration: {
    susepProcess: '15414.900005/2026-00',
    branchCode: '31',
    branchName: 'Animais',
    insurer: { name: 'Seguradora Demonstração S.A.', cnpj: '12ABC34501DE35', susepCode: '1234' },
  },
  attributes: {
    type: 'object',
    required: ['species'],
    properties: { species: { enum: ['cat', 'dog', null, 4, true] } },
  },
  plans: [
    {
      id: 51,
      code: 'FILHOTE',
      name: 'Filhote',
      tariff: { kind: 'rate', rate: 1, minimum: 0 },
      period: { kind: 'declared' },
      maxInstallments: 60,
    },
  ],
  coverages: [
    {
      id: 501,
      code: 'VACINAS',
      name: 'Vacinas',
      tariff: { kind: 'rate', rate: 10_000, minimum: 100 },
    },
  ],
};

const [plan] = PET.plans;
const [coverage] = PET.coverages;

const faultsOf = <Value>(reading: Reading<Value>): readonly string[] =>
  reading.ok ? [] : reading.faults.map(({ path, kind }: Fault) => `${path}: ${kind}`);

const productFaults = (over: object): readonly string[] =>
  faultsOf(readProduct({ ...PET, ...over }));
const planFaults = (over: object): readonly string[] =>
  productFaults({ plans: [{ ...plan, ...over }] });
const coverageFaults = (over: object): readonly string[] =>
  productFaults({ coverages: [{ ...coverage, ...over }] });

describe('a product read from data', () => {
  it('equals the input, and is a copy', () => {
    for (const product of [PET, ...DEMO_PRODUCTS]) {
      const reading = readProduct(JSON.parse(JSON.stringify(product)));
      expect(reading).to.deep.equal({ ok: true, value: product });
    }
    const reading = readProduct(PET);
    expect(reading.ok && reading.value.plans).not.to.equal(PET.plans);
  });

  it('reports all faults at once, each with its path', () => {
    const reading = readProduct({
      ...PET,
      id: 0,
      name: ' Pet',
      rounding: 'up',
      commissioncap: 1,
      commissionCap: '30 %',
      registration: {
        ...PET.registration,
        insurer: { ...PET.registration.insurer, cnpj: '11222333000180' },
      },
      plans: [{ ...plan, tariff: { kind: 'rate', rate: 0.5, minimum: -1 } }, { id: 52 }],
      coverages: {},
    });
    expect(faultsOf(reading)).to.have.members([
      'id: out_of_range',
      'name: badly_formed',
      'rounding: not_one_of_these',
      'commissioncap: unknown_field',
      'commissionCap: not_a_whole_number',
      'registration.insurer.cnpj: badly_formed',
      'plans.0.tariff.rate: not_a_whole_number',
      'plans.0.tariff.minimum: out_of_range',
      'plans.1.code: missing',
      'plans.1.name: missing',
      'plans.1.tariff: missing',
      'plans.1.period: missing',
      'plans.1.maxInstallments: missing',
      'coverages: not_a_list',
    ]);
  });

  it('reports the accepted values with each fault', () => {
    const wrong = {
      ...PET,
      id: 0,
      name: '',
      code: '',
      line: '',
      rounding: 'up',
      commissionCap: 'all',
    };
    const registration = { ...PET.registration, susepProcess: '', branchCode: '' };
    const insurer = { ...PET.registration.insurer, cnpj: '', susepCode: '' };
    const reading = readProduct({
      ...wrong,
      registration: { ...registration, insurer },
      plans: [{ ...plan, tariff: { kind: 'cheap' }, maxInstallments: 0 }],
      coverages: 5,
    });
    const said = reading.ok ? [] : reading.faults.map(({ path, expected }) => [path, expected]);
    expect(Object.fromEntries(said)).to.deep.equal({
      id: '1 to 2147483647',
      code: 'letters, digits, dots, underscores and hyphens, 50 at most',
      name: 'one line without blanks around, 200 characters at most',
      line: 'small letters, digits and underscores, 50 at most',
      rounding: 'half-up, half-even',
      commissionCap: '0 to 1000000',
      'registration.susepProcess': '15414.NNNNNN/AAAA-DD',
      'registration.branchCode': '2 to 4 digits',
      'registration.insurer.cnpj': 'a CNPJ without punctuation',
      'registration.insurer.susepCode': '4 or 5 digits',
      'plans.0.tariff.kind': 'declared, fixed, rate',
      'plans.0.maxInstallments': '1 to 60',
      coverages: undefined,
    });
    const noLink = readChannel({ ...DEMO_CHANNEL, channelLink: '' });
    expect(noLink.ok ? [] : noLink.faults).to.deep.equal([
      {
        path: 'channelLink',
        kind: 'badly_formed',
        expected: 'letters, digits, dots, underscores, tildes and hyphens, 100 at most',
      },
    ]);
    const unfit = readProduct({ ...PET, coverages: 5 });
    expect(unfit).to.deep.equal({ ok: false, faults: [{ path: 'coverages', kind: 'not_a_list' }] });
  });

  it('must be an object', () => {
    for (const other of [undefined, null, 'product', 5, [], [PET]]) {
      expect(faultsOf(readProduct(other))).to.deep.equal([': not_an_object']);
    }
    expect(faultsOf(readProduct({}))).to.have.length(14);
    expect(faultsOf(readProduct(JSON.parse('{"__proto__": 1}')))).to.include(
      '__proto__: unknown_field',
    );
  });

  const TEXTS: readonly [string, readonly string[], readonly string[]][] = [
    ['code', ['A', 'a.b_c-1', 'x'.repeat(50)], ['', '-A', 'A B', 'é', 'x'.repeat(51), 'A\n']],
    [
      'name',
      ['A', 'Ünïcode — “sim”', 'x'.repeat(200)],
      [
        '',
        ' A',
        'A ',
        'A  B',
        'A\tB',
        'A\nB',
        'A\u0000',
        '\u2800',
        '\u3164\u200b',
        '\u0301',
        'x'.repeat(201),
      ],
    ],
    [
      'line',
      ['pet', 'event_ticket2', 'x'.repeat(50)],
      ['', 'Pet', '2pet', '_pet', 'pet-x', 'pet!', 'x'.repeat(51)],
    ],
  ];
  for (const [field, good, bad] of TEXTS) {
    it(`must have a well-formed ${field}`, () => {
      for (const text of good) expect(productFaults({ [field]: text }), text).to.deep.equal([]);
      for (const text of bad)
        expect(productFaults({ [field]: text }), text).to.deep.equal([`${field}: badly_formed`]);
      expect(productFaults({ [field]: 5 })).to.deep.equal([`${field}: not_a_text`]);
    });
  }

  it('must have numbers within their limits', () => {
    for (const id of [1, 2_147_483_647]) expect(productFaults({ id })).to.deep.equal([]);
    for (const id of [0, -1, 2_147_483_648])
      expect(productFaults({ id })).to.deep.equal(['id: out_of_range']);
    for (const id of [1.5, Number.NaN, '1', null])
      expect(productFaults({ id })).to.deep.equal(['id: not_a_whole_number']);
    for (const commissionCap of [0, 1_000_000])
      expect(productFaults({ commissionCap })).to.deep.equal([]);
    for (const commissionCap of [-1, 1_000_001]) {
      expect(productFaults({ commissionCap })).to.deep.equal(['commissionCap: out_of_range']);
    }
  });

  it('must have one of the known values in each enumerated field', () => {
    for (const value of ['net', 'gross'])
      expect(productFaults({ pricingBasis: value })).to.deep.equal([]);
    for (const value of ['half-up', 'half-even'])
      expect(productFaults({ rounding: value })).to.deep.equal([]);
    for (const value of ['general', 'life', 'health', 'exempt'])
      expect(productFaults({ iofClass: value })).to.deep.equal([]);
    for (const value of ['channel', 'service'])
      expect(productFaults({ collectedBy: value })).to.deep.equal([]);
    for (const kind of ['pro_rata', 'short_period']) {
      for (const iof of ['retained', 'refunded'])
        expect(productFaults({ cancellation: { kind, iof } })).to.deep.equal([]);
    }
    expect(
      productFaults({
        pricingBasis: '',
        iofClass: 'other',
        collectedBy: 'me',
        cancellation: { kind: 'x', iof: 'y' },
      }),
    ).to.have.members([
      'pricingBasis: not_one_of_these',
      'iofClass: not_one_of_these',
      'collectedBy: not_one_of_these',
      'cancellation.kind: not_one_of_these',
      'cancellation.iof: not_one_of_these',
    ]);
  });

  it('must have a SUSEP process, a branch and an insurer', () => {
    const registered = (over: object) =>
      productFaults({ registration: { ...PET.registration, ...over } });
    for (const susepProcess of [
      '15414.900005/2026-0',
      'x15414.900005/2026-00',
      '15414.900005/2026-00x',
      '15414-900005/2026-00',
    ]) {
      expect(registered({ susepProcess })).to.deep.equal([
        'registration.susepProcess: badly_formed',
      ]);
    }
    for (const branchCode of ['01', '1234']) expect(registered({ branchCode })).to.deep.equal([]);
    for (const branchCode of ['1', '12345', 'a12', '12a']) {
      expect(registered({ branchCode })).to.deep.equal(['registration.branchCode: badly_formed']);
    }
    const insurer = (over: object) =>
      registered({ insurer: { ...PET.registration.insurer, ...over } });
    for (const susepCode of ['1234', '12345']) expect(insurer({ susepCode })).to.deep.equal([]);
    for (const susepCode of ['123', '123456', 'a1234', '1234a']) {
      expect(insurer({ susepCode })).to.deep.equal([
        'registration.insurer.susepCode: badly_formed',
      ]);
    }
    expect(insurer({ cnpj: '12.ABC.345/01DE-35' })).to.deep.equal([
      'registration.insurer.cnpj: badly_formed',
    ]);
    expect(registered({ branchName: '', insurer: 'X' })).to.deep.equal([
      'registration.branchName: badly_formed',
      'registration.insurer: not_an_object',
    ]);
  });

  it('must have at least one plan, with distinct ids and codes', () => {
    expect(productFaults({ plans: [] })).to.deep.equal(['plans: empty_list']);
    expect(productFaults({ plans: 'PADRAO' })).to.deep.equal(['plans: not_a_list']);
    expect(productFaults({ plans: new Array(1) })).to.deep.equal(['plans.0: not_an_object']);
    expect(productFaults({ plans: [plan, null, { ...plan, id: 52 }] })).to.deep.equal([
      'plans.1: not_an_object',
      'plans.2.code: repeated',
    ]);
    expect(productFaults({ plans: [plan, { ...plan, code: 'OUTRO' }] })).to.deep.equal([
      'plans.1.id: repeated',
    ]);
    expect(
      productFaults({
        plans: [plan, { ...plan, id: 'x', code: 'B' }, { ...plan, id: 'y', code: 'C' }],
      }),
    ).to.deep.equal(['plans.1.id: not_a_whole_number', 'plans.2.id: not_a_whole_number']);
  });

  it('may have coverages, with distinct ids and codes', () => {
    expect(productFaults({ coverages: [] })).to.deep.equal([]);
    expect(productFaults({ coverages: [coverage, coverage] })).to.deep.equal([
      'coverages.1.id: repeated',
      'coverages.1.code: repeated',
    ]);
  });
});

describe('an attribute schema read from data', () => {
  it('may be any JSON object, and is a copy', () => {
    const reading = readProduct(PET);
    expect(reading.ok && reading.value.attributes).not.to.equal(PET.attributes);
    for (const attributes of [{}, { a: [1, { b: null }] }, JSON.parse('{"__proto__": {"a": 1}}')]) {
      const read = readProduct({ ...PET, attributes });
      expect(JSON.stringify(read.ok && read.value.attributes)).to.equal(JSON.stringify(attributes));
    }
  });

  it('must be an object of JSON values only', () => {
    for (const attributes of [null, [], 'schema', 5]) {
      expect(productFaults({ attributes })).to.deep.equal(['attributes: not_an_object']);
    }
    const unstorable = { a: 'x\u0000', b: ['\ud800'], 'c\u0000': 1, d: '👍' };
    expect(productFaults({ attributes: unstorable })).to.deep.equal([
      ...['attributes.a: not_json', 'attributes.b.0: not_json', 'attributes: not_json'],
    ]);
    const odd = { a: undefined, b: Number.NaN, c: [() => 1], d: 1n };
    expect(productFaults({ attributes: odd })).to.deep.equal([
      'attributes.a: not_json',
      'attributes.b: not_json',
      'attributes.c.0: not_json',
      'attributes.d: not_json',
    ]);
  });

  it('has at most 1,000 values and 12 levels', () => {
    const levels = (count: number): object => (count === 0 ? {} : { a: levels(count - 1) });
    const values = (count: number) => ({ list: Array.from({ length: count }, () => 1) });
    expect(productFaults({ attributes: levels(11) })).to.deep.equal([]);
    expect(productFaults({ attributes: levels(12) })).to.deep.equal([
      `attributes${'.a'.repeat(12)}: too_deep`,
    ]);
    const lists = (count: number): unknown => (count === 0 ? 1 : [lists(count - 1)]);
    expect(productFaults({ attributes: { a: lists(11) } })).to.deep.equal([]);
    expect(productFaults({ attributes: { a: lists(12) } })).to.deep.equal([
      `attributes.a${'.0'.repeat(11)}: too_deep`,
    ]);
    expect(productFaults({ attributes: values(998) })).to.deep.equal([]);
    expect(productFaults({ attributes: values(999) })).to.deep.equal(['attributes: too_large']);
    expect(productFaults({ attributes: values(100_000) })).to.deep.equal(['attributes: too_large']);
    expect(readProduct({ ...PET, attributes: { a: levels(12), ...values(1_000) } })).to.deep.equal({
      ok: false,
      faults: [
        { path: `attributes${'.a'.repeat(12)}`, kind: 'too_deep', expected: '12' },
        { path: 'attributes', kind: 'too_large', expected: '1000' },
      ],
    });
  });
});

describe('a plan read from data', () => {
  it('must have a valid tariff', () => {
    expect(planFaults({ tariff: { kind: 'declared' } })).to.deep.equal([]);
    expect(planFaults({ tariff: { kind: 'fixed', amount: 1 } })).to.deep.equal([]);
    expect(planFaults({ tariff: { kind: 'fixed', amount: 0 } })).to.deep.equal([
      'plans.0.tariff.amount: out_of_range',
    ]);
    expect(planFaults({ tariff: { kind: 'fixed', amount: 10_000_000_000_001 } })).to.deep.equal([
      'plans.0.tariff.amount: out_of_range',
    ]);
    expect(planFaults({ tariff: { kind: 'rate', rate: 0, minimum: 1 } })).to.deep.equal([
      'plans.0.tariff.rate: out_of_range',
    ]);
    expect(planFaults({ tariff: { kind: 'fixed', amount: 5, minimum: 1 } })).to.deep.equal([
      'plans.0.tariff.minimum: unknown_field',
    ]);
    expect(planFaults({ tariff: { amount: 5 } })).to.deep.equal(['plans.0.tariff.kind: missing']);
    for (const tariff of [null, 'fixed', 5, []])
      expect(planFaults({ tariff })).to.deep.equal(['plans.0.tariff: not_an_object']);
    expect(planFaults({ tariff: { kind: ['rate'], minimum: 1 } })).to.deep.equal([
      'plans.0.tariff.kind: not_one_of_these',
    ]);
    for (const kind of ['toString', 'cheap', 5]) {
      expect(planFaults({ tariff: { kind } })).to.deep.equal([
        'plans.0.tariff.kind: not_one_of_these',
      ]);
    }
  });

  it('must have a valid period rule', () => {
    for (const kind of ['payment_to_event', 'declared'])
      expect(planFaults({ period: { kind } })).to.deep.equal([]);
    for (const months of [1, 120])
      expect(planFaults({ period: { kind: 'months', months } })).to.deep.equal([]);
    for (const months of [0, 121]) {
      expect(planFaults({ period: { kind: 'months', months } })).to.deep.equal([
        'plans.0.period.months: out_of_range',
      ]);
    }
  });

  it('allows 1 to 60 installments', () => {
    for (const maxInstallments of [1, 60])
      expect(planFaults({ maxInstallments })).to.deep.equal([]);
    for (const maxInstallments of [0, 61]) {
      expect(planFaults({ maxInstallments })).to.deep.equal([
        'plans.0.maxInstallments: out_of_range',
      ]);
    }
  });
});

describe('what a product says of itself on the certificate', () => {
  const included = { name: 'Roubo', premiumShare: 600_000 };
  const texts = {
    description: 'Subtração com violência.',
    notCovered: ['furto simples', 'perda'],
  };
  const conditions = {
    includes: [
      { ...included, ...texts, limit: 100_000 },
      { name: 'Furto qualificado', premiumShare: 400_000 },
    ],
    deductible: { kind: 'rate', rate: 200_000, minimum: 15_000 },
    waitingDays: 30,
    exclusions: ['guerra'],
    claimDocuments: ['boletim de ocorrência'],
    claimContact: 'sinistro@example.com',
  };

  it('is kept as it was given, and may be left out', () => {
    const product = {
      ...PET,
      plans: [{ ...plan, ...conditions }],
      coverages: [
        {
          ...coverage,
          ...texts,
          tariff: { kind: 'fixed', amount: 0 },
          premiumShare: 1_000_000,
        },
      ],
    };
    expect(readProduct(product)).to.deep.equal({ ok: true, value: product });
    expect(planFaults({ deductible: { kind: 'fixed', amount: 0 }, waitingDays: 0 })).to.deep.equal(
      [],
    );
    expect(planFaults({ exclusions: [], claimDocuments: [] })).to.deep.equal([]);
  });

  it('has lines of text without control characters, each up to its length', () => {
    expect(
      planFaults({ exclusions: ['x'.repeat(500)], claimContact: 'x'.repeat(200) }),
    ).to.deep.equal([]);
    expect(coverageFaults({ description: 'x'.repeat(1_000) })).to.deep.equal([]);
    expect(
      planFaults({
        exclusions: ['x'.repeat(501), ''],
        claimDocuments: 'RG',
        claimContact: 'a\nb',
        waitingDays: 1_096,
        deductible: { kind: 'declared' },
      }),
    ).to.deep.equal([
      'plans.0.deductible.kind: not_one_of_these',
      'plans.0.waitingDays: out_of_range',
      'plans.0.exclusions.0: badly_formed',
      'plans.0.exclusions.1: badly_formed',
      'plans.0.claimDocuments: not_a_list',
      'plans.0.claimContact: badly_formed',
    ]);
    expect(coverageFaults({ description: 'x'.repeat(1_001), notCovered: [' x'] })).to.deep.equal([
      'coverages.0.description: badly_formed',
      'coverages.0.notCovered.0: badly_formed',
    ]);
  });

  it('divides the whole price of a plan among the coverages that it includes', () => {
    const faults = (...includes: object[]) => planFaults({ includes });
    const rest = { name: 'Furto', premiumShare: 400_000 };
    expect(faults(included, rest)).to.deep.equal([]);
    expect(faults({ ...included, premiumShare: 1_000_000 })).to.deep.equal([]);
    for (const wrong of [399_999, 400_001])
      expect(faults(included, { ...rest, premiumShare: wrong })).to.deep.equal([
        'plans.0.includes: shares_not_whole',
      ]);
    expect(faults(included, { ...included, premiumShare: 400_000 })).to.deep.equal([
      'plans.0.includes.1.name: repeated',
    ]);
    expect(faults()).to.deep.equal(['plans.0.includes: empty_list']);
    expect(faults({ name: 'Roubo' })).to.deep.equal(['plans.0.includes.0.premiumShare: missing']);
    expect(planFaults({ includes: [null] })).to.deep.equal(['plans.0.includes.0: not_an_object']);
    expect(planFaults({ includes: 'x' })).to.deep.equal(['plans.0.includes: not_a_list']);
  });

  it('gives a coverage a price of its own or a share of the plan’s price, never both', () => {
    const free = { tariff: { kind: 'fixed', amount: 0 } };
    expect(coverageFaults({ ...free, premiumShare: 200_000 })).to.deep.equal([]);
    for (const tariff of [{ kind: 'fixed', amount: 1 }, coverage?.tariff])
      expect(coverageFaults({ tariff, premiumShare: 200_000 })).to.deep.equal([
        'coverages.0.premiumShare: priced_twice',
      ]);
    expect(coverageFaults({ tariff: undefined, premiumShare: 1 })).to.deep.equal([
      'coverages.0.tariff: not_an_object',
    ]);
    const share = (id: number, premiumShare: number) => ({
      ...{ ...coverage, ...free },
      ...{ id, code: `C${id}`, premiumShare },
    });
    expect(productFaults({ coverages: [share(1, 600_000), share(2, 400_000)] })).to.deep.equal([]);
    expect(productFaults({ coverages: [share(1, 600_000), share(2, 400_001)] })).to.deep.equal([
      'coverages: shares_above_whole',
    ]);
  });
});

describe('a coverage read from data', () => {
  it('may be free, and cannot have a declared price', () => {
    expect(coverageFaults({ tariff: { kind: 'fixed', amount: 0 } })).to.deep.equal([]);
    expect(coverageFaults({ tariff: { kind: 'fixed', amount: -1 } })).to.deep.equal([
      'coverages.0.tariff.amount: out_of_range',
    ]);
    expect(coverageFaults({ tariff: { kind: 'declared' } })).to.deep.equal([
      'coverages.0.tariff.kind: not_one_of_these',
    ]);
  });
});

describe('a channel read from data', () => {
  const [grant] = DEMO_CHANNEL.grants;
  const channelFaults = (over: object): readonly string[] =>
    faultsOf(readChannel({ ...DEMO_CHANNEL, ...over }));

  it('equals the input', () => {
    expect(readChannel(JSON.parse(JSON.stringify(DEMO_CHANNEL)))).to.deep.equal({
      ok: true,
      value: DEMO_CHANNEL,
    });
    expect(channelFaults({ active: false, grants: [] })).to.deep.equal([]);
  });

  it('must have a link of characters that a URL does not escape', () => {
    for (const channelLink of ['a', 'Canal-1.b_c~d', 'x'.repeat(100)])
      expect(channelFaults({ channelLink })).to.deep.equal([]);
    for (const channelLink of ['', '-a', 'a b', 'a/b', 'ção', 'x'.repeat(101), 'a\n']) {
      expect(channelFaults({ channelLink })).to.deep.equal(['channelLink: badly_formed']);
    }
  });

  it('may have a CNPJ, also with letters, and a role', () => {
    for (const cnpj of ['11222333000181', '12ABC34501DE35', '12abc34501de35'])
      for (const role of ['representative', 'broker', 'policyholder'])
        expect(channelFaults({ cnpj, role, grants: [] })).to.deep.equal([]);
    expect(channelFaults({ cnpj: '12.ABC.345/01DE-35', role: 'corretor' })).to.deep.equal([
      'cnpj: badly_formed',
      'role: not_one_of_these',
    ]);
    const { cnpj: _, role: __, ...bare } = DEMO_CHANNEL;
    expect(readChannel(bare)).to.deep.equal({ ok: true, value: bare });
  });

  it('may have origins to return to, in their canonical form', () => {
    const returnOrigins = [
      'https://loja.example',
      'https://www.loja-1.com.br:8443',
      'https://xn--aa-jja.example',
      'http://localhost',
      'http://localhost:8080',
      'https://a.b:65535',
    ];
    for (const each of returnOrigins) expect(new URL(each).origin).to.equal(each);
    expect(channelFaults({ returnOrigins })).to.deep.equal([]);
    expect(channelFaults({ returnOrigins: [] })).to.deep.equal([]);

    for (const wrong of [
      'http://loja.example',
      'https://loja.example/',
      'https://loja.example/pagar',
      'https://*.example',
      'https://eu@loja.example',
      'https://Loja.example',
      'https://loja.example:443',
      'http://localhost:80',
      'https://loja.example:65536',
      'https://loja.example:08',
      'https://localhost',
      'https://192.0.2.1',
      'https://[::1]',
      'https://loja..example',
      'https://-loja.example',
      `https://${'a'.repeat(64)}.example`,
      `https://${'a.'.repeat(126)}aa`,
      'javascript:alert(1)',
      'https://loja.example\n',
      '',
    ])
      expect(channelFaults({ returnOrigins: [wrong] }), wrong).to.deep.equal([
        'returnOrigins.0: badly_formed',
      ]);
    expect(channelFaults({ returnOrigins: 'https://loja.example' })).to.deep.equal([
      'returnOrigins: not_a_list',
    ]);
    expect(
      channelFaults({ returnOrigins: ['https://a.example', 'https://a.example'] }),
    ).to.deep.equal(['returnOrigins.1: repeated']);
  });

  it('may return to the own machine in tests, whatever its port', () => {
    for (const own of ['http://localhost', 'https://a.localhost:1', 'http://127.0.0.9:80'])
      expect(isLoopbackOrigin(own), own).to.equal(true);
    for (const other of ['http://localhost.example', 'https://127.0.0.1.example', 'https://[::2]'])
      expect(isLoopbackOrigin(other), other).to.equal(false);
  });

  it('must be active or inactive, and must grant each product at most once', () => {
    expect(channelFaults({ active: 'yes', grants: [grant, grant] })).to.deep.equal([
      'active: not_true_or_false',
      'grants.1.productCode: repeated',
    ]);
  });

  it('must have each kind of commission at most once, for the product and for each plan', () => {
    const brokerage = { kind: 'brokerage', rate: 0 };
    const all = ['brokerage', 'agency', 'pro_labore', 'representative'].map((kind) => ({
      kind,
      rate: 1_000_000,
    }));
    const faultsOfRole = (role: string | undefined, over: object) => {
      const { role: _, ...roleless } = DEMO_CHANNEL;
      return faultsOf(readChannel({ ...roleless, ...(role && { role }), ...over }));
    };
    expect(faultsOfRole(undefined, { grants: [{ ...grant, commissions: all }] })).to.deep.equal([]);
    const plans = [
      { planCode: 'A', commissions: [brokerage] },
      { planCode: 'A', commissions: [{ kind: 'gift', rate: -1 }] },
    ];
    expect(
      faultsOfRole('broker', {
        grants: [{ ...grant, commissions: [brokerage, brokerage], plans }],
      }),
    ).to.have.members([
      'grants.0.commissions.1.kind: repeated',
      'grants.0.plans.1.planCode: repeated',
      'grants.0.plans.1.commissions.0.kind: not_one_of_these',
      'grants.0.plans.1.commissions.0.rate: out_of_range',
    ]);
  });

  it('has its own faults alone where its grants cannot be read', () => {
    const broken = [null, { ...grant, commissions: 7, plans: 7 }, { ...grant, plans: [null] }];
    for (const found of [channelFaults({ grants: 7 }), channelFaults({ grants: broken })])
      expect(found.filter((fault) => fault.includes('kind'))).to.deep.equal([]);
  });

  it('earns what its role earns, and never another’s', () => {
    const kinds = ['brokerage', 'agency', 'pro_labore', 'representative'];
    const commissions = kinds.map((kind) => ({ kind, rate: 1 }));
    const plans = [{ planCode: 'A', commissions }];
    for (const [role, own] of Object.entries({
      representative: ['representative'],
      broker: ['brokerage', 'agency'],
      policyholder: ['pro_labore'],
    })) {
      const foreign = kinds.flatMap((kind, index) => (own.includes(kind) ? [] : [index]));
      const found = channelFaults({ role, grants: [{ ...grant, commissions, plans }] });
      expect(found, role).to.have.members([
        ...foreign.map((at) => `grants.0.commissions.${at}.kind: not_one_of_these`),
        ...foreign.map((at) => `grants.0.plans.0.commissions.${at}.kind: not_one_of_these`),
      ]);
    }
  });
});

describe('a catalogue read from data', () => {
  const products = [...DEMO_PRODUCTS, PET];
  const grant = (commissions: object[], plans: object[] = []) => ({
    productCode: 'PET',
    commissions,
    plans,
  });
  const channelWith = (...grants: object[]) => ({
    ...DEMO_CHANNEL,
    channelLink: 'pet-shop',
    role: 'broker',
    grants,
  });
  const rated = (rate: number, kind = 'brokerage') => ({ kind, rate });

  it('accepts the four demo products, and a fifth product that only this test defines', () => {
    const data = {
      products,
      channels: [DEMO_CHANNEL, channelWith(grant([rated(200_000), rated(100_000, 'agency')]))],
    };
    expect(readCatalogue(JSON.parse(JSON.stringify(data)))).to.deep.equal({
      ok: true,
      value: data,
    });
  });

  it('rejects repeated ids among products and plans, and repeated product codes', () => {
    const twin = { ...PET, id: 51, code: 'GATO', plans: [{ ...plan, id: 1 }] };
    expect(
      faultsOf(readCatalogue({ products: [...products, twin], channels: [] })),
    ).to.have.members(['products.5.id: repeated', 'products.5.plans.0.id: repeated']);
    expect(
      faultsOf(readCatalogue({ products: [PET, PET], channels: [DEMO_CHANNEL, DEMO_CHANNEL] })),
    ).to.deep.equal(['products.1.code: repeated', 'channels.1.channelLink: repeated']);
  });

  it('rejects grants of unknown products and plans', () => {
    const channels = [
      DEMO_CHANNEL,
      channelWith(
        { ...grant([]), productCode: 'GATO' },
        grant([], [{ planCode: 'ADULTO', commissions: [] }]),
      ),
    ];
    expect(faultsOf(readCatalogue({ products, channels }))).to.deep.equal([
      'channels.1.grants.0.productCode: not_found',
      'channels.1.grants.1.plans.0.planCode: not_found',
    ]);
  });

  it('accepts a grant of any plan of the product', () => {
    const two = { ...PET, plans: [plan, { ...plan, id: 52, code: 'ADULTO' }] };
    const plans = [
      { planCode: 'ADULTO', commissions: [] },
      { planCode: 'FILHOTE', commissions: [] },
    ];
    expect(
      faultsOf(readCatalogue({ products: [two], channels: [channelWith(grant([], plans))] })),
    ).to.deep.equal([]);
  });

  it('rejects commissions above the cap of the product', () => {
    const over = [rated(200_000), rated(100_001, 'agency')];
    const channels = [channelWith(grant(over, [{ planCode: 'FILHOTE', commissions: over }]))];
    const reading = readCatalogue({ products, channels });
    expect(reading.ok ? '' : reading.faults[0]?.expected).to.equal('300000 at most, all together');
    expect(faultsOf(readCatalogue({ products, channels }))).to.deep.equal([
      'channels.0.grants.0.commissions: above_cap',
      'channels.0.grants.0.plans.0.commissions: above_cap',
    ]);
  });

  it('is checked as a whole only if its products and channels have no faults', () => {
    const channels = [{ ...channelWith(grant([rated(300_001)])), name: '' }];
    expect(faultsOf(readCatalogue({ products, channels }))).to.deep.equal([
      'channels.0.name: badly_formed',
    ]);
    expect(faultsOf(readCatalogue(null))).to.deep.equal([': not_an_object']);
  });
});
