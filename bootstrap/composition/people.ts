import { ContainerModule } from 'inversify';
import { Argon2Passphrases } from '../../adapters/security/argon2-passphrases.ts';
import { TotpCodes } from '../../adapters/security/totp-codes.ts';
import { makeJoin } from '../../application/people/join.ts';
import { makeKeepSessions } from '../../application/people/keep-sessions.ts';
import { makeManagePeople } from '../../application/people/manage-people.ts';
import { makeOneTimeProof } from '../../application/people/one-time-proof.ts';
import { makeSignIn } from '../../application/people/sign-in.ts';
import { makeWrongTries } from '../../application/people/wrong-tries.ts';
import { type Composed, compose, type Fakes } from './compose.ts';
import { PEOPLE_NEEDS } from './console-needs.ts';
import * as own from './infrastructure.ts';
import { type Given, Group, known } from './part.ts';
import * as ports from './ports.ts';

const { made, module } = new Group();
const { passphrases, oneTimeCodes } = own;
const { people, sessions, catalogue, counters, timers } = ports;
const { secrets, secretSeal, identifiers, auditLog, clock } = ports;

const oneTimeProof = made(makeOneTimeProof, { oneTimeCodes, secrets, secretSeal, clock });
const wrongTries = made(makeWrongTries, { counters, secrets, timers, auditLog, clock });
const STORED = { people, secrets, identifiers, clock };
export const keepSessions = made(makeKeepSessions, { ...STORED, sessions, oneTimeProof });
const PROVING = { ...STORED, keepSessions, oneTimeProof, passphrases };
export const signIn = made(makeSignIn, { ...PROVING, wrongTries });
export const join = made(makeJoin, PROVING);
export const managePeople = made(makeManagePeople, { ...STORED, keepSessions, catalogue });

const proofsModule = new ContainerModule(({ bind }) => {
  bind(passphrases).toConstantValue(new Argon2Passphrases());
  bind(oneTimeCodes).toConstantValue(new TotpCodes());
});

/** The parts that are bound here, beside those of `PEOPLE_NEEDS`. */
export const PEOPLE_MODULES = [proofsModule, module];

/**
 * The use-cases of people, over what the service has. A process that only sells loads none of this
 * file.
 */
export const composePeople = (given: Given<typeof PEOPLE_NEEDS>, fakes?: Fakes): Composed =>
  compose([known(PEOPLE_NEEDS, given), ...PEOPLE_MODULES], fakes);
