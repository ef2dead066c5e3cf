import { expect } from 'chai';
import {
  type Cents,
  type CertifiedSale,
  type Cnpj,
  cents,
  type Instant,
  type Product,
  plus,
  refuse,
  type Sale,
  unwrap,
} from '#domain';
import type { GroupView } from '../../application/all-groups/group-view.ts';
import { makeVerifyCertificate } from '../../application/certificates/verify-certificate.ts';
import type { CertificateMail } from '../../application/mail/mailer.ts';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import { Unavailable } from '../../application/unavailable.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { settle } from '../support/mailings.ts';
import { artistSale, cardOf, phoneSale, soldIn, ticketSale, world } from '../support/selling.ts';

const [TICKET] = DEMO_PRODUCTS as readonly [Product];

const NONE = { kind: 'fixed', amount: cents(0) } as const;

describe('the certificate of a sale', () => {
  let memory: MemoryService;
  const sell = async (request: SaleRequest, card?: ReturnType<typeof cardOf>): Promise<Sale> =>
    soldIn(await memory.useCases.sell(request, { card }));
  const sent = (): readonly CertificateMail[] =>
    memory.mailer.sent.filter((mail) => 'certificate' in mail);
  const put = (over: Partial<Product>) =>
    memory.useCases.manageCatalogue.putProduct({ ...TICKET, ...over }, ADMINISTRATOR);
  const cancel = async (sale: Sale) =>
    memory.useCases.cancelSale.cancel({ sale, by: 'insured', actor: ADMINISTRATOR });
  beforeEach(async () => {
    memory = await world();
  });

  it('is mailed once to the insured when the channel collected the payment', async () => {
    const sale = await sell(ticketSale());
    for (let times = 0; times < 3; times += 1) await memory.runJobs();
    const [mail, ...others] = sent();
    expect(others).to.deep.equal([]);
    expect(mail).to.deep.include({
      to: 'maria@example.com',
      occasion: 'issue',
      reference: `${sale.id}-${sale.ticket}-0`,
    });
    expect(mail?.document.fileName).to.equal('bilhete-B-000000001.pdf');
    expect(JSON.parse(new TextDecoder().decode(mail?.document.content))).to.deep.equal(
      mail?.certificate,
    );
  });

  it('is mailed only after the policy is issued when the service collects', async () => {
    const sale = await sell(phoneSale());
    await memory.runJobs();
    expect(sent()).to.deep.equal([]);
    if (sale.status !== 'awaiting_payment') throw new Error(sale.status);
    await memory.sandbox.payOnPage(sale.payment.chargeId, 'pix', undefined, 'once');
    for (let times = 0; times < 3; times += 1) await memory.runJobs();
    expect(sent()).to.have.length(1);
    expect(sent()[0]?.certificate).to.deep.include({ kind: 'policy', number: 'A-2026-000001' });
    expect(sent()[0]?.document.fileName).to.equal('apolice-A-2026-000001.pdf');
  });

  it('is mailed after a card sale, but not for a product that mails on request', async () => {
    await sell(phoneSale('credit'), cardOf());
    await put({ certificateMail: 'on_request' });
    await sell(ticketSale());
    await memory.runJobs();
    expect(sent().map(({ certificate }) => certificate.kind)).to.deep.equal(['policy']);
  });

  it('shows the product, registration and channel as they were when sold', async () => {
    await sell(ticketSale());
    await put({ name: 'Outro nome', registration: { ...TICKET.registration, branchCode: '99' } });
    const channel = { ...DEMO_CHANNEL, name: 'Outro canal' };
    await memory.useCases.manageCatalogue.putChannel(channel, ADMINISTRATOR);
    await sell(ticketSale());
    await memory.runJobs();
    const [before, after] = sent().map(({ certificate }) => certificate);
    expect(before?.product.name).to.equal('Ingresso Protegido');
    expect(before?.registration.branchCode).to.equal('71');
    expect(before?.channel.name).to.equal('Canal de demonstração');
    expect(after?.product.name).to.equal('Outro nome');
    expect(after?.channel.name).to.equal('Outro canal');
  });

  it('says what was covered at the sale, also after the catalogue changed', async () => {
    const [plan] = TICKET.plans;
    const before = await sell(ticketSale());
    await put({ plans: [{ ...plan, exclusions: ['chuva'], waitingDays: 9, deductible: NONE }] });
    const grants = DEMO_CHANNEL.grants.map((each) => ({ ...each, commissions: [] }));
    const cnpj = '12ABC34501DE35' as Cnpj;
    const channel = { ...DEMO_CHANNEL, cnpj, role: 'broker', grants } as const;
    await memory.useCases.manageCatalogue.putChannel(channel, ADMINISTRATOR);
    const after = await sell(ticketSale());
    const [earlier, later] = await Promise.all(
      [before, after].map((sale) => memory.useCases.composeCertificate(sale as CertifiedSale)),
    );
    expect(earlier?.conditions).to.deep.equal({
      deductible: plan.deductible,
      waitingDays: 0,
      exclusions: plan.exclusions,
      claimDocuments: plan.claimDocuments,
      claimContact: plan.claimContact,
    });
    expect(earlier?.channel).to.deep.include({ cnpj: '11444777000161', role: 'representative' });
    expect(later?.conditions).to.deep.include({
      exclusions: ['chuva'],
      waitingDays: 9,
      deductible: NONE,
    });
    expect(later?.channel).to.deep.include({ cnpj: '12ABC34501DE35', role: 'broker' });
  });

  it('divides premium and IOF among the coverages of the plan and those bought with it', async () => {
    const insuredAmount = cents(320_000);
    const coverages = [{ code: 'QUEBRA_TELA' }];
    const request = { ...phoneSale('credit'), insuredAmount, coverages };
    const sale = await sell(request, cardOf());
    const found = await memory.useCases.composeCertificate(sale as CertifiedSale);
    expect(
      found.coverages.map(({ name, limit, premium }) => ({ name, limit, ...premium })),
    ).to.deep.equal([
      { name: 'Roubo do aparelho', limit: 320_000, net: 1_794, iof: 134, total: 1_928 },
      { name: 'Furto qualificado do aparelho', limit: 320_000, net: 1_196, iof: 88, total: 1_284 },
      { name: 'Quebra de tela', limit: 150_000, net: 500, iof: 36, total: 536 },
    ]);
    expect(found.premium).to.deep.include({ net: 3_490, iof: 258, total: 3_748 });
    expect(found.coveragesNotBought).to.deep.equal(['Furto simples']);
    expect(found.coverages[1]?.notCovered).to.include('furto simples');
  });

  it('gives a coverage without a price of its own its share of the declared premium', async () => {
    const coverages = [{ id: 201 }, { id: 202 }];
    const request = { ...artistSale('credit'), coverages };
    const sale = await sell(request, cardOf());
    const found = await memory.useCases.composeCertificate(sale as CertifiedSale);
    const { net, iof } = found.premium;
    const parts = found.coverages.map(({ premium }) => premium);
    expect(plus(...parts.map((part) => part.net))).to.equal(net);
    expect(plus(...parts.map((part) => part.iof))).to.equal(iof);
    expect(parts.map((part) => Math.round((10 * part.net) / net))).to.deep.equal([5, 2, 3]);
  });

  const LIMITS: readonly [string, Cents | undefined, Cents | undefined, number | undefined][] = [
    ['the insured amount', cents(100), undefined, 100],
    ['the insured amount, below the plan’s limit', cents(100), cents(200), 100],
    ['the plan’s limit, below the insured amount', cents(300), cents(200), 200],
    ['the plan’s limit, without an insured amount', undefined, cents(200), 200],
    ['none, without an insured amount or a plan’s limit', undefined, undefined, undefined],
  ];
  for (const [expected, insuredAmount, limit, found] of LIMITS) {
    it(`shows as the limit of a coverage: ${expected}`, async () => {
      const [plan] = TICKET.plans;
      const tariff = { kind: 'fixed', amount: cents(500) } as const;
      const { includes: _, ...basic } = plan;
      const covers = 'Reembolso do ingresso';
      await put({ plans: [{ ...basic, covers, tariff, ...(limit !== undefined && { limit }) }] });
      await sell(ticketSale({ insuredAmount }));
      await memory.runJobs();
      expect(sent()[0]?.certificate.coverages).to.deep.equal([
        {
          name: covers,
          ...(found !== undefined && { limit: found }),
          notCovered: [],
          premium: { net: 500, iof: 37, total: 537 },
        },
      ]);
    });
  }

  it('is not mailed if the sale is cancelled first', async () => {
    const sale = await sell(ticketSale());
    await cancel(sale);
    await memory.runJobs();
    expect(sent()).to.deep.equal([]);
    expect(await memory.mailings.find({ saleId: sale.id, number: 0 })).to.include({
      status: 'withdrawn',
    });
  });

  it('is mailed once after the mail server was unreachable', async () => {
    await sell(ticketSale());
    memory.mailer.next(...Array(5).fill({ kind: 'unreached', reason: 'ESOCKET' }));
    const runOften = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        await memory.runJobs();
        memory.clock.advance(300);
      }
    };
    await runOften(5);
    expect(sent()).to.deep.equal([]);
    await runOften(3);
    expect(sent()).to.have.length(1);
    expect(memory.alerts.raised).to.deep.equal([]);
  });

  it('is retried only by an administrator after the mail server refused it', async () => {
    const { id: saleId } = await sell(ticketSale());
    memory.mailer.next({ kind: 'refused', reason: 'EENVELOPE 550' });
    await memory.runJobs();
    const undelivered = { saleId, number: 0, status: 'undelivered', reason: 'EENVELOPE 550' };
    expect(await memory.mailings.find({ saleId, number: 0 })).to.deep.include(undelivered);
    expect(memory.alerts.raised).to.deep.equal([
      { kind: 'mail_undelivered', saleId, number: 0, reason: 'EENVELOPE 550' },
    ]);
    const retry = memory.useCases.retryMailing;
    expect(await retry({ saleId, number: 0 }, ADMINISTRATOR)).to.deep.include({
      status: 'waiting',
    });
    expect(await retry({ saleId, number: 0 }, ADMINISTRATOR)).to.deep.equal(
      refuse('mailing_not_undelivered'),
    );
    expect(await retry({ saleId, number: 9 }, ADMINISTRATOR)).to.deep.equal(
      refuse('mailing_unknown'),
    );
    await memory.runJobs();
    expect(sent()).to.have.length(1);
    const [entry] = await memory.auditLog.list({
      action: 'mail.retried',
      limit: 10,
    });
    expect(entry).to.deep.include({ subject: `mailing/${saleId}-0`, actor: ADMINISTRATOR });
    expect(entry?.changes).to.deep.equal([
      { field: 'status', before: 'undelivered', after: 'waiting' },
    ]);
  });

  it('is not mailed again once sent', async () => {
    const { id: saleId } = await sell(ticketSale());
    await memory.runJobs();
    await settle(memory.mailings, { saleId, number: 0 }, 'undelivered', memory.clock.now(), 'late');
    memory.clock.advance(86_400);
    expect(await memory.useCases.mailInsured(10)).to.deep.equal({ taken: 0, sent: 0, failed: [] });
    expect(sent()).to.have.length(1);
    expect(memory.alerts.raised).to.deep.equal([]);
  });
});

