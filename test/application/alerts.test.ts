import { expect } from 'chai';
import { cents, refuse } from '#domain';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryAlertRecords } from '../../adapters/memory/operations/alert-records.ts';
import { MemoryAuditLog } from '../../adapters/memory/operations/audit-log.ts';
import { MAX_WAITING_ALERTS, makeAlertNotes } from '../../application/alerts/alert-notes.ts';
import type { AlertRecord } from '../../application/alerts/alert-records.ts';
import type { Alert } from '../../application/alerts/alerts.ts';
import { subjectOf } from '../../application/alerts/raised-alert.ts';
import { Unavailable } from '../../application/unavailable.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { expectError } from '../support/expected-error.ts';
import { ADMINISTRATOR, entry } from '../support/identity.ts';
import { settle } from '../support/mailings.ts';
import {
  artistSale,
  cardOf,
  letTimePass,
  nameAccounts,
  phoneSale,
  soldIn,
  ticketSale,
  world,
} from '../support/selling.ts';
import { endpoint } from '../support/webhooks.ts';

const stuck = (saleId: number, tries = 25): Alert => ({ kind: 'sale_stuck', saleId, tries });

describe('noting alerts', () => {
  let requestId: string | undefined;
  const noting = () => {
    const alertRecords = new MemoryAlertRecords(new MemoryAuditLog());
    const clock = new MemoryClock('2026-11-20T15:00:00.000Z');
    const notes = makeAlertNotes({ alertRecords, clock, currentRequestId: () => requestId });
    return { alertRecords, clock, notes };
  };
  beforeEach(() => {
    requestId = undefined;
  });

  it('stores them with the next flush, each kind and subject once', async () => {
    const { notes, alertRecords, clock } = noting();
    requestId = 'request-1';
    notes.note(stuck(1));
    clock.advance(60);
    requestId = undefined;
    notes.note(stuck(1, 50));
    notes.note(stuck(2));
    expect(await alertRecords.list({ limit: 10 })).to.deep.equal([]);
    await notes.flush();
    const [second, first] = await alertRecords.list({ limit: 10 });
    expect(second?.saleId).to.equal(2);
    expect(first).to.deep.equal({
      ...{ id: 1, kind: 'sale_stuck', subject: 'transaction/1', saleId: 1, resolution: null },
      ...{ details: { tries: 50 }, times: 2, requestId: 'request-1' },
      ...{ firstAt: '2026-11-20T15:00:00.000Z', lastAt: '2026-11-20T15:01:00.000Z' },
    });
    await notes.flush();
    expect((await alertRecords.find(1))?.times).to.equal(2);
  });

  it('keeps all while the store is out of reach, also what is raised meanwhile', async () => {
    const { notes, alertRecords } = noting();
    const store = alertRecords.store.bind(alertRecords);
    alertRecords.store = async () => {
      notes.note(stuck(1));
      throw new Unavailable('down');
    };
    notes.note(stuck(1));
    notes.note(stuck(2));
    expect((await expectError(notes.flush())).name).to.equal('Unavailable');
    alertRecords.store = store;
    await notes.flush();
    const times = (await alertRecords.list({ limit: 10 })).map((each) => [each.saleId, each.times]);
    expect(times).to.have.deep.members([
      [1, 2],
      [2, 1],
    ]);
    expect(notes.takeDropped()).to.equal(0);
  });

  it('drops and counts one that the store refuses, and stores the others', async () => {
    const { notes, alertRecords } = noting();
    const store = alertRecords.store.bind(alertRecords);
    let isAway = false;
    alertRecords.store = async (raised) => {
      if (raised.some(({ saleId }) => saleId === 2)) throw new Error('refused');
      if (isAway && raised.some(({ saleId }) => saleId === 3)) throw new Unavailable('down');
      await store(raised);
    };
    for (const saleId of [1, 2, 3, 4]) notes.note(stuck(saleId));
    isAway = true;
    expect((await expectError(notes.flush())).name).to.equal('Unavailable');
    expect(notes.takeDropped()).to.equal(1);
    isAway = false;
    await notes.flush();
    const records = await alertRecords.list({ limit: 10 });
    expect(records.map(({ saleId, times }) => [saleId, times])).to.deep.equal([
      [4, 1],
      [3, 1],
      [1, 1],
    ]);
    expect(notes.takeDropped()).to.equal(0);
  });

  it('drops and counts what is over the limit, and never what waits already', async () => {
    const { notes, alertRecords } = noting();
    for (let sale = 1; sale <= MAX_WAITING_ALERTS + 3; sale += 1) notes.note(stuck(sale));
    notes.note(stuck(1));
    expect(notes.takeDropped()).to.equal(3);
    expect(notes.takeDropped()).to.equal(0);
    await notes.flush();
    expect(await alertRecords.list({ limit: Infinity })).to.have.length(MAX_WAITING_ALERTS);
    expect((await alertRecords.find(1))?.times).to.equal(2);
  });

  it('names what each kind concerns', () => {
    const [provider, endpointId] = ['asaas', 'whe_1'];
    const alerts: readonly (readonly [Alert, string])[] = [
      [stuck(6), 'transaction/6'],
      [{ kind: 'papers_gone', provider, saleId: 6 }, 'transaction/6'],
      [{ kind: 'mail_undelivered', saleId: 6, number: -1, reason: 'x' }, 'mailing/6-cancellation'],
      [{ kind: 'notice_unreadable', provider, digest: 'abc' }, 'notice/abc'],
      [{ kind: 'notice_differs', provider, noticeId: 'evt_1' }, 'notice/evt_1'],
      [{ kind: 'notice_of_nothing', provider, noticeId: 'evt_1' }, 'notice/evt_1'],
      [{ kind: 'notice_of_nothing', provider, noticeId: 'e', chargeId: 'pay_1' }, 'charge/pay_1'],
      [{ kind: 'webhook_disabled', endpointId, reason: 'gone' }, 'webhook/whe_1'],
      [{ kind: 'webhook_secret_unreadable', endpointId }, 'webhook/whe_1'],
      [{ kind: 'group_unavailable', group: 2 }, 'group/2'],
    ];
    for (const [alert, subject] of alerts) expect(subjectOf(alert)).to.equal(subject);
  });
});

