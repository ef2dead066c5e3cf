/** Data about people that the service stores. */
export interface PersonalData {
  readonly name: string;
  /** What it is, and about whom, as a sentence. */
  readonly what: string;
  /**
   * Where it stands: `table.column`, then names within the JSON. A place includes all below it.
   */
  readonly places: readonly string[];
  /** What it is for: `to …`. */
  readonly purpose: string;
  /** The article of the Lei 13.709/2018 (LGPD) that allows it. */
  readonly legalBasis: string;
  readonly retention: string;
  /** What deletes it when that time is over; `nothing` where it must stay. */
  readonly deletedBy: 'service' | 'operator' | 'nothing';
}

const CONTRACT = 'art. 7, V (contract)';
const LEGAL_DUTY = 'art. 7, II (legal obligation)';
const PROCEEDINGS = 'art. 7, VI (proceedings)';
const INTEREST = 'art. 7, IX (legitimate interest)';

/** Claims of the customer may come for so long. */
const WITH_THE_SALE = {
  retention: '5 years after the end of cover, refunds and claims',
  deletedBy: 'operator',
} as const;

/** A copy of a sale in the state that was answered, or that an event tells. */
const inEachState = (place: string): readonly string[] => [
  `sale.${place}`,
  `sale.answered.${place}`,
  `partner_event.state.${place}`,
  `new_partner_event.state.${place}`,
];

/**
 * The map of personal data (LGPD art. 37). A new column that holds any is a line here: a test
 * searches the tables for people who are not in it.
 */
export const PERSONAL_DATA: readonly PersonalData[] = [
  {
    name: 'Insured',
    what: 'Names, CPF or CNPJ, birth, e-mail, phone and address of the insured.',
    places: ['sale.terms.insured', ...inEachState('progress.corrections')],
    purpose: 'to insure, mail the certificate, return money, and prove all that',
    legalBasis: `${CONTRACT}, ${LEGAL_DUTY}`,
    ...WITH_THE_SALE,
  },
  {
    name: 'Additional insured',
    what: 'Name, CPF, birth, e-mail and phone of each.',
    places: ['sale.terms.additionalInsured'],
    purpose: 'to insure them',
    legalBasis: CONTRACT,
    ...WITH_THE_SALE,
  },
  {
    name: 'Insured object',
    what: 'Event, seat, device or trip, in the words of the channel.',
    places: ['sale.terms.insuredObject'],
    purpose: 'to know what is covered',
    legalBasis: CONTRACT,
    ...WITH_THE_SALE,
  },
  {
    name: 'Acceptance',
    what: 'Time, IP address and browser with which the customer accepted.',
    places: ['sale.terms.acceptance'],
    purpose: 'to prove the acceptance',
    legalBasis: PROCEEDINGS,
    ...WITH_THE_SALE,
  },
  {
    name: 'Request of a sale',
    what: 'What the channel sent, without the card.',
    places: ['sale.idempotency_content'],
    purpose: 'to tell a repetition from another sale',
    legalBasis: CONTRACT,
    ...WITH_THE_SALE,
  },
  {
    name: 'Names that a channel gives',
    what: 'Of a sale and of its seller; they may name a person.',
    places: [
      ...['sale.terms.sellerCode', 'sale.terms.externalSaleId', 'sale.external_sale_id'],
      ...['sale.idempotency_key', 'mailing.idempotency_key'],
    ],
    purpose: 'to find the sale, and to settle what sellers earn',
    legalBasis: INTEREST,
    ...WITH_THE_SALE,
  },
  {
    name: 'Search',
    what: 'The words of names, with the number of each sale; tax ids, e-mails and phones as keyed hashes.',
    places: ['search_name.words', 'search_word.word'],
    purpose: 'to find the sale of a customer who asks',
    legalBasis: CONTRACT,
    ...WITH_THE_SALE,
  },
  {
    name: 'Answers of webhooks',
    what: 'The first 1,000 bytes of each, whatever they say.',
    places: ['webhook_delivery.attempts'],
    purpose: 'to find out why an event did not arrive',
    legalBasis: INTEREST,
    retention: '90 days, with the event',
    deletedBy: 'service',
  },
  {
    name: 'API clients and webhooks',
    what: 'Names and descriptions, as people chose them.',
    places: ['api_client.name', 'webhook_endpoint.url', 'webhook_endpoint.description'],
    purpose: 'to tell them apart',
    legalBasis: CONTRACT,
    retention: 'as long as the client or webhook exists',
    deletedBy: 'operator',
  },
  {
    name: 'People of the console',
    what: 'Name, e-mail, and hashes of what they sign in with.',
    places: ['name', 'email', 'credentials'].map((column) => `person.${column}`),
    purpose: 'to know who may enter, and who did what',
    legalBasis: CONTRACT,
    retention: 'as long as the person works with the service',
    deletedBy: 'operator',
  },
  {
    name: 'Acts that wait for a second person',
    what: 'Who asks, and why, in words.',
    places: ['approval_request.person_name', 'approval_request.act'],
    purpose: 'to let two people decide about large refunds',
    legalBasis: INTEREST,
    retention: 'a day after the request has expired',
    deletedBy: 'service',
  },
  {
    name: 'Sessions of the console',
    what: 'IP address and browser of a person at work.',
    places: ['person_session.address', 'person_session.browser'],
    purpose: 'to find and end sessions of intruders',
    legalBasis: INTEREST,
    retention: 'a day after the session has ended',
    deletedBy: 'service',
  },
  {
    name: 'Counts of requests',
    what: 'IP addresses that ask or sign in, and a hash of the e-mail that signs in.',
    places: ['rate_limit.key'],
    purpose: 'to limit requests and guesses',
    legalBasis: INTEREST,
    retention: 'an hour after the minute that is counted',
    deletedBy: 'service',
  },
  {
    name: 'Audit log',
    what: 'Who did what, from which IP address, and what was there before and after.',
    places: ['actor_name', 'address', 'reason', 'changes'].map((column) => `audit_entry.${column}`),
    purpose: 'to account for each act, and to find intruders',
    legalBasis: LEGAL_DUTY,
    retention: 'always',
    deletedBy: 'nothing',
  },
  {
    name: 'Alerts',
    what: 'Who resolved one, and the note.',
    places: ['alert.resolved_by', 'alert.note'],
    purpose: 'to know what was done',
    legalBasis: INTEREST,
    retention: 'as long as the alert exists',
    deletedBy: 'operator',
  },
];
