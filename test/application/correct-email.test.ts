import { expect } from 'chai';
import { type Email, emailOf, isRefusal, refuse, type Sale, unwrap } from '#domain';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { settle } from '../support/mailings.ts';
import {
  artistSale,
  cardOf,
  letTimePass,
  phoneSale,
  soldIn,
  ticketSale,
  world,
} from '../support/selling.ts';

const WRONG = 'maria@example.com';
const RIGHT = 'mariana@exemplo.com.br' as Email;

describe('correcting the e-mail address of the insured', () => {
  let memory: MemoryService;
  beforeEach(async () => {
    memory = await world();
  });
  const sell = async (request: SaleRequest): Promise<Sale> =>
    soldIn(await memory.useCases.sell(request));
  const correct = (sale: Sale, email: Email = RIGHT) =>
    memory.useCases.correctSaleEmail({ sale, email, actor: ADMINISTRATOR });
  const present = async ({ id }: Sale): Promise<Sale> => unwrap(await memory.sales.load(id));
  const addresses = () => memory.mailer.sent.map(({ to }) => to);
  const refused = { kind: 'refused', reason: 'EENVELOPE 550' } as const;

  it('sends a certificate that is issued later to the corrected address', async () => {
    const sale = await sell(phoneSale());
    const outcome = unwrap(await correct(sale));
    expect(outcome).to.deep.include({ mailsWaiting: 0 });
    expect(outcome.sale.corrections).to.deep.equal([{ email: RIGHT, at: memory.clock.now() }]);
    const chargeId = unwrap((await present(sale)).payment.chargeId);
    await memory.sandbox.payOnPage(chargeId, 'pix', undefined, 'once');
    await letTimePass(memory);
    expect((await present(sale)).status).to.equal('issued');
    expect(addresses()).to.deep.equal([RIGHT]);
  });

  it('sends an undelivered mail again, and only that one', async () => {
    memory.mailer.next(refused);
    const sale = await sell(ticketSale());
    await memory.runJobs();
    expect(addresses()).to.deep.equal([]);
    expect(unwrap(await correct(sale)).mailsWaiting).to.equal(1);
    memory.clock.advance(60);
    await memory.runJobs();
    expect(addresses()).to.deep.equal([RIGHT]);
    expect(unwrap(await correct(sale)).mailsWaiting).to.equal(0);
    await memory.runJobs();
    expect(addresses()).to.deep.equal([RIGHT]);
  });

  it('does not repeat a mail that was delivered; the next copy goes to the new address', async () => {
    const sale = await sell(ticketSale());
    await memory.runJobs();
    expect(unwrap(await correct(sale)).mailsWaiting).to.equal(0);
    await memory.runJobs();
    expect(addresses()).to.deep.equal([WRONG]);
    await memory.useCases.requestSecondCopy(await present(sale), ADMINISTRATOR);
    await memory.runJobs();
    expect(addresses()).to.deep.equal([WRONG, RIGHT]);
  });

  it('sends a mail that still waits to the new address', async () => {
    memory.mailer.next({ kind: 'unreached', reason: 'ESOCKET' });
    const sale = await sell(ticketSale());
    await memory.runJobs();
    expect(unwrap(await correct(sale)).mailsWaiting).to.equal(1);
    memory.clock.advance(60);
    await memory.runJobs();
    expect(addresses()).to.deep.equal([RIGHT]);
  });

  it('tries again when the server refuses the old address during the correction', async () => {
    const sale = await sell(ticketSale());
    const { send } = memory.mailer;
    memory.mailer.send = async (mail) => {
      memory.mailer.send = send;
      unwrap(await correct(sale));
      expect(mail.to).to.equal(WRONG);
      return refused;
    };
    await memory.runJobs();
    await memory.runJobs();
    expect(addresses()).to.deep.equal([RIGHT]);
    expect(memory.alerts.raised).to.deep.equal([]);
  });

  it('is stored once when it is repeated, with who did it and no whole address', async () => {
    const sale = await sell(ticketSale());
    const outcomes = await Promise.all([correct(sale), correct(sale), correct(sale)]);
    expect(outcomes.filter(isRefusal)).to.deep.equal([]);
    memory.clock.advance(60);
    unwrap(await correct(sale));
    const stored = await present(sale);
    expect([emailOf(stored), stored.version]).to.deep.equal([RIGHT, 2]);
    expect(stored.terms.insured.email).to.equal(WRONG);
    const entries = await memory.auditLog.list({ action: 'sale.email_corrected', limit: 9 });
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({
      actor: ADMINISTRATOR,
      subject: `transaction/${sale.id}`,
      changes: [{ field: 'email', before: 'm***@e***', after: 'm***@e***' }],
    });
    expect(JSON.stringify(entries)).not.to.match(/maria|exemplo|example/);
  });

  it('shows the previous correction as the address before', async () => {
    const sale = await sell(ticketSale());
    unwrap(await correct(sale, 'x@um.example' as Email));
    unwrap(await correct(sale));
    const entries = await memory.auditLog.list({ action: 'sale.email_corrected', limit: 9 });
    expect(entries.flatMap(({ changes }) => changes)).to.deep.equal([
      { field: 'email', before: 'x***@u***', after: 'm***@e***' },
      { field: 'email', before: 'm***@e***', after: 'x***@u***' },
    ]);
  });

  it('is stored with the cancellation when the sale is cancelled at the same time', async () => {
    const sale = await sell(ticketSale());
    const { save } = memory.sales;
    memory.sales.save = async (...change) => {
      memory.sales.save = save;
      const order = { sale, by: 'insured', actor: ADMINISTRATOR } as const;
      unwrap(await memory.useCases.cancelSale.cancel(order));
      return save.call(memory.sales, ...change);
    };
    unwrap(await correct(sale));
    const stored = await present(sale);
    expect(stored.status).to.equal('cancelled');
    expect(stored.corrections).to.have.length(1);
    await memory.runJobs();
    expect(memory.mailer.sent.at(-1)).to.include({ occasion: 'cancellation', to: emailOf(stored) });
  });

  it('does not disturb the service at work on the sale, and is kept', async () => {
    for (const nth of [1, 2, 3]) {
      memory = await world();
      const { save } = memory.sales;
      let saves = 0;
      memory.sales.save = async (changed, saving) => {
        saves += 1;
        if (saves === nth) {
          memory.sales.save = save;
          unwrap(await correct(await present(changed)));
        }
        return save.call(memory.sales, changed, saving);
      };
      const sale = await sell(artistSale('boleto'));
      expect(sale.status).to.equal('awaiting_payment');
      expect(emailOf(await present(sale)), `during save ${nth}`).to.equal(RIGHT);
    }
  });

  it('is refused for a sale that was refused: no mail follows', async () => {
    const card = cardOf('4000000000000002');
    const sale = soldIn(await memory.useCases.sell(phoneSale('credit'), { card }));
    expect(sale.status).to.equal('refused');
    expect(await correct(sale)).to.deep.equal(refuse('sale_takes_no_mail'));
    expect(await correct(sale, WRONG as Email)).to.deep.equal(refuse('sale_takes_no_mail'));
  });

  it('sends a notice of cancellation again that was undelivered', async () => {
    const sale = await sell(ticketSale());
    await memory.runJobs();
    memory.mailer.next(refused);
    const order = { sale, by: 'insured', actor: ADMINISTRATOR } as const;
    unwrap(await memory.useCases.cancelSale.cancel(order));
    await memory.runJobs();
    expect(memory.mailer.sent.at(-1)?.occasion).to.equal('issue');
    unwrap(await correct(await present(sale)));
    await memory.runJobs();
    expect(memory.mailer.sent.at(-1)).to.include({ occasion: 'cancellation', to: RIGHT });
  });

  it('sends a mail again that was given up just after the correction, if it is repeated', async () => {
    const sale = await sell(ticketSale());
    const name = { saleId: sale.id, number: 0 };
    unwrap(await correct(sale));
    await settle(memory.mailings, name, 'undelivered', memory.clock.now(), 'EENVELOPE 550');
    expect(unwrap(await correct(await present(sale))).mailsWaiting).to.equal(1);
    await memory.runJobs();
    expect(addresses()).to.deep.equal([RIGHT]);
  });

  it('is made three times in an hour at most, and says how long to wait', async () => {
    const sale = await sell(ticketSale());
    for (const name of ['a', 'b', 'c']) {
      unwrap(await correct(await present(sale), `${name}@example.com` as Email));
      memory.clock.advance(600);
    }
    const fourth = await correct(await present(sale));
    expect(fourth).to.deep.equal({ ...refuse('too_many_corrections'), waitFor: 1_800 });
    memory.clock.advance(1_800);
    expect(emailOf(unwrap(await correct(await present(sale))).sale)).to.equal(RIGHT);
  });
});
