import { expect } from 'chai';
import {
  applyPaymentReport,
  cancellationProtocol,
  cancelSale,
  type EndedByCancellation,
  endNoticeDue,
  expireSale,
  protocolOf,
  refuseSale,
  type Sale,
  unbookedMoneyOf,
} from '#domain';
import {
  APPROVED,
  AWAITING,
  day,
  ISSUED,
  LATER,
  PAID,
  paidSale,
  pendingSale,
  salesInEveryState,
  stateOf,
  TOTAL,
} from '../support/sales.ts';

const ON = day('2026-12-05');
const NOW = { on: ON, at: LATER };
const cancelled = (sale: Parameters<typeof cancelSale>[0], by?: 'insurer'): Sale =>
  stateOf(cancelSale(sale, NOW, by));

describe('the protocol of a cancellation', () => {
  const protocol = (over: object = {}) =>
    cancellationProtocol({
      saleId: 17,
      ticket: '01M7YT3JAHDR4EX1NJJCGWCZ8P',
      on: day('2026-11-20'),
      ...over,
    });

  it('is digits that can be read on the phone: day, sale, and seven others', () => {
    expect(protocol()).to.equal('20261120-17-2336172');
    expect(protocol({ saleId: 9_007_199_254_740_991 })).to.match(
      /^20261120-9007199254740991-\d{7}$/,
    );
  });

  it('has a check digit, so that one digit heard wrong is noticed', () => {
    const luhn = (digits: string) =>
      [...digits].reverse().reduce((sum, digit, index) => {
        const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
        return sum + (value > 9 ? value - 9 : value);
      }, 0) % 10;
    for (let saleId = 1; saleId < 200; saleId += 1) {
      const digits = protocol({ saleId, ticket: `T-${saleId}` }).replaceAll('-', '');
      expect(luhn(digits)).to.equal(0);
      const place = saleId % digits.length;
      const wrong = String((Number(digits[place]) + 1) % 10);
      expect(luhn(digits.slice(0, place) + wrong + digits.slice(place + 1))).not.to.equal(0);
    }
  });

  it('cannot be computed from the number of the sale: it depends on the ticket', () => {
    const secrets = Array.from({ length: 2_000 }, (_, index) =>
      protocol({ ticket: `01M7YT3JAHDR4EX1NJJCG${String(index).padStart(5, '0')}` }).slice(12, 18),
    );
    expect(new Set(secrets).size).to.be.greaterThan(1_990);
    for (const secret of secrets) expect(secret).to.match(/^\d{6}$/);
    for (let first = 0; first < 10; first += 1)
      expect(secrets.some((secret) => secret.startsWith(String(first)))).to.equal(true);
  });

  it('belongs to cancelled and refunded sales only, and stays when the money goes back', () => {
    const shown = salesInEveryState().filter((sale) => protocolOf(sale) !== undefined);
    expect(new Set(shown.map(({ status }) => status))).to.deep.equal(
      new Set(['cancelled', 'refunded']),
    );
    const sale = cancelled(PAID);
    const { chargeId, amount } = APPROVED;
    const report = { status: 'returned', chargeId, amount, returned: amount } as const;
    const refunded = stateOf(
      applyPaymentReport(sale, report, { on: day('2026-12-09'), at: LATER }),
    );
    expect(refunded.status).to.equal('refunded');
    expect(protocolOf(refunded)).to.equal(protocolOf(sale));
    expect(protocolOf(sale)).to.match(/^20261205-\d+-\d{7}$/);
  });
});

describe('the notice that a sale has ended is due', () => {
  it('if the insured or the insurer ended the contract, or the payment was returned', () => {
    for (const sale of [paidSale(), PAID, ISSUED])
      expect(endNoticeDue(cancelled(sale))).to.equal(LATER);
    expect(endNoticeDue(cancelled(ISSUED, 'insurer'))).to.equal(LATER);
    const { chargeId, amount } = APPROVED;
    const report = { status: 'returned', chargeId, amount, returned: amount } as const;
    expect(endNoticeDue(stateOf(applyPaymentReport(ISSUED, report, NOW)))).to.equal(LATER);
  });

  it('also before the payment, if there is a boleto or link, or a charge may exist', () => {
    expect(endNoticeDue(cancelled(AWAITING))).to.equal(LATER);
    const { amount } = pendingSale().payment;
    const unknown = { ...pendingSale(), payment: { status: 'unknown', amount } } as const;
    expect(endNoticeDue(cancelled(unknown))).to.equal(LATER);
  });

  it('also before any charge, if the insurer’s side ended the purchase', () => {
    expect(endNoticeDue(cancelled(pendingSale(), 'insurer'))).to.equal(LATER);
  });

  it('if the sale was refused, or not paid in time', () => {
    const refused = refuseSale(pendingSale(), { reason: 'declined', closedAt: LATER });
    const expired = expireSale(AWAITING, { closedAt: LATER });
    for (const ended of [refused, expired])
      expect(endNoticeDue(stateOf<Sale>(ended))).to.equal(LATER);
  });

  it('not if the insured ended it before a charge, and not of a sale that goes on', () => {
    expect(endNoticeDue(cancelled(pendingSale()))).to.equal(undefined);
    for (const sale of [PAID, ISSUED, AWAITING, paidSale()])
      expect(endNoticeDue(sale)).to.equal(undefined);
  });
});

describe('the money of a sale that was cancelled before a payment was booked', () => {
  const moneyOf = (sale: Parameters<typeof cancelSale>[0]) =>
    unbookedMoneyOf(cancelled(sale, 'insurer') as EndedByCancellation);

  it('was not charged, not paid, or the gateway has not said', () => {
    const unknown = { ...pendingSale(), payment: { status: 'unknown', amount: TOTAL } } as const;
    expect(moneyOf(pendingSale())).to.deep.equal({ kind: 'not_charged', received: 0 });
    expect(moneyOf(AWAITING)).to.deep.equal({ kind: 'not_paid', received: 0 });
    expect(moneyOf(unknown)).to.deep.equal({ kind: 'unknown', received: 0 });
  });

  it('is what has arrived since', () => {
    const paid = stateOf(applyPaymentReport(cancelled(AWAITING), APPROVED, NOW));
    const twice = stateOf(applyPaymentReport(paid, { ...APPROVED, chargeId: 'ch-2' }, NOW));
    const found = unbookedMoneyOf(twice as EndedByCancellation);
    expect(found).to.deep.equal({ kind: 'received', received: 2 * TOTAL });
  });

  it('depends on the figures, if a payment was booked', () => {
    expect(moneyOf(PAID)).to.equal(undefined);
  });
});
