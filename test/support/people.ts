import { Secret, TOTP } from 'otpauth';
import { unwrap } from '#domain';
import { MemoryPassphrases } from '../../adapters/memory/passphrases.ts';
import type { From } from '../../application/people/keep-sessions.ts';
import type { Described } from '../../application/people/manage-people.ts';
import type { Person } from '../../application/people/people.ts';
import { oneTimeCodes } from '../../bootstrap/composition/infrastructure.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import {
  composePeople,
  join,
  keepSessions,
  managePeople,
  signIn,
} from '../../bootstrap/composition/people.ts';
import { ADMINISTRATOR, APPLICANT, AT } from './identity.ts';

export const FROM: From = { ...APPLICANT, browser: 'Firefox/140.0 (Linux)' };

export const ANA = { name: 'Ana Lima', role: 'admin', channelLink: null } as const;

export const PASSPHRASE = 'três tigres tristes';

/** The use-cases of people, over a service in memory. */
export const peopleOver = (service: MemoryService) =>
  composePeople(service, { passphrases: new MemoryPassphrases() }).pick({
    ...{ managePeople, signIn, join, keepSessions, oneTimeCodes },
  });

/** The code that an app shows for a secret. */
export const codeOf = (secret: string, at: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(at) });

/** A link that enters the console as a new person. @returns its path */
export const linkFor = async (
  service: MemoryService,
  described: Described = ANA,
): Promise<string> => {
  const { code } = unwrap(
    await peopleOver(service).managePeople.addWithLink(described, ADMINISTRATOR),
  );
  return `/console/enter/${code}`;
};

export const person = (personId: string, over: Partial<Person> = {}): Person => ({
  ...{ ...ANA, personId, email: `${personId}@example.com` as Person['email'], isActive: true },
  ...{ createdAt: AT, generation: 0, credentials: null, link: null, version: 1 },
  ...over,
});
