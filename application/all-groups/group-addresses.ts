import type { ChannelGroup } from '../groups/groups.ts';
import type { SecretSeal } from '../webhooks/webhook-sender.ts';

const nameOf = (number: number): string => `group/${number}`;

/** Seals the address of a group's database. */
export const sealAddress = (address: string, number: number, seal: SecretSeal): string =>
  seal.seal(address, nameOf(number));

/** Undefined: no key opens it. */
export const openAddress = (
  { number, sealedDatabase }: Pick<ChannelGroup, 'number' | 'sealedDatabase'>,
  seal: SecretSeal,
): string | undefined => seal.open(sealedDatabase, nameOf(number));

/** @throws Error where no key opens it */
export const addressOf = (
  group: Pick<ChannelGroup, 'number' | 'sealedDatabase'>,
  seal: SecretSeal,
): string => {
  const address = openAddress(group, seal);
  if (address === undefined) throw new Error(`no key opens the address of group ${group.number}`);
  return address;
};

/** The address that a group moves to; undefined where it stays. @throws Error where no key opens it */
export const targetOf = ({ number, move }: ChannelGroup, seal: SecretSeal): string | undefined =>
  move === null ? undefined : addressOf({ number, sealedDatabase: move.sealedTarget }, seal);