describe('a second copy', () => {
  let memory: MemoryService;
  const copy = async (sale: Sale, key?: string) =>
    memory.useCases.requestSecondCopy(
      sale,
      ADMINISTRATOR,
      key === undefined ? undefined : { clientId: 'client-1', key },
    );
  const sell = async (request: SaleRequest): Promise<Sale> =>
    soldIn(await memory.useCases.sell(request));
  beforeEach(async () => {
    memory = await world();
  });

  it('is mailed after the certificate, with the same document', async () => {
    const sale = await sell(ticketSale());
    await memory.runJobs();
    expect((await copy(sale)).kind).to.equal('requested');
    await memory.runJobs();
    expect(memory.mailer.sent.map(({ occasion }) => occasion)).to.deep.equal([
      'issue',
      'second_copy',
    ]);
    const [first, second] = memory.mailer.sent as readonly CertificateMail[];
    expect(second?.document).to.deep.equal(first?.document);
  });

  it('is requested once per key, and refused if the key belongs to another sale', async () => {
    const [one, two] = [await sell(ticketSale()), await sell(ticketSale())];
    expect([(await copy(one, 'k')).kind, (await copy(one, 'k')).kind]).to.deep.equal([
      'requested',
      'repeated',
    ]);
    expect(await copy(two, 'k')).to.deep.equal({ kind: 'conflict', saleId: one.id });
  });

  it('can be requested three times in any hour', async () => {
    const sale = await sell(ticketSale());
    for (const wait of [600, 600, 600]) {
      expect((await copy(sale)).kind).to.equal('requested');
      memory.clock.advance(wait);
    }
    expect(await copy(sale)).to.deep.equal({ kind: 'too_many', waitFor: 1_800 });
    memory.clock.advance(1_799);
    expect(await copy(sale)).to.deep.equal({ kind: 'too_many', waitFor: 1 });
    memory.clock.advance(1);
    expect((await copy(sale)).kind).to.equal('requested');
    expect(await copy(sale)).to.deep.equal({ kind: 'too_many', waitFor: 600 });
  });

  it('is refused before the policy is issued and after a cancellation', async () => {
    const unpaid = await sell(phoneSale());
    expect(await copy(unpaid)).to.deep.equal({ kind: 'not_certified' });
    const sale = await sell(ticketSale());
    const order = { sale, by: 'insured', actor: ADMINISTRATOR } as const;
    const cancelled = unwrap(await memory.useCases.cancelSale.cancel(order));
    expect(await copy(cancelled)).to.deep.equal({ kind: 'not_certified' });
  });
});

