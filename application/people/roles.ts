/** What people are to the service: each person has one role. */
export const ROLES = ['admin', 'support', 'finance', 'partner'] as const;

export type Role = (typeof ROLES)[number];

/** Which roles may see or do what. Pages are shown, and acts refused, by this table alone. */
const RIGHTS = {
  /** See, invite and change people, and end their sessions. */
  people: ['admin'],
  /** Find sales of all channels, and see how they stand. */
  sales: ['admin', 'support', 'finance'],
  /** See how much is sold, over all channels. */
  totals: ['admin', 'finance'],
  /** Note what channels have returned to customers. */
  refunds: ['admin', 'finance'],
  /** Change what is sold, at which price, and by whom. */
  catalogue: ['admin'],
  /** Read who did what. */
  audit: ['admin'],
  /** See what needs a person. */
  alerts: ['admin', 'support', 'finance'],
  /** Send documents to the insured again, correct where to, cancel, and end alerts. */
  assist: ['admin', 'support'],
  /** Try again what is stuck, give a sale up, and decide about its money. */
  settle: ['admin', 'support'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Right = keyof typeof RIGHTS;

export const may = (role: Role, right: Right): boolean =>
  (RIGHTS[right] as readonly Role[]).includes(role);
