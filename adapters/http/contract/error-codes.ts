/** What a caller does after an error. */
export const NEXT_STEPS = {
  correct: 'correct the request',
  log_in: 'log in, then repeat',
  wait: 'wait for `Retry-After` seconds, then repeat',
  repeat: 'repeat the request, under the same name',
  look_up: 'look at the present state, then decide',
  new_sale: 'make a new sale, under a new name',
  call: 'ask the operator',
} as const;

interface ErrorCodeEntry {
  /** The statuses of the answers with this code. */
  readonly status: readonly number[];
  /** For the partner's guide, whose table shows it in these words. */
  readonly meaning: string;
  readonly next: keyof typeof NEXT_STEPS;
}

/** Every code that an answer may have. Codes are stable: a released one keeps its meaning. */
const ANSWERED = {
  invalid_json: {
    status: [400],
    meaning: 'the body is not JSON, or not a JSON object',
    next: 'correct',
  },
  invalid_csv: {
    status: [400],
    meaning: 'the header of a CSV, or the quotes or cells of a line, cannot be read',
    next: 'correct',
  },
  invalid_encoding: {
    status: [400, 415],
    meaning: 'the body is not UTF-8, or its `Content-Encoding` is wrong or not accepted here',
    next: 'correct',
  },
  invalid_request: {
    status: [400],
    meaning: 'the request is malformed, or has repeated or too many parameters',
    next: 'correct',
  },
  invalid_idempotency_key: {
    status: [400],
    meaning: '`Idempotency-Key` is not 1 to 255 visible ASCII characters',
    next: 'correct',
  },
  validation_failed: {
    status: [400, 422],
    meaning: 'fields are at fault: see the codes of fields',
    next: 'correct',
  },
  unsupported_grant_type: {
    status: [400],
    meaning: '`grant_type` is not `client_credentials` or `refresh_token`',
    next: 'correct',
  },
  invalid_grant: {
    status: [400],
    meaning: 'the refresh token is unknown, has ended or was used',
    next: 'log_in',
  },
  invalid_scope: { status: [400], meaning: 'the client does not have that scope', next: 'call' },
  unauthenticated: {
    status: [401],
    meaning: 'the token is missing, expired or revoked',
    next: 'log_in',
  },
  invalid_client: {
    status: [401],
    meaning: 'unknown client, wrong secret, or a client that is not active',
    next: 'correct',
  },
  invalid_signature: {
    status: [401],
    meaning: 'a notice did not come from the payment gateway',
    next: 'call',
  },
  insufficient_scope: {
    status: [403],
    meaning: 'the client does not have the scope of this endpoint',
    next: 'call',
  },
  channel_mismatch: {
    status: [403],
    meaning: "`channelLink` is not the client's own",
    next: 'correct',
  },
  channel_inactive: {
    status: [400, 403],
    meaning: 'the sales channel is inactive',
    next: 'call',
  },
  product_not_granted: {
    status: [400, 403],
    meaning: 'the channel may not sell this product',
    next: 'call',
  },
  foreign_origin: {
    status: [403],
    meaning: 'the form of a payment page was sent from another site',
    next: 'correct',
  },
  not_found: {
    status: [404],
    meaning: 'unknown path, or nothing of that name that the client may see',
    next: 'correct',
  },
  method_not_allowed: {
    status: [405],
    meaning: 'the path has other methods: see `Allow`',
    next: 'correct',
  },
  request_timeout: {
    status: [408],
    meaning: 'the request took too long to arrive',
    next: 'repeat',
  },
  content_conflict: {
    status: [409],
    meaning: 'the name was used with other content: see `differences`',
    next: 'look_up',
  },
  still_running: {
    status: [409],
    meaning: 'the sale, the first request with its name, or a replay is being worked on',
    next: 'wait',
  },
  not_cancellable: {
    status: [409],
    meaning: 'the sale or its cover has ended, or did not exist on that day',
    next: 'look_up',
  },
  nothing_to_give_up: {
    status: [409],
    meaning: 'the sale is issued, has ended, or is paid to the channel',
    next: 'look_up',
  },
  nothing_to_decide: {
    status: [409],
    meaning: 'no money of the sale waits for this decision',
    next: 'look_up',
  },
  refund_changed: {
    status: [409],
    meaning: 'the refund is not the one of `refundTotal`: see `refund_total`',
    next: 'look_up',
  },
  second_copy_unavailable: {
    status: [409],
    meaning: 'the sale has no certificate: it is cancelled, not paid or not issued',
    next: 'look_up',
  },
  version_conflict: {
    status: [409],
    meaning: 'the definition is of another version: see `version`',
    next: 'look_up',
  },
  catalogue_conflict: {
    status: [409],
    meaning: 'the rest of the catalogue does not allow the change: see `conflicts`',
    next: 'correct',
  },
  client_revoked: { status: [409], meaning: 'the client is revoked for good', next: 'correct' },
  client_id_taken: {
    status: [409],
    meaning: 'the id made for the client is taken',
    next: 'repeat',
  },
  own_client: {
    status: [409],
    meaning: 'an administrator cannot deactivate or revoke itself',
    next: 'correct',
  },
  sale_takes_no_mail: {
    status: [409],
    meaning: 'the sale was refused or has expired: no mail to the insured will follow',
    next: 'look_up',
  },
  mailing_not_undelivered: {
    status: [409],
    meaning: 'the mailing waits, was sent or was withdrawn',
    next: 'look_up',
  },
  webhook_limit_reached: {
    status: [409],
    meaning: 'the channel has as many webhooks as it may have',
    next: 'correct',
  },
  webhook_disabled: {
    status: [409],
    meaning: 'the webhook is paused or disabled: set its `status` to `active` first',
    next: 'correct',
  },
  link_expired: { status: [410], meaning: 'the document link has expired', next: 'look_up' },
  cursor_expired: {
    status: [410],
    meaning: 'events after this cursor have been deleted: begin without `after`',
    next: 'correct',
  },
  contract_ended: {
    status: [410],
    meaning: 'the contract of the document was cancelled',
    next: 'look_up',
  },
  body_too_large: { status: [413], meaning: 'the body is too large', next: 'correct' },
  unsupported_media_type: {
    status: [415],
    meaning: 'the media type of the body is not accepted here',
    next: 'correct',
  },
  expectation_failed: {
    status: [417],
    meaning: '`Expect` is not `100-continue`',
    next: 'correct',
  },
  wrong_host: {
    status: [421],
    meaning: 'the host is not the one of the base address',
    next: 'correct',
  },
  card_declined: {
    status: [400, 422],
    meaning: "the card's bank declined, and gave no other reason",
    next: 'new_sale',
  },
  insufficient_funds: {
    status: [400, 422],
    meaning: 'the card has no funds or no limit left',
    next: 'new_sale',
  },
  expired_card: {
    status: [400, 422],
    meaning: 'the bank says that the card has expired',
    next: 'new_sale',
  },
  gateway_unavailable: {
    status: [400, 422],
    meaning: 'a provider did not answer; the card was not charged',
    next: 'new_sale',
  },
  payment_refused: {
    status: [400, 422],
    meaning: 'the payer or the gateway refused, or the payment went back',
    next: 'new_sale',
  },
  proposal_refused: {
    status: [400, 422],
    meaning: 'the insurer refused, or quoted another price; nothing was charged',
    next: 'new_sale',
  },
  quote_expired: {
    status: [400, 422],
    meaning: 'the quote is over, by its time or by a new tax rate: ask for another',
    next: 'correct',
  },
  quote_mismatch: {
    status: [400, 422],
    meaning: 'the sale differs from its quote in the fields that it names',
    next: 'correct',
  },
  rate_limited: { status: [429], meaning: 'too many requests, failures or copies', next: 'wait' },
  headers_too_large: { status: [431], meaning: 'the headers are too large', next: 'correct' },
  internal: {
    status: [500],
    meaning:
      'fault of the service: repeat as after no answer; if it lasts, report the `X-Request-Id`',
    next: 'call',
  },
  unsupported_transfer_encoding: {
    status: [501],
    meaning: '`Transfer-Encoding` is not `chunked`',
    next: 'correct',
  },
  unavailable: {
    status: [503],
    meaning: 'database out of reach, or the process is starting or stopping',
    next: 'wait',
  },
} as const satisfies Readonly<Record<string, ErrorCodeEntry>>;