describe('a link to a certificate', () => {
  it('opens the certificate for seven days, unless the contract is cancelled', async () => {
    const memory = await world();
    const sale = soldIn(await memory.useCases.sell(ticketSale()));
    const open = memory.useCases.openDocument;
    const url = memory.useCases.documentUrl(sale) ?? '';
    expect(url).to.match(/^https:\/\/sales\.example\/documents\/[\w-]+$/);
    const link = url.split('/').at(-1) ?? '';
    expect(await open(link)).to.deep.include({ fileName: 'bilhete-B-000000001.pdf' });
    expect(await open('other')).to.deep.equal(refuse('link_unknown'));
    memory.clock.advance(7 * 86_400 - 1);
    expect(await open(link)).to.have.property('content');
    memory.clock.advance(1);
    expect(await open(link)).to.deep.equal(refuse('link_expired'));
    const again = memory.useCases.documentUrl(sale)?.split('/').at(-1) ?? '';
    await memory.useCases.cancelSale.cancel({
      sale,
      by: 'insured',
      actor: ADMINISTRATOR,
    });
    expect(await open(again)).to.deep.equal(refuse('contract_ended'));
    const ended = await memory.sales.load(sale.id);
    expect(memory.useCases.documentUrl(ended as Sale)).to.equal(null);
    const linkToUnknownSale = memory.documentLinks.sign({
      saleId: 99,
      until: '2199-01-01T00:00:00.000Z' as Instant,
    });
    expect(await open(linkToUnknownSale)).to.deep.equal(refuse('link_unknown'));
  });
});

