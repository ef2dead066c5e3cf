import { expect } from 'chai';
import { cents, isRefusal, type PaymentReport, type Refusal, type Sale, unwrap } from '#domain';
import { APPROVAL_MS, type By, makeActOnSale } from '../../application/approvals/act-on-sale.ts';
import type { MoneyAct } from '../../application/approvals/approval-requests.ts';
import { hasReports } from '../../application/payments/payments.ts';
import type { Person } from '../../application/people/people.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR, entry } from '../support/identity.ts';
import { person } from '../support/people.ts';
import { cardOf, letTimePass, phoneSale, soldIn, world } from '../support/selling.ts';

const by = (personId: string, isProved = true): By => ({
  ...{ person: person(personId), isProved },
  actor: { ...ADMINISTRATOR, kind: 'person', name: personId },
});

const CANCEL: MoneyAct = { kind: 'cancel', by: 'insured' };

describe('an act by which money goes back', () => {
  let here: MemoryService;
  let sale: Sale;
  beforeEach(async () => {
    here = await world();
    sale = soldIn(await here.useCases.sell(phoneSale('credit'), { card: cardOf() }));
    await letTimePass(here);
    sale = await present();
    for (const each of ['ana', 'bia', 'caio'])
      await here.people.add(person(each, { role: 'support' }), entry());
  });

  const present = async (): Promise<Sale> => (await here.sales.load(sale.id)) as Sale;
  const acts = (limit: number) =>
    makeActOnSale({ ...here, ...here.useCases, fourEyesAbove: cents(limit) });
  /** Limits at which the sale's money does, and does not, need a second person. */
  const alone = () => acts(sale.payment.amount);
  const byTwo = () => acts(sale.payment.amount - 1);
  const order = async (act: MoneyAct = CANCEL, who = by('ana'), which = byTwo(), about = sale) => {
    const { amount, sale: found } = unwrap(await which.preview(about, act));
    const seen = { version: found.version, amount };
    return which.order({ sale: about, act, seen, by: who });
  };
  const refusalIn = (outcome: unknown): string | undefined =>
    isRefusal(outcome) ? (outcome as Refusal<string>).kind : undefined;
  const entries = async () =>
    (await here.auditLog.list({ subject: `transaction/${sale.id}`, limit: 10 })).map(
      ({ action, actor, reason }) => [action, actor.name, reason],
    );

  it('is done at once up to the limit, and once', async () => {
    const { figures, needsSecond } = unwrap(await alone().preview(sale, CANCEL));
    expect([figures?.refund.total, needsSecond]).to.deep.equal([sale.payment.amount, false]);
    expect(unwrap(await order(CANCEL, by('ana'), alone()))).to.have.property('kind', 'done');
    expect(await present()).to.have.nested.property('cancellation.by', 'insured');
    // Another tab with the same form.
    const seen = { version: sale.version, amount: sale.payment.amount };
    const again = { sale: await present(), act: CANCEL, seen, by: by('bia') };
    expect(unwrap(await byTwo().order(again))).to.have.property('kind', 'done');
    // What was seen in that tab is not what was done.
    const act: MoneyAct = { kind: 'cancel', by: 'insurer' };
    expect(refusalIn(await byTwo().order({ ...again, act }))).to.equal('sale_ended');
    const other = { ...seen, amount: cents(1) };
    expect(refusalIn(await byTwo().order({ ...again, seen: other }))).to.equal('sale_ended');
    expect(await entries()).to.deep.equal([['sale.cancelled', 'ana', 'withdrawal']]);
  });

  it('is not done where the person has seen another sale, or other figures', async () => {
    const act = { sale, act: CANCEL, by: by('ana') };
    for (const seen of [
      { version: sale.version - 1, amount: sale.payment.amount },
      { version: sale.version, amount: cents(1) },
    ])
      expect(refusalIn(await alone().order({ ...act, seen }))).to.equal('sale_changed');
    expect((await present()).status).to.equal('issued');
  });

  it('waits above the limit for another person, who has given the second factor', async () => {
    expect(refusalIn(await order(CANCEL, by('ana', false)))).to.equal('proof_needed');
    expect(unwrap(await order())).to.have.property('kind', 'waits');
    expect(unwrap(await order(CANCEL, by('bia')))).to.have.property('kind', 'waits');
    const waiting = await byTwo().waiting(sale, by('ana').person);
    expect(waiting).to.include({ personId: 'ana', amount: sale.payment.amount });
    expect(await byTwo().list(by('ana').person)).to.deep.equal([waiting]);
    expect((await present()).status).to.equal('issued');

    expect(refusalIn(await byTwo().approve(sale, by('ana')))).to.equal('own_request');
    expect(refusalIn(await byTwo().approve(sale, by('bia', false)))).to.equal('proof_needed');
    const approved = unwrap(await byTwo().approve(sale, by('bia')));
    expect(approved).to.have.nested.property('cancellation.refund.total', sale.payment.amount);
    expect(await byTwo().list(by('ana').person)).to.deep.equal([]);
    expect(refusalIn(await byTwo().approve(await present(), by('caio')))).to.equal('no_request');
    expect(await entries()).to.deep.equal([
      ['sale.cancelled', 'bia', 'withdrawal'],
      ['approval.given', 'bia', null],
      ['approval.asked', 'ana', null],
    ]);
  });

  it('is done by a partner on sales of the own channel, for the insured alone', async () => {
    const of = (channelLink: string, personId = 'dora'): By => {
      const partner = person(personId, { role: 'partner', channelLink });
      return { ...by(personId), person: partner };
    };
    const byInsurer: MoneyAct = { kind: 'cancel', by: 'insurer' };
    for (const [act, who] of [
      [CANCEL, of('another-shop')],
      [byInsurer, of('canal-demo')],
    ] as const)
      expect(refusalIn(await order(act, who, alone()))).to.equal('not_allowed');
    expect(unwrap(await order(CANCEL, of('canal-demo')))).to.have.property('kind', 'waits');
    await here.people.add(of('canal-demo').person, entry());
    // Who is of another channel finds no request.
    const foreign = of('another-shop', 'eva');
    expect(refusalIn(await byTwo().approve(sale, foreign))).to.equal('no_request');
    expect(refusalIn(await byTwo().decline(sale, foreign))).to.equal('no_request');
    expect(await byTwo().list(foreign.person)).to.deep.equal([]);
    const byFinance = { ...by('fred'), person: person('fred', { role: 'finance' }) };
    for (const answer of ['approve', 'decline'] as const)
      expect(refusalIn(await byTwo()[answer](sale, byFinance))).to.equal('not_allowed');
    expect(await byTwo().list(of('canal-demo', 'eva').person)).to.have.length(1);
    const approved = unwrap(await byTwo().approve(sale, of('canal-demo', 'eva')));
    expect(approved).to.have.nested.property('cancellation.by', 'insured');
  });

  it('shows no partner what the staff has asked for', async () => {
    await order();
    const partner = person('eva', { role: 'partner', channelLink: 'canal-demo' });
    expect(await byTwo().waiting(sale, partner)).to.equal(undefined);
    expect(await byTwo().list(partner)).to.deep.equal([]);
    expect(refusalIn(await byTwo().decline(sale, { ...by('eva'), person: partner }))).to.equal(
      'no_request',
    );
    expect(await byTwo().waiting(sale, by('bia').person)).to.have.property('saleId', sale.id);
  });

  it('is one at a time: another act does not wait beside it', async () => {
    await order();
    const act: MoneyAct = { kind: 'cancel', by: 'insurer' };
    expect(refusalIn(await order(act, by('bia'), acts(0)))).to.equal('other_request');
    expect(await byTwo().waiting(sale, by('ana').person)).to.deep.include({
      act: CANCEL,
      personId: 'ana',
    });
  });

  it('is not approved any more when whoever asked may do it no longer', async () => {
    for (const over of [{ isActive: false }, { role: 'finance' }] as const) {
      await order();
      const asker = (await here.people.find('personId', 'ana')) as Person;
      await here.people.save({ ...asker, isActive: true, role: 'support', ...over }, null);
      expect(refusalIn(await byTwo().approve(sale, by('bia')))).to.equal('no_request');
      expect(await byTwo().waiting(sale, by('ana').person)).to.equal(undefined);
    }
    await order(CANCEL, by('nobody'));
    expect(refusalIn(await byTwo().approve(sale, by('bia')))).to.equal('no_request');
    expect((await present()).status).to.equal('issued');
  });

  it('is not taken back once somebody has approved it, and not approved once it was', async () => {
    await order();
    const outcomes = await Promise.all([
      byTwo().approve(sale, by('bia')),
      byTwo().decline(sale, by('ana')),
    ]);
    const isCancelled = (await present()).status !== 'issued';
    expect(outcomes.map(refusalIn)).to.deep.equal(
      isCancelled ? [undefined, 'no_request'] : ['no_request', undefined],
    );
  });

  it('is approved once by two at the same moment', async () => {
    await order();
    const both = await Promise.all(['bia', 'caio'].map((name) => byTwo().approve(sale, by(name))));
    expect(both.map(refusalIn).toSorted()).to.deep.equal(['no_request', undefined]);
    const done = (await entries()).map(([action]) => action);
    expect(done.filter((action) => action === 'sale.cancelled')).to.have.length(1);
    expect(done.filter((action) => action === 'approval.given')).to.have.length(1);
  });

  it('waits no longer when it is declined, after a day, or when the sale has changed', async () => {
    await order();
    expect(await byTwo().decline(sale, by('ana'))).to.equal('declined');
    expect(refusalIn(await byTwo().decline(sale, by('ana')))).to.equal('no_request');
    expect(refusalIn(await byTwo().approve(sale, by('bia')))).to.equal('no_request');

    await order();
    here.clock.advance(APPROVAL_MS / 1_000);
    expect(await byTwo().waiting(sale, by('ana').person)).to.equal(undefined);

    await order();
    expect(await here.sales.save(sale)).to.equal('saved');
    expect(await byTwo().list(by('ana').person)).to.deep.equal([]);
    expect(refusalIn(await byTwo().approve(await present(), by('bia')))).to.equal('no_request');
  });

  it('is to be asked for again where the refund is another by now', async () => {
    // An insurer keeps the premium of the days that have passed.
    const act: MoneyAct = { kind: 'cancel', by: 'insurer' };
    here.clock.advance(20 * 86_400);
    const anything = acts(0);
    expect(unwrap(await order(act, by('ana'), anything))).to.have.property('kind', 'waits');
    here.clock.advance(86_399);
    expect(refusalIn(await anything.approve(sale, by('bia')))).to.equal('refund_differs');
    expect(await anything.waiting(sale, by('ana').person)).to.equal(undefined);
    const [[action, , reason] = []] = await entries();
    expect([action, reason]).to.deep.equal(['approval.declined', 'refund_differs']);
  });

  it('stays asked for while a worker is at the sale', async () => {
    await order();
    const until = here.clock.now().replace('2026', '2027') as typeof sale.registeredAt;
    await here.sales.claim(sale.id, { holder: 'worker', until }, here.clock.now());
    expect(refusalIn(await byTwo().approve(sale, by('bia')))).to.equal('sale_busy');
    expect(await byTwo().waiting(sale, by('ana').person)).not.to.equal(undefined);
  });

  it('gives a stuck sale up, and no other', async () => {
    const act: MoneyAct = { kind: 'give_up', reason: 'a seguradora não responde' };
    expect(refusalIn(await byTwo().preview(sale, act))).to.equal('nothing_to_give_up');
    const seen = { version: sale.version, amount: sale.payment.amount };
    const refused = await byTwo().order({ sale, act, seen, by: by('ana') });
    expect(refusalIn(refused)).to.equal('nothing_to_give_up');

    here.issuer.mishaps.always = 'unreached';
    const stuck = soldIn(await here.useCases.sell(phoneSale('credit'), { card: cardOf() }));
    const loaded = (await here.sales.load(stuck.id)) as Sale;
    expect(unwrap(await order(act, by('ana'), byTwo(), loaded))).to.have.property('kind', 'waits');
    unwrap(await byTwo().approve(loaded, by('bia')));
    const ended = (await here.sales.load(stuck.id)) as Sale;
    expect(ended).to.have.nested.property('cancellation.reason', 'not_issued');
    // Another tab with the same form.
    const again = { sale: ended, act, seen, by: by('ana') };
    expect(unwrap(await byTwo().order(again))).to.have.property('kind', 'done');
  });

  it('decides about money, once, and says what goes back', async () => {
    const short = soldIn(await here.useCases.sell(phoneSale()));
    await here.sandbox.payOnPage(short.payment.chargeId ?? '', 'pix', undefined, 'once', cents(80));
    await letTimePass(here);
    let about = (await here.sales.load(short.id)) as Sale;
    const decide = (decision: Extract<MoneyAct, { kind: 'decide' }>['decision']): MoneyAct => ({
      ...{ kind: 'decide', decision, note: 'combinado' },
    });
    const amountOf = async (kind: 'accept' | 'return') =>
      unwrap(await byTwo().preview(about, decide({ kind }))).amount;
    expect([await amountOf('accept'), await amountOf('return')]).to.deep.equal([0, 80]);
    const returned = decide({ kind: 'returned', amount: cents(80) });
    expect(refusalIn(await byTwo().preview(about, returned))).to.equal('nothing_to_decide');
    expect(refusalIn(await acts(0).preview(sale, decide({ kind: 'return' })))).to.equal(
      'nothing_to_decide',
    );

    // More comes after the page was shown: that is not what was decided about.
    const [shown] = (await here.payments.find(`${about.id}-${about.ticket}`)) as PaymentReport[];
    here.payments.find = async () => [{ ...shown, amount: cents(3_011) } as PaymentReport];
    const early = { version: about.version, amount: cents(80) };
    const late = { sale: about, act: decide({ kind: 'return' }), seen: early, by: by('ana') };
    expect(refusalIn(await byTwo().order(late))).to.equal('sale_changed');
    expect((await here.sales.load(about.id))?.status).to.equal('awaiting_payment');
    about = (await here.sales.load(short.id)) as Sale;

    const seen = { version: about.version, amount: cents(3_011) };
    const form = { sale: about, act: decide({ kind: 'return' }), seen, by: by('ana') };
    const both = await Promise.all([byTwo().order(form), byTwo().order(form)]);
    expect(both.filter((each) => !isRefusal(each))).to.have.length(1);
    expect(await here.sales.load(short.id)).to.include({ status: 'refused' });
  });

  it('notes money that a person has returned once, also from two tabs', async () => {
    const find = here.payments.find.bind(here.payments);
    const { chargeId = '', amount: charged } = sale.payment;
    here.payments.refund = async ({ reference }) => {
      const found = await find(reference);
      const refused = { status: 'refund_refused', chargeId, amount: charged } as const;
      return hasReports(found) ? [...found, refused] : found;
    };
    unwrap(await order(CANCEL, by('ana'), alone()));
    const owing = await present();
    const amount = cents(500);
    const act: MoneyAct = {
      ...{ kind: 'decide', decision: { kind: 'returned', amount }, note: 'TED' },
    };
    const form = { sale: owing, act, seen: { version: owing.version, amount }, by: by('ana') };
    const both = [await alone().order(form), await alone().order(form)];
    expect(both.map(refusalIn)).to.deep.equal([undefined, 'sale_changed']);
    expect(refusalIn(await alone().order({ ...form, sale: await present() }))).to.equal(
      'sale_changed',
    );
    expect((await present()).receipts[0]).to.include({ returnedByHand: amount });
    // In small parts it is one large amount.
    const small = acts(900);
    const { amount: shown, needsSecond } = unwrap(await small.preview(await present(), act));
    expect([shown, needsSecond]).to.deep.equal([amount, true]);
  });
});
