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

// What the schema's formats have found to be one, as the domain knows it.

export const taxIdFrom = (text: string): TaxId => parseTaxId(text) as TaxId;
export const emailFrom = (text: string): Email => parseEmail(text) as Email;
export const phoneFrom = (text: string): Phone => parsePhone(text) as Phone;
export const dateFrom = (text: string): CalendarDate => calendarDate(text) as CalendarDate;
export const postcodeFrom = (text: string): Postcode => parsePostcode(text) as Postcode;
export const centsFrom = (reais: number): Cents => centsFromNumber(reais) as Cents;
