import {
  type CalendarDate,
  type Cents,
  calendarDate,
  centsFromNumber,
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

// These cost less than remembering them. The formats have checked the values already.
export const readDate = (text: string): CalendarDate => calendarDate(text) as CalendarDate;
export const readCents = (reais: number): Cents => centsFromNumber(reais) as Cents;

export const readOptionalDate = (text: string | undefined): CalendarDate | undefined =>
  text === undefined ? undefined : readDate(text);
export const readOptionalCents = (reais: number | undefined): Cents | undefined =>
  reais === undefined ? undefined : readCents(reais);