describe('alerts', () => {
  let memory: MemoryService;
  beforeEach(async () => {
    memory = await world();
  });
  const all = () => memory.alertRecords.list({ limit: 100 });
  const only = async (): Promise<AlertRecord> => {
    const [record, ...others] = await all();
    expect(others).to.deep.equal([]);
    return record as AlertRecord;
  };
  const raise = async (alert: Alert): Promise<void> => {
    memory.alerts.raise(alert);
    await memory.alertNotes.flush();
  };

  it('hold no personal data, and no card', async () => {
    memory.issuer.mishaps.always = 'unheard';
    const people = [
      soldIn(await memory.useCases.sell(artistSale('boleto'))),
      soldIn(await memory.useCases.sell(phoneSale('credit'), { card: cardOf() })),
      soldIn(await memory.useCases.sell(ticketSale())),
    ].map(({ terms }) => terms.insured);
    memory.mailer.next({ kind: 'refused', reason: 'EENVELOPE 550' });
    await memory.runJobs();
    memory.clock.advance(40 * 86_400);
    await memory.useCases.watchLegalClocks();
    const records = await all();
    const kinds = ['mail_undelivered', 'policy_overdue', 'certificate_overdue'];
    expect(records.map(({ kind }) => kind)).to.include.members(kinds);
    const shown = JSON.stringify(records);
    for (const { name, taxId, email, phone } of people)
      for (const personal of [name, taxId, email, phone].filter((each) => each !== undefined))
        expect(shown).not.to.include(personal);
    expect(shown).not.to.include('4111');
  });

  it('are resolved by a person, once, with an audit entry', async () => {
    await raise(stuck(6));
    const { resolveAlert } = memory.useCases;
    const at = memory.clock.now();
    const note = 'The insurer was down.';
    const resolved = { ...(await only()), resolution: { at, by: 'admin-1', note } };
    expect(await resolveAlert(1, note, ADMINISTRATOR)).to.deep.equal(resolved);
    memory.clock.advance(60);
    const again = await resolveAlert(1, 'Again', { ...ADMINISTRATOR, name: 'admin-2' });
    expect(again).to.deep.equal(resolved);
    expect(await resolveAlert(7, note, ADMINISTRATOR)).to.deep.equal(refuse('alert_unknown'));

    const [audited, ...others] = await memory.auditLog.list({ action: 'alert.resolved', limit: 9 });
    expect(others).to.deep.equal([]);
    expect(audited).to.deep.include({ at, subject: 'alert/1', actor: ADMINISTRATOR });
    expect(audited?.changes).to.deep.equal([
      { field: 'status', before: 'open', after: 'resolved' },
      { field: 'note', before: null, after: note },
    ]);
  });

  it('of mails are settled once the mail was sent after all, or withdrawn', async () => {
    const { settleAlerts, retryMailing } = memory.useCases;
    const sales = [ticketSale(), ticketSale({ insuredObject: { ticketNumber: 'OTHER' } })];
    const sold = [];
    for (const request of sales) sold.push(soldIn(await memory.useCases.sell(request)));
    const [sent, withdrawn] = sold as [(typeof sold)[number], (typeof sold)[number]];
    const refused = { kind: 'refused', reason: 'EENVELOPE 550' } as const;
    memory.mailer.next(refused, refused);
    await memory.runJobs();
    await settleAlerts();
    const open = () => memory.alertRecords.list({ status: 'open', limit: 10 });
    expect(await open()).to.have.length(2);

    for (const { id } of sold) await retryMailing({ saleId: id, number: 0 }, ADMINISTRATOR);
    await settleAlerts();
    expect(await open(), 'they wait').to.have.length(2);
    const name = { saleId: withdrawn.id, number: 0 };
    await settle(memory.mailings, name, 'withdrawn', memory.clock.now());
    await memory.runJobs();
    memory.clock.advance(60);
    await settleAlerts();
    expect(await open()).to.deep.equal([]);
    const [note, other] = await Promise.all(
      [sent, withdrawn].map(async ({ id }) => {
        const [record] = await memory.alertRecords.list({ saleId: id, limit: 1 });
        expect(record?.resolution).to.include({ by: 'service', at: memory.clock.now() });
        return record?.resolution?.note;
      }),
    );
    expect(note).to.equal('The mail was sent.');
    expect(other).to.match(/withdrawn/);
  });

  it('of money are settled once the dispute is over and the refund has left', async () => {
    const card = cardOf('4000000000000259');
    const sale = soldIn(await memory.useCases.sell(phoneSale('credit'), { card }));
    const { chargeId = '' } = sale.payment;
    await memory.runJobs();
    const request = { sale, by: 'insured', actor: ADMINISTRATOR } as const;
    await memory.useCases.cancelSale.cancel(request);
    const { settleAlerts } = memory.useCases;
    const open = async () =>
      (await memory.alertRecords.list({ status: 'open', limit: 10 })).map(({ kind }) => kind);
    await memory.alertNotes.flush();
    memory.clock.advance(60);
    await settleAlerts();
    expect(await open()).to.have.members(['dispute_opened', 'refund_barred']);
    await memory.sandbox.endDispute(chargeId, 'won');
    await letTimePass(memory);
    memory.clock.advance(60);
    await settleAlerts();
    expect(await open()).to.deep.equal([]);
  });

  it('of other amounts and undone refunds stay open until nothing is left to do', async () => {
    const less = soldIn(await memory.useCases.sell(phoneSale()));
    const { chargeId = '' } = less.payment;
    await memory.sandbox.payOnPage(chargeId, 'boleto', undefined, 'once', cents(80));
    await letTimePass(memory);
    const { settleAlerts, decidePayment } = memory.useCases;
    const open = async () =>
      (await memory.alertRecords.list({ status: 'open', limit: 10 })).map(({ kind }) => kind);
    memory.clock.advance(60);
    await settleAlerts();
    expect(await open()).to.deep.equal(['payment_amount_differs']);
    const decision = { kind: 'return' } as const;
    await decidePayment({ sale: less, decision, note: 'x', actor: ADMINISTRATOR });
    memory.clock.advance(15 * 86_400);
    await letTimePass(memory, 2);
    await settleAlerts();
    expect(await open()).to.have.members(['payment_amount_differs', 'refund_waits_for_payer']);
    await memory.sandbox.endRefund(chargeId, false);
    await letTimePass(memory);
    memory.clock.advance(60);
    await settleAlerts();
    expect(await open()).to.have.members(['payment_amount_differs', 'refund_undone']);
    memory.clock.advance(4 * 86_400);
    await letTimePass(memory, 2);
    await nameAccounts(memory, less);
    memory.clock.advance(60);
    await settleAlerts();
    expect(await open()).to.deep.equal([]);
  });

  it('of webhooks are settled once the webhook is active again, or deleted', async () => {
    const disabled = { reason: 'gone', at: memory.clock.now() } as const;
    for (const id of ['whe_1', 'whe_2', 'whe_3']) {
      await memory.webhookEndpoints.add(endpoint(id, { disabled }), 20, entry());
      await raise({ kind: 'webhook_disabled', endpointId: id, reason: 'gone' });
    }
    await memory.useCases.settleAlerts();
    expect((await all()).filter(({ resolution }) => resolution !== null)).to.deep.equal([]);

    const { manageWebhooks, settleAlerts } = memory.useCases;
    await manageWebhooks.change('canal-demo', 'whe_1', { status: 'active' }, ADMINISTRATOR);
    await manageWebhooks.remove('canal-demo', 'whe_2', ADMINISTRATOR);
    await settleAlerts();
    expect((await all()).map(({ resolution }) => resolution?.note)).to.deep.equal([
      undefined,
      'The webhook was deleted.',
      'The webhook is active again.',
    ]);
  });

  it('of webhooks stay open if they are raised again while their webhook is looked at', async () => {
    const gone: Alert = { kind: 'webhook_disabled', endpointId: 'whe_1', reason: 'gone' };
    await raise(gone);
    const find = memory.webhookEndpoints.find.bind(memory.webhookEndpoints);
    memory.webhookEndpoints.find = async (id) => {
      const seen = await find(id);
      await raise(gone);
      return seen;
    };
    await memory.useCases.settleAlerts();
    expect(await only()).to.deep.include({ times: 2, resolution: null });

    memory.webhookEndpoints.find = find;
    await memory.useCases.settleAlerts();
    expect((await only()).resolution?.note).to.equal('The webhook was deleted.');
  });

  it('of many mails are looked at in turn', async () => {
    for (let saleId = 1; saleId <= 250; saleId += 1)
      memory.alerts.raise({ kind: 'mail_undelivered', saleId, number: 0, reason: 'ESOCKET' });
    await memory.alertNotes.flush();
    const asked: number[] = [];
    memory.mailings.find = async ({ saleId }) => {
      asked.push(saleId);
      return undefined;
    };
    for (let run = 0; run < 3; run += 1) await memory.useCases.settleAlerts();
    expect(asked).to.have.length(250);
    expect(new Set(asked).size).to.equal(250);
    await memory.useCases.settleAlerts();
    expect(asked.slice(250)).to.deep.equal(asked.slice(0, 100));
  });
});

