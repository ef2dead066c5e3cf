import {
  type CalendarDate,
  type Cents,
  calendarDate,
  centsFromNumber,
  type Email,
  type Phone,
  type Postcode,
  parseEmail,
  parsePhone,
  parsePostcode,
  parseTaxId,
  type TaxId,
} from '#domain';

// For values that the formats of a schema have checked already.

export const readTaxId = (text: string): TaxId => parseTaxId(text) as TaxId;
export const readEmail = (text: string): Email => parseEmail(text) as Email;
export const readPhone = (text: string): Phone => parsePhone(text) as Phone;
export const readDate = (text: string): CalendarDate => calendarDate(text) as CalendarDate;
export const readPostcode = (text: string): Postcode => parsePostcode(text) as Postcode;
export const readCents = (reais: number): Cents => centsFromNumber(reais) as Cents;
