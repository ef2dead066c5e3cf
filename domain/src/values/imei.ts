import { passesLuhn } from './luhn.ts';
import { ifText } from './text.ts';

declare const imei: unique symbol;

/** A mobile device's id: 15 digits, the last a check digit (3GPP TS 23.003, § 6.2, annex B). */
export type Imei = string & { readonly [imei]: true };

/**
 * Reads 15 digits, also in groups. Undefined for anything else.
 *
 * @example parseImei('49-015420-323751-8') // '490154203237518'
 */
export const parseImei = (given: unknown): Imei | undefined =>
  ifText(given, (text) => {
    const digits = text.replaceAll(/[\s./-]/g, '');
    return /^\d{15}$/.test(digits) && passesLuhn(digits) ? (digits as Imei) : undefined;
  });