describe('telling operators of alerts', () => {
  let memory: MemoryService;
  beforeEach(async () => {
    memory = await world();
  });
  const raise = async (...alerts: readonly Alert[]): Promise<void> => {
    for (const alert of alerts) memory.alerts.raise(alert);
    await memory.alertNotes.flush();
  };
  const tell = () => memory.useCases.notifyOperators();
  /** Until nothing is due. */
  const tellAll = async (): Promise<void> => {
    while ((await tell()).told > 0);
  };
  const toldBy = (way: string) =>
    memory.alertSenders
      .filter((sender) => sender.way === way)
      .flatMap(({ told }) => told.map(({ kind, count }) => `${count} × ${kind}`));

  it('sends one digest for each kind in each way, and nothing twice', async () => {
    expect(await tell()).to.deep.equal({ told: 0, failed: [] });
    const gone: Alert = { kind: 'papers_gone', provider: 'insurer', saleId: 1 };
    await raise(stuck(1), stuck(2), stuck(3), gone);
    await tellAll();
    await tellAll();
    for (const way of ['mail', 'webhook'])
      expect(toldBy(way)).to.deep.equal(['1 × papers_gone', '3 × sale_stuck']);
    expect(memory.alertSenders[0]?.told[1]?.alerts.map(({ saleId }) => saleId)).to.deep.equal([
      3, 2, 1,
    ]);
  });

  it('waits an hour before it tells of the same kind again', async () => {
    await raise(stuck(1));
    await tellAll();
    await raise(stuck(1, 50), stuck(2));
    memory.clock.advance(3_599);
    await tellAll();
    expect(toldBy('mail')).to.deep.equal(['1 × sale_stuck']);
    await raise({ kind: 'papers_gone', provider: 'insurer', saleId: 1 });
    await tellAll();
    expect(toldBy('mail').at(-1), 'of another kind at once').to.equal('1 × papers_gone');
    memory.clock.advance(1);
    await tellAll();
    expect(toldBy('mail').at(-1)).to.equal('2 × sale_stuck');
    memory.clock.advance(3_600);
    await tellAll();
    expect(toldBy('mail')).to.have.length(3);
  });

  it('tries again two minutes after a failure, which it reports, and goes on in the other way', async () => {
    memory.alertSenders[0]?.failures.push('ESOCKET', 'EAUTH 535');
    await raise(stuck(1));
    const failed = (reason: string) => [
      { kind: 'sale_stuck', way: 'mail', outcome: 'failed', reason },
    ];
    expect(await tell()).to.deep.equal({ told: 1, failed: failed('ESOCKET') });
    expect(await tell()).to.deep.equal({ told: 0, failed: [] });
    memory.clock.advance(120);
    expect(await tell()).to.deep.equal({ told: 0, failed: failed('EAUTH 535') });
    memory.clock.advance(239);
    expect(await tell()).to.deep.equal({ told: 0, failed: [] });
    memory.clock.advance(1);
    expect(await tell()).to.deep.equal({ told: 1, failed: [] });
    expect([toldBy('mail'), toldBy('webhook')]).to.deep.equal([
      ['1 × sale_stuck'],
      ['1 × sale_stuck'],
    ]);
  });

  it('doubles the pause with each failure, up to an hour', async () => {
    memory.alertSenders[0]?.failures.push(...Array.from({ length: 8 }, () => 'ESOCKET'));
    await raise(stuck(1));
    const triedAfter: number[] = [];
    for (let minute = 0; minute < 250; minute += 1) {
      if ((await tell()).failed.length > 0) triedAfter.push(minute);
      memory.clock.advance(60);
    }
    expect(triedAfter).to.deep.equal([0, 2, 6, 14, 30, 62, 122, 182]);
    expect(toldBy('mail')).to.deep.equal(['1 × sale_stuck']);

    memory.clock.advance(3_600);
    memory.alertSenders[0]?.failures.push('ESOCKET');
    await raise(stuck(2));
    await tell();
    memory.clock.advance(120);
    await tell();
    expect(toldBy('mail'), 'from two minutes again').to.have.length(2);
  });

  it('sends what may have arrived not again, and reports it', async () => {
    const [mail] = memory.alertSenders;
    if (mail === undefined) throw new Error('no sender');
    mail.unanswered = 1;
    await raise(stuck(1));
    const unknown = { kind: 'sale_stuck', way: 'mail', outcome: 'unknown', reason: 'timeout' };
    expect(await tell()).to.deep.equal({ told: 2, failed: [unknown] });
    for (let minute = 0; minute < 120; minute += 1) {
      memory.clock.advance(60);
      await tellAll();
    }
    expect(toldBy('mail')).to.deep.equal(['1 × sale_stuck']);
  });
});
