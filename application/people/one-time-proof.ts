import { type Clock, later } from '../clock.ts';
import type { Secrets } from '../identity/secrets.ts';
import type { SecretSeal } from '../webhooks/webhook-sender.ts';
import { type Credentials, type Person, personSubject } from './people.ts';
import type { OneTimeCodes } from './proofs.ts';

const RECOVERY_CODES = 10;

const MAX_MISSES = 10;
const PAUSE_MS = 15 * 60 * 1_000;
const NO_MISSES = { wrongCodes: 0, pausedUntil: null };

interface Needs {
  readonly oneTimeCodes: OneTimeCodes;
  readonly secrets: Secrets;
  readonly secretSeal: SecretSeal;
  readonly clock: Clock;
}

/** The second factor of a person: the codes of an app, and recovery codes, each good once. */
export interface OneTimeProof {
  /**
   * Credentials in which the code is used up; undefined if it is wrong or was used, or if codes of six
   * digits are paused.
   */
  use(person: Person, code: string): Credentials | undefined;
  /**
   * Credentials in which a wrong code with the right passphrase is counted. After ten, codes of six
   * digits are paused: a passphrase that has leaked does not lead to guesses. Recovery codes are not.
   */
  miss(credentials: Credentials): Credentials;
  /** The step of the first code of a secret that is being chosen; undefined if it is wrong. */
  firstStep(codeSecret: string, code: string): number | undefined;
  choose(
    person: Person,
    codeSecret: string,
    firstStep: number,
  ): {
    readonly credentials: Omit<Credentials, 'passphraseHash'>;
    readonly recoveryCodes: readonly string[];
  };
}

/** A code as somebody types it: blanks, hyphens and capitals do not matter. */
const plain = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase();

export const makeOneTimeProof = ({
  oneTimeCodes,
  secrets,
  secretSeal,
  clock,
}: Needs): OneTimeProof => {
  const firstStep: OneTimeProof['firstStep'] = (codeSecret, code) =>
    oneTimeCodes.stepOf(codeSecret, plain(code), clock.now());

  /** 80 random bits in four groups. */
  const makeRecoveryCode = (): string =>
    oneTimeCodes
      .makeSecret()
      .slice(0, 16)
      .replaceAll(/.{4}(?=.)/g, '$&-');

  return {
    firstStep,

    use(person, code) {
      const { credentials } = person;
      if (credentials === null) return undefined;
      const { lastStep, recoveryHashes, sealedCodeSecret, pausedUntil } = credentials;
      const subject = personSubject(person);
      const secret = secretSeal.open(sealedCodeSecret, subject) ?? '';
      const step = firstStep(secret, code);
      const isPaused = pausedUntil !== null && clock.now() < pausedUntil;
      if (step !== undefined && step > lastStep && !isPaused)
        // Sealed again, in case the key has changed.
        return {
          ...{ ...credentials, ...NO_MISSES, lastStep: step },
          sealedCodeSecret: secretSeal.seal(secret, subject),
        };
      const left = recoveryHashes.filter((hash) => !secrets.matches(plain(code), [hash]));
      return left.length < recoveryHashes.length
        ? { ...credentials, ...NO_MISSES, recoveryHashes: left }
        : undefined;
    },

    miss(credentials) {
      const wrongCodes = credentials.wrongCodes + 1;
      if (wrongCodes < MAX_MISSES) return { ...credentials, wrongCodes };
      return { ...credentials, wrongCodes: 0, pausedUntil: later(clock.now(), PAUSE_MS) };
    },

    choose(person, codeSecret, lastStep) {
      const recoveryCodes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
      const sealedCodeSecret = secretSeal.seal(codeSecret, personSubject(person));
      const recoveryHashes = recoveryCodes.map((each) => secrets.hash(plain(each)));
      const credentials = { sealedCodeSecret, lastStep, recoveryHashes, ...NO_MISSES };
      return { credentials, recoveryCodes };
    },
  };
};
