/** What people are to the service: each person has one role. */
export const ROLES = ['admin', 'support', 'finance', 'partner'] as const;

export type Role = (typeof ROLES)[number];

/** Which roles may see or do what. Pages are shown, and acts refused, by this table alone. */
const RIGHTS = {
  /** See, invite and change people, and end their sessions. */
  people: ['admin'],
  /** See what a channel sees, without changing anything. */
  look: ['admin'],
  /** Find sales, and see how they stand: a partner those of the own channel. */
  sales: ['admin', 'support', 'finance', 'partner'],
  /** See of a sale what the service alone knows: what the gateway says, who did what, what it lacks. */
  inspect: ['admin', 'support', 'finance'],
  /** Read statements: a partner that of the own channel. */
  statements: ['admin', 'finance', 'partner'],
  /** See how much is sold, over all channels. */
  totals: ['admin', 'finance'],
  /** Note what channels have returned to customers. */
  refunds: ['admin', 'finance'],
  /** Make and end the clients by which programs log in: a partner those of the own channel. */
  clients: ['admin', 'partner'],
  /** See, test and change webhooks, and what was sent to them: a partner those of the own channel. */
  webhooks: ['admin', 'partner'],
  /** See which requests of a channel failed, and what its clients have shown: a partner the own ones. */
  requests: ['admin', 'support', 'partner'],
  /** Change what is sold, at which price, and by whom. */
  catalogue: ['admin'],
  /** Read who did what. */
  audit: ['admin'],
  /** See what needs a person. */
  alerts: ['admin', 'support', 'finance'],
  /** End alerts, and send mails again that were not delivered. */
  resolve: ['admin', 'support'],
  /** Send documents to the insured again, correct where to, and cancel. */
  assist: ['admin', 'support', 'partner'],
  /** Try again what is stuck, give a sale up, and decide about its money. */
  settle: ['admin', 'support'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Right = keyof typeof RIGHTS;

export const may = (role: Role, right: Right): boolean =>
  (RIGHTS[right] as readonly Role[]).includes(role);
