import { Secret, TOTP } from 'otpauth';
import type { Instant } from '#domain';
import type { OneTimeCodes } from '../../application/people/proofs.ts';

/** Shown by the app beside the code. */
const ISSUER = 'Seguros';

const SECRET_BYTES = 20;
const SECRET_TEXT = /^[A-Z2-7]{32}$/;
const CODE_TEXT = /^\d{6}$/;

const totpOf = (secret: string): TOTP => new TOTP({ secret: Secret.fromBase32(secret) });

/** Codes of six digits for 30 s each, with HMAC-SHA-1, as every app has them (RFC 6238). */
export class TotpCodes implements OneTimeCodes {
  makeSecret(): string {
    return new Secret({ size: SECRET_BYTES }).base32;
  }

  uriOf(secret: string, label: string): string {
    return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret) }).toString();
  }

  stepOf(secret: string, code: string, at: Instant): number | undefined {
    if (!SECRET_TEXT.test(secret) || !CODE_TEXT.test(code)) return undefined;
    const totp = totpOf(secret);
    const timestamp = Date.parse(at);
    const delta = totp.validate({ token: code, timestamp, window: 1 });
    return delta === null ? undefined : totp.counter({ timestamp }) + delta;
  }
}
