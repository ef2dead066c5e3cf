/**
 * The tables of the control database: what all groups of channels share. All others belong to a
 * group, and no statement or transaction touches both: the contract suites run where each half
 * lacks the tables of the other.
 */
export const CONTROL_TABLES = [
  ...['api_client', 'client_use', 'token_family', 'refresh_token', 'rate_limit'],
  ...['product', 'channel', 'catalogue_version', 'iof_rate', 'revision'],
  ...['channel_group', 'channel_place'],
  ...['quote_secret', 'evidence_key', 'person', 'person_session'],
];

/** Tables that both halves have: each its own entries and migrations. */
export const TABLES_OF_BOTH = ['audit_entry', 'mikro_orm_migrations'];