export type ErrorCode = keyof typeof ANSWERED;

/** The closed list of codes, for documents. */
export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeEntry>> = ANSWERED;

/** The closed list of the codes of fields, each with what is wrong with the field. */
export const FIELD_CODES = {
  required: 'the field is missing',
  unknown: 'there is no such field here',
  repeated: 'the value or parameter stands twice',
  invalid_type: 'the value is of another JSON type',
  invalid_format: 'the text or number does not have the form of this field',
  invalid_tax_id: 'no CPF or CNPJ, or wrong check digits',
  invalid_card_number: 'no card number, or a wrong check digit',
  card_number_in_text: 'a text holds the number of a payment card, which is kept nowhere',
  too_short: 'too few characters, items or fields',
  too_long: 'too many characters, items or fields',
  too_complex: 'too many values or levels, or too costly to check',
  out_of_range: 'the number or date is below or above the limits',
  not_offered: 'none of the values, products, plans, coverages or installments on offer',
  in_the_future: 'the date has not come yet',
  in_the_past: 'the date is over',
  expired_card: 'the card has expired',
  wrong_order: 'the date is before one that must come first',
  amount_differs: 'the amount is not the right one, which the message names',
  period_differs: 'the period is not the right one, which the message names',
  contradicts: 'the value contradicts another field or the product',
  no_tax_rate: 'there is no IOF rate for the product on this date',
  already_used: 'another webhook of the channel has this address',
  https_required: 'the address does not begin with `https://`',
  credentials_in_url: 'the address has a user name or a password',
  fragment_in_url: 'the address has a fragment (`#`)',
  port_not_allowed: 'the port is below 1024, and not 443',
  address_not_allowed: 'the address is local, private, reserved or that of this service',
  refused: 'the payment was refused: the code of the answer says why',
  invalid_value: 'the value breaks another rule of the field',
} as const;

export type FieldCode = keyof typeof FIELD_CODES;