describe('checking a certificate', () => {
  it('shows only the initials of the insured to a person who has the code', async () => {
    const memory = await world();
    const verify = memory.useCases.verifyCertificate;
    const insured = {
      ...ticketSale().insured,
      name: 'Maria da Silva',
      socialName: 'Жанна 👩‍👩‍👧 d’Ávila',
    };
    const sale = soldIn(await memory.useCases.sell(ticketSale({ insured })));
    expect(await verify(sale.ticket)).to.deep.equal({
      document: { kind: 'bilhete', number: 'B-000000001', issuedAt: sale.registeredAt },
      ...{
        product: 'Ingresso Protegido',
        insurer: 'Seguradora Demonstração S.A.',
        susepProcess: '15414.900001/2026-00',
      },
      ...{
        period: { start: '2026-11-20', end: '2026-12-31' },
        standing: 'in_force',
        initials: 'Ж. 👩‍👩‍👧. d.',
      },
    });
    expect(await verify('id-99')).to.equal(undefined);
    const unpaid = soldIn(await memory.useCases.sell(phoneSale()));
    expect(await verify(unpaid.ticket)).to.equal(undefined);

    // Another group of channels may have what this one does not: it says nothing of it while it is away.
    const away = { sales: { loadByTicket: async () => Promise.reject(new Unavailable('away')) } };
    const { catalogue, clock } = memory;
    const another = await world();
    const elsewhere = soldIn(
      await another.useCases.sell(ticketSale({ insuredObject: { ticketNumber: 'B-1' } })),
    );
    const ticket = `${elsewhere.ticket}-elsewhere`;
    const loadByTicket = async (code: string) => (code === ticket ? elsewhere : undefined);
    const groupViews = () =>
      new Map<number, Pick<GroupView, 'sales'>>([
        [0, memory],
        [1, away as never],
        [2, { sales: { loadByTicket } as never }],
      ]);
    const verifyInAll = makeVerifyCertificate({ groupViews, catalogue, clock });
    for (const code of [sale.ticket, ticket])
      expect(await verifyInAll(code)).to.have.property('standing', 'in_force');
    const failure = await verifyInAll('id-99').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Unavailable);
    await memory.useCases.cancelSale.cancel({
      sale,
      by: 'insured',
      actor: ADMINISTRATOR,
    });
    expect((await verify(sale.ticket))?.standing).to.equal('cancelled');
  });
});
