import type { ChannelRole } from '#domain';

const NAMES = {
  representative: 'representante',
  broker: 'corretor',
  policyholder: 'estipulante',
} as const satisfies Record<ChannelRole, string>;

/** The roles of a channel as bodies name them. */
export const ROLE_NAMES = Object.values(NAMES);

export const nameRole = (role: ChannelRole): (typeof NAMES)[ChannelRole] => NAMES[role];

/** Returns the role of a name. Any other value stays as it is, so that the reader reports it. */
export const readRole = (name: unknown): unknown =>
  (Object.keys(NAMES) as ChannelRole[]).find((role) => NAMES[role] === name) ?? name;
