import { expect } from 'chai';
import type { Email, Sale } from '#domain';
import type { MailOutcome } from '../../application/mail/mailer.ts';
import { Unavailable } from '../../application/unavailable.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { soldIn, ticketSale, world } from '../support/selling.ts';

type Failure = Exclude<MailOutcome, { kind: 'sent' }>;

const DEFERRED: Failure = { kind: 'deferred', reason: 'EENVELOPE 452 mailbox full' };
const UNREACHED: Failure = { kind: 'unreached', reason: 'ECONNECTION' };

describe('mailing the insured', () => {
  let here: MemoryService;
  beforeEach(async () => {
    here = await world();
  });

  const sellTo = async (...addresses: readonly string[]): Promise<readonly Sale[]> => {
    const sales: Sale[] = [];
    for (const email of addresses) {
      const insured = { ...ticketSale().insured, email: email as Email };
      sales.push(soldIn(await here.useCases.sell(ticketSale({ insured }))));
    }
    return sales;
  };
  const send = (limit = 100) => here.useCases.mailInsured(limit);
  const sentTo = () => here.mailer.sent.map(({ to }) => to);
  const mailingOf = ({ id: saleId }: Sale) => here.mailings.find({ saleId, number: 0 });

  it('leaves a destination alone that defers a mail, while the others go on', async () => {
    const [deferred] = await sellTo('a@full.example');
    here.mailer.next(DEFERRED);
    expect((await send()).failed).to.have.length(1);
    const [waiting] = await sellTo('b@full.example', 'c@good.example');
    expect(await send()).to.include({ taken: 2, sent: 1 });
    expect(sentTo()).to.deep.equal(['c@good.example']);
    expect(await mailingOf(deferred as Sale)).to.include({ failures: 1, status: 'waiting' });
    expect(await mailingOf(waiting as Sale), 'was not tried').to.include({ failures: 0 });
    here.clock.advance(5);
    expect(await send()).to.include({ sent: 2 });
  });

  it('asks a server that cannot be reached less and less often, and loses no mail', async () => {
    await sellTo('a@one.example', 'b@two.example');
    let tries = 0;
    here.mailer.send = async () => {
      tries += 1;
      return UNREACHED;
    };
    for (let second = 0; second < 3_600; second += 1) {
      await send();
      here.clock.advance(1);
    }
    expect(tries).to.be.within(10, 40);
    here.mailer.send = async (mail) => {
      here.mailer.sent.push(mail);
      return { kind: 'sent' };
    };
    here.clock.advance(1_800);
    await send();
    expect(sentTo()).to.have.members(['a@one.example', 'b@two.example']);
  });

  /** Tries for four days, in which no address with an `a` takes mail, and others at `domain` do. */
  const tryForDays = async (outcome: MailOutcome, domain?: string): Promise<void> => {
    here.mailer.send = async ({ to }) => (to.startsWith('a@') ? outcome : { kind: 'sent' });
    for (let step = 0; step < 200; step += 1) {
      if (domain !== undefined && step % 20 === 0) await sellTo(`b@${domain}`);
      await send();
      here.clock.advance(1_800);
    }
  };
  const BLOCKED: Failure = {
    kind: 'deferred',
    reason: 'EENVELOPE 550 5.7.1 relaying denied',
    blamesSender: true,
  };

  it('gives up after two days of failures if the domain took others, with the last words', async () => {
    const [sale] = await sellTo('a@Full.example');
    await tryForDays(DEFERRED, 'full.example');
    const { reason } = DEFERRED;
    const givenUp = { status: 'undelivered', failures: 110, reason };
    expect(await mailingOf(sale as Sale)).to.deep.include(givenUp);
    const alert = { kind: 'mail_undelivered', saleId: (sale as Sale).id, number: 0, reason };
    expect(here.alerts.raised).to.deep.equal([alert]);
  });

  for (const outcome of [DEFERRED, UNREACHED, BLOCKED])
    it(`keeps a mail whose domain takes none, with an alert, and sends it when it does (${outcome.kind}, ${'blamesSender' in outcome})`, async () => {
      const [sale] = await sellTo('a@full.example');
      await tryForDays(outcome, outcome === UNREACHED ? undefined : 'good.example');
      expect(await mailingOf(sale as Sale)).to.include({ status: 'waiting' });
      expect(here.alerts.raised.at(-1)).to.deep.include({
        kind: 'mail_undelivered',
        saleId: (sale as Sale).id,
      });
      here.mailer.send = async () => ({ kind: 'sent' });
      here.clock.advance(10_800);
      await send();
      expect(await mailingOf(sale as Sale)).to.include({ status: 'sent' });
    });

  it('raises an alert at once when the server refuses the sender, and tries again', async () => {
    const [sale] = await sellTo('a@one.example');
    here.mailer.next(BLOCKED, BLOCKED);
    await send();
    const saleId = (sale as Sale).id;
    const alert = { kind: 'mail_undelivered', saleId, number: 0, reason: BLOCKED.reason };
    expect(here.alerts.raised).to.deep.equal([alert]);
    for (const seconds of [5, 10]) {
      here.clock.advance(seconds);
      await send();
    }
    expect(await mailingOf(sale as Sale)).to.include({ status: 'sent' });
    expect(here.alerts.raised).to.have.length(1);
  });

  it('sends what a worker had that died, once its claim is over', async () => {
    await sellTo('a@one.example');
    const now = here.clock.now();
    await here.mailings.claim({ now, until: now, limit: 1 });
    here.clock.advance(1);
    expect(await send()).to.include({ taken: 1, sent: 1 });
    expect(await send()).to.include({ taken: 0 });
  });

  it('sends nothing twice when the store cannot record for a moment, and stops meanwhile', async () => {
    await sellTo(...Array.from({ length: 40 }, (_, index) => `a${index}@one.example`));
    const { record } = here.mailings;
    let outages = 3;
    here.mailings.record = async (results, at) => {
      outages -= 1;
      if (outages >= 0) throw new Unavailable('the store');
      return record.call(here.mailings, results, at);
    };
    const { sent } = await send();
    expect(sent, 'only what was on its way').to.be.below(25);
    here.clock.advance(121);
    expect(await send()).to.include({ sent: 40 - sent });
    expect(new Set(sentTo())).to.have.property('size', 40);
    expect(sentTo()).to.have.length(40);
  });

  it('tries a mail again that could not be composed, and says what went wrong', async () => {
    const [sale] = await sellTo('a@one.example');
    const { certificate } = here.documents;
    here.documents.certificate = async () => {
      throw new TypeError('secret');
    };
    const { failed } = await send();
    expect(failed).to.have.length(1);
    expect(failed[0]).to.deep.include({ kind: 'later', reason: 'failed' });
    expect(failed[0]?.fault).to.include({ name: 'TypeError' });
    expect(JSON.stringify(failed)).not.to.include('secret');
    here.documents.certificate = certificate;
    here.clock.advance(5);
    expect(await send()).to.include({ sent: 1 });
    expect(await mailingOf(sale as Sale)).to.include({ status: 'sent', failures: 1 });
  });
});
