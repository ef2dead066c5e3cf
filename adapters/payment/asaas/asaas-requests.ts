import { type Phone, phoneDigits, reais } from '#domain';
import type { ChargeOrder } from '../../../application/payments/payments.ts';

/** Builds the body of `POST /v3/customers`. */
export const buildCustomer = ({ payer, reference }: ChargeOrder): object => {
  const { name, email, phone, address } = payer;
  return {
    name,
    email,
    cpfCnpj: payer.taxId,
    externalReference: reference,
    // The service sends its own mail to the insured.
    notificationDisabled: true,
    ...buildPhoneFields(phone),
    ...(address && {
      postalCode: address.postcode,
      address: address.street,
      addressNumber: address.number ?? 'S/N',
      province: address.district,
    }),
  };
};

/** Max characters that Asaas takes as the description of a payment. */
const MAX_DESCRIPTION_CHARACTERS = 500;

const truncate = (text: string, max: number): string => [...text].slice(0, max).join('');

/** Builds the body of `POST /v3/payments`. */
export const buildPayment = (order: ChargeOrder): object => {
  const { amount, reference, dueOn, method } = order;
  const { installments, card, orderedFrom, priceEndsAt } = order;
  const value = reais(amount);
  const price =
    installments > 1 ? { installmentCount: installments, totalValue: value } : { value };
  const about = {
    ...price,
    dueDate: dueOn,
    description: truncate(order.description, MAX_DESCRIPTION_CHARACTERS),
    externalReference: reference,
    // The price ends with that day: the bank must not accept the boleto later.
    ...(priceEndsAt !== undefined && { daysAfterDueDateToRegistrationCancellation: 0 }),
  };
  if (card === undefined)
    return { ...about, billingType: method === 'boleto' ? 'BOLETO' : 'UNDEFINED' };
  const { number, cvv, expiryMonth, expiryYear } = card.reveal();
  const { holder } = card;
  return {
    ...about,
    billingType: 'CREDIT_CARD',
    creditCard: { holderName: holder.name, number, expiryMonth, expiryYear, ccv: cvv },
    creditCardHolderInfo: {
      name: holder.name,
      email: holder.email,
      cpfCnpj: holder.taxId,
      postalCode: holder.address?.postcode ?? '',
      addressNumber: holder.address?.number ?? 'S/N',
      phone: holder.phone === undefined ? '' : removeCountryCode(phoneDigits(holder.phone)),
    },
    remoteIp: orderedFrom ?? '',
  };
};

/** Omits a number that Asaas might reject: a sale must not fail because of it. */
const buildPhoneFields = (phone: Phone | undefined): object => {
  const digits = phone === undefined ? '' : removeCountryCode(phoneDigits(phone));
  if (/^\d{2}9\d{8}$/.test(digits)) return { mobilePhone: digits };
  return /^\d{2}[2-5]\d{7}$/.test(digits) ? { phone: digits } : {};
};

/** Removes the country code of Brazil. */
const removeCountryCode = (digits: string): string =>
  digits.length > 11 && digits.startsWith('55') ? digits.slice(2) : digits;
