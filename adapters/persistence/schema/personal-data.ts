/** Data about people that the service stores. */
export interface PersonalData {
  /** What it is, and about whom. */
  readonly what: string;
  /**
   * Where it stands: `table.column`, then names within the JSON, with `*` for any item of a list. A
   * place includes all below it.
   */
  readonly places: readonly string[];
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
    what: 'the insured: names, CPF or CNPJ, birth, e-mail, phone, address',
    places: ['sale.terms.insured', ...inEachState('progress.corrections')],
    purpose: 'to insure, mail the certificate, return money, and prove all that',
    legalBasis: `${CONTRACT}, ${LEGAL_DUTY}`,
    ...WITH_THE_SALE,
  },
  {
    what: 'other insured persons: name, CPF, birth, e-mail, phone',
    places: ['sale.terms.additionalInsured'],
    purpose: 'to insure them',
    legalBasis: CONTRACT,
    ...WITH_THE_SALE,
  },
  {
    what: 'what is insured, in the words of the channel: event, seat, device, trip',
    places: ['sale.terms.insuredObject'],
    purpose: 'to know what is covered',
    legalBasis: CONTRACT,
    ...WITH_THE_SALE,
  },
  {
    what: 'how the customer accepted: time, IP address, browser',
    places: ['sale.terms.acceptance'],
    purpose: 'to prove the acceptance',
    legalBasis: PROCEEDINGS,
    ...WITH_THE_SALE,
  },
  {
    what: 'the request for the sale, without the card',
    places: ['sale.idempotency_content'],
    purpose: 'to tell a repetition from another sale',
    legalBasis: CONTRACT,
    ...WITH_THE_SALE,
  },
  {
    what: "the channel's own names of a sale and of its seller, which may name a person",
    places: [
      ...['sale.terms.sellerCode', 'sale.terms.externalSaleId', 'sale.external_sale_id'],
      ...['sale.idempotency_key', 'mailing.idempotency_key'],
    ],
    purpose: 'to find the sale, and to settle what sellers earn',
    legalBasis: INTEREST,
    ...WITH_THE_SALE,
  },
  {
    what: 'the first 1,000 bytes that a webhook answered, whatever they say',
    places: ['webhook_delivery.attempts'],
    purpose: 'to find out why an event did not arrive',
    legalBasis: INTEREST,
    retention: '90 days, with the event',
    deletedBy: 'service',
  },
  {
    what: 'names and descriptions of API clients and webhooks, as people chose them',
    places: ['api_client.name', 'webhook_endpoint.url', 'webhook_endpoint.description'],
    purpose: 'to tell them apart',
    legalBasis: CONTRACT,
    retention: 'as long as the client or webhook exists',
    deletedBy: 'operator',
  },
  {
    what: 'who did what, from which IP address, with the names before and after',
    places: ['actor_name', 'address', 'reason', 'changes'].map((column) => `audit_entry.${column}`),
    purpose: 'to account for each act, and to find intruders',
    legalBasis: LEGAL_DUTY,
    retention: 'never deleted',
    deletedBy: 'nothing',
  },
  {
    what: 'who resolved an alert, and the note',
    places: ['alert.resolved_by', 'alert.note'],
    purpose: 'to know what was done',
    legalBasis: INTEREST,
    retention: 'as long as the alert exists',
    deletedBy: 'operator',
  },
];
