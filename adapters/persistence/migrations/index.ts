/**
 * The migrations, in the order in which they run. A released migration is never edited.
 *
 * From 0009 on, the name says what it means for the version before, which runs beside the new one
 * while processes are replaced. `expand` only adds, so the version before keeps working. `contract`
 * removes what only older versions need: a version that does not know it refuses to start. A
 * release has one kind, not both.
 */
export const MIGRATIONS = [
  { name: '0001-first-sale', load: async () => (await import('./0001-first-sale.ts')).FirstSale },
  {
    name: '0002-every-state',
    load: async () => (await import('./0002-every-state.ts')).EveryState,
  },
  { name: '0003-identity', load: async () => (await import('./0003-identity.ts')).Identity },
  { name: '0004-payment', load: async () => (await import('./0004-payment.ts')).Payment },
  {
    name: '0005-generic-sale',
    load: async () => (await import('./0005-generic-sale.ts')).GenericSale,
  },
  {
    name: '0006-certificates',
    load: async () => (await import('./0006-certificates.ts')).Certificates,
  },
  { name: '0007-write-path', load: async () => (await import('./0007-write-path.ts')).WritePath },
  { name: '0008-as-written', load: async () => (await import('./0008-as-written.ts')).AsWritten },
  {
    name: '0009-expand-names-and-roles',
    load: async () => (await import('./0009-expand-names-and-roles.ts')).NamesAndRoles,
  },
  {
    name: '0010-expand-iof-rates',
    load: async () => (await import('./0010-expand-iof-rates.ts')).IofRates,
  },
  {
    name: '0011-expand-evidence-keys',
    load: async () => (await import('./0011-expand-evidence-keys.ts')).EvidenceKeys,
  },
  {
    name: '0012-expand-notices-and-clocks',
    load: async () => (await import('./0012-expand-notices-and-clocks.ts')).NoticesAndClocks,
  },
  {
    name: '0013-expand-sale-updates',
    load: async () => (await import('./0013-expand-sale-updates.ts')).SaleUpdates,
  },
  {
    name: '0014-expand-quote-secrets',
    load: async () => (await import('./0014-expand-quote-secrets.ts')).QuoteSecrets,
  },
  {
    name: '0015-expand-partner-events',
    load: async () => (await import('./0015-expand-partner-events.ts')).PartnerEvents,
  },
  {
    name: '0016-expand-answered-requests',
    load: async () => (await import('./0016-expand-answered-requests.ts')).AnsweredRequests,
  },
  {
    name: '0017-expand-alerts',
    load: async () => (await import('./0017-expand-alerts.ts')).AlertRecords,
  },
  {
    name: '0018-expand-provider-calls',
    load: async () => (await import('./0018-expand-provider-calls.ts')).ProviderCalls,
  },
  {
    name: '0019-expand-money-after-sale',
    load: async () => (await import('./0019-expand-money-after-sale.ts')).MoneyAfterSale,
  },
  {
    name: '0020-expand-card-marks',
    load: async () => (await import('./0020-expand-card-marks.ts')).CardMarks,
  },
  {
    name: '0021-expand-sale-numbers',
    load: async () => (await import('./0021-expand-sale-numbers.ts')).SaleNumbers,
  },
];
