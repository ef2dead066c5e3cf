import { expect } from 'chai';
import {
  beginAttempt,
  cents,
  chargeNotMade,
  chargeNotOrdered,
  chargeOfOtherAmount,
  endUnissuable,
  hasDocuments,
  isChargedToCard,
  isTakenByInsurer,
  nextVersion,
  noDocumentsHeld,
  refuseWithoutCard,
  type Sale,
  type ServicePayment,
} from '#domain';
import {
  APPROVED,
  AT,
  AWAITED,
  AWAITING,
  day,
  ISSUED,
  LATER,
  PAID,
  paidSale,
  pendingSale,
  TOTAL,
} from '../support/sales.ts';

const card: ServicePayment = { collectedBy: 'service', method: 'credit', installments: 1 };
const boleto: ServicePayment = { collectedBy: 'service', method: 'boleto', installments: 1 };
const byCard = pendingSale({ payment: card });
const byBoleto = pendingSale({ payment: boleto });
const unknown = { status: 'unknown', amount: TOTAL } as const;
const refused = (sale: Sale) => ({
  ...sale,
  status: 'refused',
  reason: 'not_charged',
  closedAt: LATER,
});

describe('a sale that the service collects', () => {
  it('shows what a charge of another amount asks, at the gateway that was asked', () => {
    const { chargeId = '' } = APPROVED;
    const charge = { ...AWAITED, chargeId, amount: cents(1) };
    const asked = beginAttempt(byBoleto, 'charge', AT, 'sandbox');
    for (const sale of [byBoleto, asked])
      expect(chargeOfOtherAmount(sale, charge, false, LATER)).to.deep.include({
        status: 'awaiting_payment',
        payment: {
          ...{ ...charge, amount: TOTAL, asks: 1 },
          ...(sale === asked && { gateway: 'sandbox' }),
        },
      });
    expect(chargeOfOtherAmount(byBoleto, charge, true, LATER)).to.deep.equal(refused(byBoleto));
    expect(chargeOfOtherAmount(PAID, charge, true, LATER)).to.equal(PAID);
  });

  it('is charged to a card only if the channel chose a card', () => {
    expect(isChargedToCard(byCard)).to.equal(true);
    expect(isChargedToCard(byBoleto)).to.equal(false);
    expect(isChargedToCard(pendingSale())).to.equal(false);
    const ofChannel = paidSale({
      payment: { collectedBy: 'channel', method: 'credit', paidOn: day('2026-11-20') },
    });
    expect(isChargedToCard(ofChannel)).to.equal(false);
  });

  it('is to be charged again if its charge was not ordered', () => {
    const asked = { ...byCard, payment: unknown };
    expect(chargeNotOrdered(asked)).to.deep.equal(byCard);
    const named = { ...byCard, payment: { ...unknown, chargeId: 'ch-1' } };
    expect(chargeNotOrdered(named)).to.equal(named);
    expect(chargeNotOrdered(AWAITING)).to.equal(AWAITING);
    expect(chargeNotOrdered(PAID)).to.equal(PAID);
    const ofChannel = paidSale();
    expect(chargeNotOrdered(ofChannel)).to.equal(ofChannel);
  });

  it('is refused if a card charge was not made, and is charged again by other methods', () => {
    const asked = { ...byCard, payment: unknown };
    expect(chargeNotMade(asked, LATER)).to.deep.equal(refused(asked));
    expect(chargeNotMade({ ...byBoleto, payment: unknown }, LATER)).to.deep.equal(byBoleto);
    const paid = { ...PAID, terms: byCard.terms };
    expect(chargeNotMade(paid, LATER)).to.equal(paid);
  });

  it('is refused if the service lost the card number before the charge was ordered', () => {
    expect(refuseWithoutCard(byCard, LATER)).to.deep.equal(refused(byCard));
    for (const other of [
      byBoleto,
      { ...byCard, payment: unknown },
      { ...AWAITING, terms: byCard.terms },
      refused(byCard) as Sale,
      { ...PAID, terms: byCard.terms },
    ])
      expect(refuseWithoutCard(other, LATER)).to.equal(other);
  });
});

describe('a paid sale that the insurer does not issue', () => {
  const on = (text: string) => ({ on: day(text), at: LATER });

  it('is cancelled when more than 7 days have passed since the end of the coverage', () => {
    expect(PAID.terms.period.end).to.equal('2026-12-31');
    expect(endUnissuable(PAID, on('2027-01-07'))).to.equal(PAID);
    expect(endUnissuable(PAID, on('2027-01-08'))).to.deep.nested.include({
      status: 'cancelled',
      cancelledAt: LATER,
      'cancellation.by': 'insurer',
    });
  });

  it('is cancelled more than 7 days after a payment that came after the coverage', () => {
    const late = { ...PAID, payment: { ...APPROVED, paidOn: day('2027-01-05') } };
    expect(endUnissuable(late, on('2027-01-12'))).to.equal(late);
    expect(endUnissuable(late, on('2027-01-13')).status).to.equal('cancelled');
  });

  it('is not cancelled if the channel collected, if not paid, or before its sale date', () => {
    for (const sale of [paidSale(), AWAITING, ISSUED])
      expect(endUnissuable(sale, on('2028-01-01'))).to.equal(sale);

    const { period } = PAID.terms;
    const odd = {
      ...PAID,
      terms: {
        ...PAID.terms,
        period: { ...period, end: day('2025-01-01') },
        soldOn: day('2026-12-31'),
      },
      payment: { ...APPROVED, paidOn: day('2025-01-01') },
    };
    expect(endUnissuable(odd, on('2026-12-30'))).to.equal(odd);
  });
});

describe('the documents of a sale', () => {
  const quotation = { status: 'issued', number: 'Q-1' } as never;
  const having = (issuance: object): Sale => ({ ...PAID, issuance }) as Sale;

  it('exist once the quotation is no longer a draft', () => {
    expect(hasDocuments(PAID)).to.equal(false);
    expect(hasDocuments(having({ quotation: { status: 'draft' } }))).to.equal(false);
    expect(hasDocuments(having({ quotation }))).to.equal(true);
  });

  it('show which steps the insurer has completed', () => {
    const draft = having({ quotation: { status: 'draft' } });
    const quoted = having({ quotation });
    const proposed = having({ quotation, proposal: { status: 'issued' } });
    const withdrawn = having({ quotation: { status: 'cancelled' } });

    expect([PAID, draft, quoted].map((sale) => isTakenByInsurer(sale, 'quote'))).to.deep.equal([
      false,
      false,
      true,
    ]);
    expect([PAID, quoted, proposed].map((sale) => isTakenByInsurer(sale, 'propose'))).to.deep.equal(
      [false, false, true],
    );
    expect([PAID, ISSUED].map((sale) => isTakenByInsurer(sale, 'issue'))).to.deep.equal([
      false,
      true,
    ]);
    expect(
      [PAID, proposed, withdrawn].map((sale) => isTakenByInsurer(sale, 'withdraw_papers')),
    ).to.deep.equal([false, false, true]);
  });

  it('count as withdrawn once the insurer reports that it holds none', () => {
    const sale = noDocumentsHeld(having({ quotation }));
    expect(sale).to.deep.equal({ ...PAID, issuance: { quotation: { status: 'cancelled' } } });
    expect(isTakenByInsurer(sale, 'withdraw_papers')).to.equal(true);
  });
});

describe('a stored sale', () => {
  it('gets the next version number with each change', () => {
    expect(nextVersion(PAID)).to.deep.equal({ ...PAID, version: PAID.version + 1 });
    expect(PAID.registeredAt).to.equal(AT);
  });
});
