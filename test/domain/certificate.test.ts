import { expect } from 'chai';
import {
  certificateDueSince,
  coverOf,
  createSale,
  isCertified,
  isDocumented,
  issuedDocumentOf,
  numbered,
  readProduct,
  type Sale,
  saleTerms,
  standingOn,
} from '#domain';
import { channel, commissionOf, plan, product, TICKET_PRODUCT } from '../support/catalogue.ts';
import {
  APPROVED,
  AT,
  cancelledOn,
  day,
  ISSUED,
  LATER,
  PAID,
  POLICY,
  paidSale,
  pendingSale,
  salesInEveryState,
  terms,
} from '../support/sales.ts';

const period = { start: day('2026-12-01'), end: day('2026-12-10') };

describe('the certificate of a sale', () => {
  it('exists only for a sale paid to the channel and for an issued sale', () => {
    const certified = salesInEveryState().filter((sale) => isCertified(sale));
    expect(
      certified.map(
        ({ status, terms: { payment } }) => `${status}, paid to the ${payment.collectedBy}`,
      ),
    ).to.have.members([
      'paid, paid to the channel',
      ...['issued, paid to the service', 'issued, paid to the service'],
    ]);
    for (const sale of certified) expect(certificateDueSince(sale)).to.equal(AT);
  });

  it('is due for mailing when it is issued, unless the product mails it on request only', () => {
    expect(certificateDueSince(PAID)).to.equal(undefined);
    expect(certificateDueSince(createSale('T-1', AT, terms()))).to.equal(AT);
    expect(certificateDueSince({ ...ISSUED, policy: { ...POLICY, issuedAt: LATER } })).to.equal(
      LATER,
    );
    expect(certificateDueSince({ ...ISSUED, registeredAt: LATER })).to.equal(AT);
    expect(certificateDueSince(paidSale({ certificateMail: 'on_request' }))).to.equal(undefined);
    expect(
      certificateDueSince({ ...ISSUED, terms: terms({ certificateMail: 'on_request' }) }),
    ).to.equal(undefined);
  });

  it('is a numbered bilhete if the channel collects, or the policy if the service does', () => {
    expect(issuedDocumentOf({ ...paidSale(), id: 4_711 })).to.deep.equal({
      kind: 'bilhete',
      number: 'B-000004711',
      issuedAt: AT,
    });
    expect(issuedDocumentOf(ISSUED)).to.deep.equal({ kind: 'policy', number: 'P-1', issuedAt: AT });
    expect(issuedDocumentOf(cancelledOn(ISSUED, '2026-12-05'))).to.deep.equal({
      kind: 'policy',
      number: 'P-1',
      issuedAt: AT,
    });
    expect(issuedDocumentOf(cancelledOn(paidSale(), '2026-12-05'))?.kind).to.equal('bilhete');
    expect(
      [PAID, pendingSale(), cancelledOn(PAID, '2026-11-22')].map(issuedDocumentOf),
    ).to.deep.equal([undefined, undefined, undefined]);
  });

  it('stays documented after the contract has ended, with the payment that it names', () => {
    const documented = salesInEveryState().filter((sale) => isDocumented(sale));
    for (const { payment } of documented) expect(payment.status).to.equal('approved');
    expect(documented.map(({ status }) => status)).to.have.members([
      'paid',
      ...['issued', 'issued'],
      ...['cancelled', 'refunded', 'refunded'],
    ]);
  });

  it('covers the period of the policy, or the sold period if there is no policy', () => {
    expect(coverOf(paidSale({ period }))).to.deep.equal(period);
    expect(coverOf({ ...ISSUED, policy: { ...POLICY, period } })).to.deep.equal(period);
    expect(coverOf(cancelledOn(PAID, '2026-11-22'))).to.deep.equal(PAID.terms.period);
  });

  const STANDINGS: readonly [Sale, string, string | undefined][] = [
    [paidSale({ period }), '2026-11-30', 'to_begin'],
    [paidSale({ period }), '2026-12-01', 'in_force'],
    [paidSale({ period }), '2026-12-10', 'in_force'],
    [paidSale({ period }), '2026-12-11', 'ended'],
    [cancelledOn(paidSale({ period }), '2026-11-25'), '2026-12-05', 'cancelled'],
    [cancelledOn(ISSUED, '2026-12-05'), '2026-12-06', 'cancelled'],
    [PAID, '2026-12-05', undefined],
  ];
  for (const [sale, on, expected] of STANDINGS) {
    it(`has the standing ${expected} on ${on} for a sale with status ${sale.status}`, () => {
      expect(standingOn(sale, day(on))).to.equal(expected);
    });
  }
});

