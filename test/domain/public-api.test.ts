import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import * as main from '../../domain/src/index.ts';
import * as policyEntry from '../../domain/src/policy.ts';
import * as service from '../../domain/src/service.ts';
import { TICKET_PRODUCT } from '../support/catalogue.ts';
import {
  APPROVED,
  AT,
  AWAITING,
  cancelledOn,
  day,
  ISSUED,
  PAID,
  POLICY,
  pendingSale,
  terms,
} from '../support/sales.ts';

const SOURCE = new URL('../../domain/src/', import.meta.url).pathname;
const MAX_NAMES = 120;

const wordsOf = (list: string): readonly string[] => list.trim().split(/\s+/).sort();

/** A changed or removed name is a new major version: see the README. */
const MAIN = {
  values: wordsOf(`
    cents plus minus min max share allocate centsFromNumber centsFromText parseReais formatReais
    toReais rate rateFromPercent toPercent formatPercent
    parseDate addDays addMonths daysBetween formatDate parseInstant instantOf businessDay
    calculatePremium calculateCommission splitIntoInstallments findIofRate lastDayOfRate IOF_RATES
    readCatalogue readProduct readChannel findOffer quotePrice
    saleTerms createSale numbered applyPaymentReport issueSale expireSale refuseSale
    previewCancellation cancelSale outstandingRefunds SALE_LIFECYCLE
    bookingsOf sumBookings
    parseTaxId parseCpf parseCnpj formatTaxId parseEmail parsePhone parsePostcode isUf parseImei
    CardNumber
    isRefusal unwrap messageOf REFUSAL_KINDS FAULT_KINDS
  `),
  types: wordsOf(`
    Cents Rate Rounding
    CalendarDate Instant CoveragePeriod
    Amounts Premium PricingBasis Tariff Commission CommissionRate Installment InstallmentTerms
    IofClass IofRate
    Product Plan Coverage Channel Grant Offer OfferRequest PriceBasis Quote
    Sale PendingSale AwaitingPaymentSale PaidSale IssuedSale RefusedSale ExpiredSale CancelledSale
    RefundedSale SaleTerms SoldTerms SaleEvent SaleTransition Moment PaymentReport
    CancellationFigures OutstandingRefund
    Booking BookSums
    TaxId Cpf Cnpj Email Phone Uf
    Refusal RefusalKind Fault FaultKind Reading
  `),
};

const POLICY_ENTRY = {
  values: wordsOf(`
    amounts
    priceQuotation issueQuotation cancelQuotation followQuotation
    propose analyseProposal acceptProposal turnIntoPolicy cancelProposal
    followProposal
    cancelPolicy followPolicy
  `),
  types: wordsOf(`
    Quotation DraftQuotation QuotedQuotation IssuedQuotation RejectedQuotation ExpiredQuotation
    CancelledQuotation
    Proposal SubmittedProposal ProposalUnderAnalysis AcceptedProposal ProposalTurnedPolicy
    RejectedProposal CancelledProposal
    Policy ActivePolicy CancelledPolicy
    Transition Moved Ignored
  `),
};

/** The types that a file exports, also those of the files that it exports whole. */
const typesOf = (file: string): readonly string[] => {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const lists = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)];
  const listed = lists.flatMap(([, isTypes, list = '']) =>
    list
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '' && (isTypes !== undefined || each.startsWith('type ')))
      .map((each) => each.replace('type ', '')),
  );
  const declared = [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
  const whole = [...text.matchAll(/^export \* from '\.\/(.+)';$/gm)];
  return [...listed, ...declared, ...whole.flatMap(([, name = '']) => typesOf(name))].sort();
};

describe('the public names of the domain package', () => {
  it('of the main entry are these', () => {
    expect(Object.keys(main).sort()).to.deep.equal(MAIN.values);
    expect(typesOf('index.ts')).to.deep.equal(MAIN.types);
    expect([...MAIN.values, ...MAIN.types]).to.have.length.at.most(MAX_NAMES);
  });

  it('of the entry /policy are these', () => {
    expect(Object.keys(policyEntry).sort()).to.deep.equal(POLICY_ENTRY.values);
    expect(typesOf('policy.ts')).to.deep.equal(POLICY_ENTRY.types);
  });

  it('of the entry /service include those of both', () => {
    expect(Object.keys(service)).to.include.members([...MAIN.values, ...POLICY_ENTRY.values]);
  });
});

describe('the docstrings of the main entry', () => {
  const docstrings = new Map<string, string>();
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const found = readFileSync(join(SOURCE, file), 'utf8').matchAll(
      /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\nexport (?:const|class) (\w+)/g,
    );
    for (const [, docstring = '', name = ''] of found) docstrings.set(name, docstring);
  }

  /** What the examples call by name: a ticket's product, and a sale of it in each state. */
  const product = TICKET_PRODUCT;
  const offer = main.unwrap(
    main.findOffer([product], DEMO_CHANNEL, { product: { code: 'INGRESSO' } }),
  );
  const on = day('2026-11-20');
  const iof = main.unwrap(main.findIofRate('general', on));
  const SAMPLES = {
    ...{ product, channel: DEMO_CHANNEL, offer, commissions: offer.commissions },
    ...{ on, at: AT, now: { on: day('2026-11-21'), at: AT }, iof },
    premium: main.calculatePremium(main.cents(18_860), 'net', iof, 'half-up'),
    ...{ terms: terms(), sold: terms(), quote: terms().quote, policy: POLICY, approved: APPROVED },
    ...{ pending: pendingSale(), awaiting: AWAITING, paid: PAID, issued: ISSUED },
    cancelled: cancelledOn(ISSUED, '2026-11-22'),
  };

  const evaluate = (code: string): unknown => runInNewContext(`(${code})`, { ...main, ...SAMPLES });
  const asText = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

  for (const name of MAIN.values)
    it(`show an example that is right: ${name}`, () => {
      const [, code = '', result = ''] =
        /@example (.+) \/\/ (.+?)(?: \*\/)?$/m.exec(docstrings.get(name) ?? '') ?? [];
      expect(code).to.include(name);
      expect(asText(evaluate(code)), code).to.equal(asText(evaluate(result)));
    });
});
