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
  /** What the code means, as the English guide shows it. */
  readonly meaning: string;
  readonly next: keyof typeof NEXT_STEPS;
}

/** Makes the function that describes codes with this next step. */
const entryWith =
  (next: ErrorCodeEntry['next']) =>
  (status: readonly number[], meaning: string): ErrorCodeEntry => ({ status, meaning, next });

const correct = entryWith('correct');
const logIn = entryWith('log_in');
const wait = entryWith('wait');
const repeat = entryWith('repeat');
const lookUp = entryWith('look_up');
const newSale = entryWith('new_sale');
const call = entryWith('call');

/** The closed list of codes that an answer may have. A released code keeps its meaning. */
export const ERROR_CODES = {
  invalid_json: correct([400], 'the body is not JSON, or not a JSON object'),
  invalid_csv: correct(
    [400],
    'the header of a CSV, or the quotes or cells of a line, cannot be read',
  ),
  invalid_encoding: correct(
    [400, 415],
    'the body is not UTF-8, or its `Content-Encoding` is wrong or not accepted here',
  ),
  invalid_request: correct(
    [400],
    'the request is malformed, or has repeated or too many parameters',
  ),
  invalid_idempotency_key: correct(
    [400],
    '`Idempotency-Key` is not 1 to 255 visible ASCII characters',
  ),
  validation_failed: correct([400, 422], 'fields are at fault: see the codes of fields'),
  unsupported_grant_type: correct(
    [400],
    '`grant_type` is not `client_credentials` or `refresh_token`',
  ),
  invalid_grant: logIn([400], 'the refresh token is unknown, has ended or was used'),
  invalid_scope: call([400], 'the client does not have that scope'),
  unauthenticated: logIn([401], 'the token is missing, expired or revoked'),
  invalid_client: correct([401], 'unknown client, wrong secret, or a client that is not active'),
  invalid_signature: call([401], 'a notice did not come from the payment gateway'),
  insufficient_scope: call([403], 'the client does not have the scope of this endpoint'),
  channel_mismatch: correct([403], "`channelLink` is not the client's own"),
  channel_inactive: call([400, 403], 'the sales channel is inactive'),
  product_not_granted: call([400, 403], 'the channel may not sell this product'),
  foreign_origin: correct([403], 'the form of a payment page was sent from another site'),
  not_found: correct([404], 'unknown path, or nothing of that name that the client may see'),
  method_not_allowed: correct([405], 'the path has other methods: see `Allow`'),
  request_timeout: repeat([408], 'the request took too long to arrive'),
  content_conflict: lookUp([409], 'the name was used with other content: see `differences`'),
  still_running: wait(
    [409],
    'the sale, the first request with its name, or a replay is being worked on',
  ),
  not_cancellable: lookUp([409], 'the sale or its cover has ended, or did not exist on that day'),
  nothing_to_give_up: lookUp([409], 'the sale is issued, has ended, or is paid to the channel'),
  nothing_to_decide: lookUp([409], 'no money of the sale waits for this decision'),
  nothing_to_refund: lookUp([409], 'the channel owes no refund of the sale'),
  refund_changed: lookUp([409], 'the refund is not the one of `refundTotal`: see `refund_total`'),
  second_copy_unavailable: lookUp(
    [409],
    'the sale has no certificate: it is cancelled, not paid or not issued',
  ),
  version_conflict: lookUp([409], 'the definition is of another version: see `version`'),
  catalogue_conflict: correct(
    [409],
    'the rest of the catalogue does not allow the change: see `conflicts`',
  ),
  client_revoked: correct([409], 'the client is revoked for good'),
  client_id_taken: repeat([409], 'the id made for the client is taken'),
  own_client: correct([409], 'an administrator cannot deactivate or revoke itself'),
  sale_takes_no_mail: lookUp(
    [409],
    'the sale was refused or has expired: no mail to the insured will follow',
  ),
  mailing_not_undelivered: lookUp([409], 'the mailing waits, was sent or was withdrawn'),
  webhook_limit_reached: correct([409], 'the channel has as many webhooks as it may have'),
  webhook_disabled: correct(
    [409],
    'the webhook is paused or disabled: set its `status` to `active` first',
  ),
  link_expired: lookUp([410], 'the document link has expired'),
  cursor_expired: correct(
    [410],
    'events after this cursor have been deleted: begin without `after`',
  ),
  contract_ended: lookUp([410], 'the contract of the document was cancelled'),
  body_too_large: correct([413], 'the body is too large'),
  unsupported_media_type: correct([415], 'the media type of the body is not accepted here'),
  expectation_failed: correct([417], '`Expect` is not `100-continue`'),
  wrong_host: correct([421], 'the host is not the one of the base address'),
  card_declined: newSale([400, 422], "the card's bank declined, and gave no other reason"),
  insufficient_funds: newSale([400, 422], 'the card has no funds or no limit left'),
  expired_card: newSale([400, 422], 'the bank says that the card has expired'),
  gateway_unavailable: newSale([400, 422], 'a provider did not answer; the card was not charged'),
  payment_refused: newSale(
    [400, 422],
    'the payer or the gateway refused, or the payment went back',
  ),
  proposal_refused: newSale(
    [400, 422],
    'the insurer refused, or quoted another price; nothing was charged',
  ),
  quote_expired: correct(
    [400, 422],
    'the quote is over, by its time or by a new tax rate: ask for another',
  ),
  quote_mismatch: correct(
    [400, 422],
    'the sale differs from its quote in the fields that it names',
  ),
  rate_limited: wait([429], 'too many requests, failures or copies'),
  headers_too_large: correct([431], 'the headers are too large'),
  internal: call(
    [500],
    'fault of the service: repeat as after no answer; if it lasts, report the `X-Request-Id`',
  ),
  unsupported_transfer_encoding: correct([501], '`Transfer-Encoding` is not `chunked`'),
  unavailable: wait([503], 'database out of reach, or the process is starting or stopping'),
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

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