describe('the certificate data in the terms of a sale', () => {
  const {
    product: _,
    plan: __,
    coverages: ___,
    quote,
    cancellation,
    certificateMail,
    channelName,
    ...sold
  } = terms();
  const offer = {
    product: TICKET_PRODUCT,
    plan: TICKET_PRODUCT.plans[0],
    coverages: [],
    commissions: [commissionOf(1)],
  };

  it('includes the product version, the channel name and mailing on request', () => {
    const versioned = { ...TICKET_PRODUCT, version: 7, certificateMail: 'on_request' } as const;
    expect(
      saleTerms({ ...offer, product: versioned, channelName: channel().name }, quote, sold),
    ).to.deep.include({
      ...{ channelName: 'Canal de demonstração', certificateMail: 'on_request' },
      product: {
        id: 1,
        code: 'INGRESSO',
        line: 'event_ticket',
        name: 'Ingresso Protegido',
        version: 7,
      },
    });
  });

  it('includes the channel’s version, if the catalogue counts versions', () => {
    const versioned = saleTerms({ ...offer, channelVersion: 3 }, quote, sold);
    expect(versioned.channelVersion).to.equal(3);
    expect(saleTerms(offer, quote, sold)).not.to.have.property('channelVersion');
  });

  it('is omitted if the catalogue does not set it or sets the default', () => {
    const usual = { ...TICKET_PRODUCT, certificateMail: 'on_issue' } as const;
    const frozen = saleTerms({ ...offer, product: usual }, quote, sold);
    expect(frozen).not.to.have.any.keys('channelName', 'certificateMail');
    expect(frozen.product).not.to.have.property('version');
    expect(numbered(createSale('T', AT, frozen), 1).terms.cancellation).to.deep.equal(cancellation);
    expect([certificateMail, channelName, APPROVED.status]).to.deep.equal([
      undefined,
      undefined,
      'approved',
    ]);
  });
});

describe('the certificate settings of a product', () => {
  const read = (over: object) => readProduct({ ...product(), ...over });
  const { registration } = TICKET_PRODUCT;
  const insurer = { name: 'Seguradora S.A.', cnpj: '11222333000181', susepCode: '00000' };

  it('are optional', () => {
    const bare = { ...product({ plans: [plan()] }), registration: { ...registration, insurer } };
    expect(readProduct(bare)).to.deep.equal({ ok: true, value: bare });
  });

  it('accept limits, contacts of the insurer and mailing on request', () => {
    const whole = {
      ...product({ plans: [{ ...plan(), limit: 500_000 as never }] }),
      registration: {
        ...registration,
        insurer: { ...insurer, customerService: '0800 1', ombudsman: '0800 2' },
      },
      coverages: [{ id: 1, code: 'X', name: 'X', tariff: { kind: 'fixed', amount: 0 }, limit: 1 }],
      certificateMail: 'on_request',
    };
    expect(readProduct(whole)).to.deep.equal({ ok: true, value: whole });
  });

  const FAULTY: readonly [object, string, string][] = [
    [{ plans: [{ ...plan(), limit: 0 }] }, 'plans.0.limit', 'out_of_range'],
    [{ plans: [{ ...plan(), limit: 10.5 }] }, 'plans.0.limit', 'not_a_whole_number'],
    [{ certificateMail: 'never' }, 'certificateMail', 'not_one_of_these'],
    [
      { registration: { ...registration, insurer: { ...insurer, ombudsman: ' ' } } },
      'registration.insurer.ombudsman',
      'badly_formed',
    ],
    [
      { registration: { ...registration, insurer: { ...insurer, customerService: 'a\nb' } } },
      'registration.insurer.customerService',
      'badly_formed',
    ],
    [
      { registration: { ...registration, insurer: { ...insurer, fax: '1' } } },
      'registration.insurer.fax',
      'unknown_field',
    ],
  ];
  for (const [over, path, kind] of FAULTY) {
    it(`are refused with the fault ${kind} at ${path}`, () => {
      const reading = read(over);
      expect(
        reading.ok ? [] : reading.faults.map((fault) => ({ path: fault.path, kind: fault.kind })),
      ).to.deep.equal([{ path, kind }]);
    });
  }
});
