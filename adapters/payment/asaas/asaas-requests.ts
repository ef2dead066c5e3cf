import { type Phone, phoneDigits, reais } from '#domain';
import type { ChargeOrder } from '../../../application/payments/payments.ts';

/** A customer as Asaas wants it. */
export const customerBody = ({ payer, reference }: ChargeOrder): object => {
  const { name, email, phone, address } = payer;
  return {
    name,
    email,
    cpfCnpj: payer.taxId,
    externalReference: reference,
    // The service writes to the insured itself.
    notificationDisabled: true,
    ...numbersOf(phone),
    ...(address && {
      postalCode: address.postcode,
      address: address.street,
      addressNumber: address.number ?? 'S/N',
      province: address.district,
    }),
  };
};

/** A charge as Asaas wants it. */
export const paymentBody = (order: ChargeOrder): object => {
  const { amount, reference, description, dueOn, method, installments, card, orderedFrom } = order;
  const value = reais(amount);
  const price =
    installments > 1 ? { installmentCount: installments, totalValue: value } : { value };
  const about = { ...price, dueDate: dueOn, description, externalReference: reference };
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
      phone: holder.phone === undefined ? '' : nationalNumber(phoneDigits(holder.phone)),
    },
    remoteIp: orderedFrom ?? '',
  };
};

/** A number that Asaas may refuse is left out: nobody's sale shall fail for it. */
const numbersOf = (phone: Phone | undefined): object => {
  const digits = phone === undefined ? '' : nationalNumber(phoneDigits(phone));
  if (/^\d{2}9\d{8}$/.test(digits)) return { mobilePhone: digits };
  return /^\d{2}[2-5]\d{7}$/.test(digits) ? { phone: digits } : {};
};

/** Without the country's code. */
const nationalNumber = (digits: string): string =>
  digits.length > 11 && digits.startsWith('55') ? digits.slice(2) : digits;
