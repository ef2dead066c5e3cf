import {
  type CalendarDate,
  type Cents,
  centsFromNumber,
  isLoopbackOrigin,
  type PaymentMethod,
  parseDate,
  parseEmail,
  parsePhone,
  parsePostcode,
  parseTaxId,
} from '#domain';

/**
 * Makes the check that a schema's format does, and the reading that follows it. They remember the
 * last text, so that a value is parsed once.
 */
const checkAndRead = <Value>(parse: (text: string) => Value | undefined) => {
  let lastText: string | undefined;
  let last: Value | undefined;
  const parseOnce = (text: string): Value | undefined => {
    if (text !== lastText) {
      last = parse(text);
      lastText = text;
    }
    return last;
  };
  return {
    accepts: (text: string): boolean => parseOnce(text) !== undefined,
    /** Reads a text that has been accepted. */
    read: (text: string): Value => parseOnce(text) as Value,
  };
};

export const { accepts: isTaxId, read: readTaxId } = checkAndRead(parseTaxId);
export const { accepts: isEmail, read: readEmail } = checkAndRead(parseEmail);
export const { accepts: isPhone, read: readPhone } = checkAndRead(parsePhone);
export const { accepts: isPostcode, read: readPostcode } = checkAndRead(parsePostcode);

/**
 * Whether a text is an address to go back to: `https` (`http` for the own machine), without credentials.
 * A browser drops line breaks and takes a backslash for a slash, so neither is accepted.
 */
export const isReturnUrl = (text: string): boolean => {
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, origin, username, password } = new URL(text);
  const isSecure = protocol === 'https:' || isLoopbackOrigin(origin);
  return isSecure && username === '' && password === '';
};

/** The way back from a payment page, as browsers write it. */
export const readWayBack = (text: string | undefined): { readonly returnUrl?: string } =>
  text === undefined ? {} : { returnUrl: new URL(text).href };

/** Ways to pay, by their names in bodies. */
export const PAYMENT_METHODS = {
  credito: 'credit',
  debito: 'debit',
  pix: 'pix',
  boleto: 'boleto',
} as const satisfies Record<string, PaymentMethod>;
export const PAYMENT_METHOD_NAMES = Object.keys(
  PAYMENT_METHODS,
) as (keyof typeof PAYMENT_METHODS)[];

// These cost less than remembering them. The formats have checked the values already.
export const readDate = (text: string): CalendarDate => parseDate(text) as CalendarDate;
export const readCents = (reais: number): Cents => centsFromNumber(reais) as Cents;

export const readOptionalDate = (text: string | undefined): CalendarDate | undefined =>
  text === undefined ? undefined : readDate(text);
