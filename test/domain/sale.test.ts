import {
  asRegistered,
  type CalendarDate,
  type CancelledSale,
  cancel,
  dateRefusals,
  isPostcode,
  isRefusal,
  isState,
  type PaidSale,
  paidOutside,
  parseTaxId,
  type Sale,
  type TaxId,
} from '@insurance-sales/domain';
import { expect } from 'chai';
import { terms } from '../support/sales.ts';

const at = '2026-11-20T15:00:00.000Z';
const paid: PaidSale = { ...paidOutside('T-1', at, terms()), id: 1, version: 1 };

describe('a sale', () => {
  it('whose payment the channel took is born paid', () => {
    expect(paidOutside('T-1', at, terms())).to.deep.equal({ ticket: 'T-1', registeredAt: at, terms: terms(), status: 'paid' });
  });

  it('that is paid can be cancelled, and keeps its terms', () => {
    const cancelled = cancel(paid, '2026-11-21T00:00:00.000Z');
    expect(cancelled).to.deep.equal({ ...paid, status: 'cancelled', cancelledAt: '2026-11-21T00:00:00.000Z' });
    expect(paid.status).to.equal('paid');
  });

  it('can be shown as it was registered, whatever became of it', () => {
    const changed: Sale = { ...cancel(paid, at), version: 2 };
    expect(asRegistered(changed)).to.deep.equal(paid);
  });

  it('that is cancelled cannot be cancelled again: that does not compile', () => {
    const cancelled: CancelledSale = cancel(paid, at);
    // @ts-expect-error a cancelled sale is no paid one
    cancel(cancelled, at);
  });

  it('takes no raw text for a tax id: that does not compile', () => {
    // @ts-expect-error a text is a tax id only once it is parsed
    const raw: TaxId = '11144477735';
    expect(parseTaxId('11144477735')).to.equal(raw);
  });
});

describe('the dates of a sale', () => {
  const today = '2026-11-20' as CalendarDate;
  const day = (text: string): CalendarDate => text as CalendarDate;
  const kinds = (dates: Parameters<typeof dateRefusals>[0]): readonly string[] =>
    dateRefusals(dates, today).map(({ kind }) => kind);

  it('may be today', () => {
    expect(kinds({ paidOn: today, eventOn: today, birthDate: day('2026-11-19') })).to.deep.equal([]);
  });

  it('are refused all at once', () => {
    expect(kinds({ paidOn: day('2026-11-21'), eventOn: day('2026-11-20'), birthDate: today })).to.deep.equal([
      'paid_in_future',
      'event_before_payment',
      'born_in_future',
    ]);
  });

  it('are judged as far as they are known', () => {
    expect(kinds({})).to.deep.equal([]);
    expect(kinds({ paidOn: today })).to.deep.equal([]);
    expect(kinds({ eventOn: day('2020-01-01') })).to.deep.equal([]);
    expect(kinds({ birthDate: day('2026-11-21') })).to.deep.equal(['born_in_future']);
  });
});

describe('small values', () => {
  it('know the states, and eight digits of a postcode', () => {
    for (const state of ['SP', 'DF', 'AC']) expect(isState(state)).to.equal(true);
    for (const state of ['sp', 'XX', '', 'toString', '__proto__']) expect(isState(state)).to.equal(false);
    expect(isPostcode('01001000')).to.equal(true);
    for (const wrong of ['01001-000', '0100100', '010010000', '']) expect(isPostcode(wrong)).to.equal(false);
  });

  it('tell a refusal from anything else', () => {
    expect(isRefusal({ refused: true, kind: 'paid_in_future' })).to.equal(true);
    for (const other of [undefined, null, 'refused', {}, { refused: false }]) expect(isRefusal(other)).to.equal(false);
  });
});
