import { BOLETO_GRACE_DAYS, brazilianPhone, daysBetween, type Phone, toReais } from '#domain';
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

/**
 * Whether the order asks for a way back. Asaas shows it on the page on which the payer pays: a card
 * that is charged at once and a boleto have none.
 */
export const hasWayBack = ({ returnUrl, card, method }: ChargeOrder): boolean =>
  returnUrl !== undefined && card === undefined && method !== 'boleto';

/** Builds the body of `POST /v3/payments`. */
export const buildPayment = (order: ChargeOrder): object => {
  const { amount, reference, dueOn } = order;
  const { installments, card, orderedFrom } = order;
  const value = toReais(amount);
  const price =
    installments > 1 ? { installmentCount: installments, totalValue: value } : { value };
  const about = {
    ...price,
    dueDate: dueOn,
    description: truncate(order.description, MAX_DESCRIPTION_CHARACTERS),
    externalReference: reference,
    ...buildBoletoEnd(order),
  };
  if (card === undefined) {
    // The payer goes back by a button: a redirect would hide the receipt.
    const callback = { successUrl: order.returnUrl, autoRedirect: false };
    return {
      ...about,
      billingType: billingTypeOf(order),
      ...(hasWayBack(order) && { callback }),
    };
  }
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
      postalCode: holder.address?.postcode,
      addressNumber: holder.address?.number ?? 'S/N',
      phone: holder.phone && brazilianPhone(holder.phone),
    },
    remoteIp: orderedFrom ?? '',
    ...(order.isCapturedLater && { authorizeOnly: true }),
  };
};

/**
 * No bank may accept a boleto after the last day of its price. Before that day, it may be paid for
 * some days after its due date, as always.
 */
const buildBoletoEnd = ({ dueOn, priceEnd }: ChargeOrder): object => {
  const days = priceEnd === undefined ? BOLETO_GRACE_DAYS : daysBetween(dueOn, priceEnd.on);
  return days < BOLETO_GRACE_DAYS ? { daysAfterDueDateToRegistrationCancellation: days } : {};
};

/**
 * `UNDEFINED`: the payer chooses on Asaas's page. On the last days of a price the page takes Pix
 * alone: a boleto that is paid on the last day would be reported after the page has been closed.
 */
const billingTypeOf = ({ method, dueOn, priceEnd }: ChargeOrder): string => {
  if (method === 'boleto') return 'BOLETO';
  return dueOn === priceEnd?.on ? 'PIX' : 'UNDEFINED';
};

/** Omits a number that is not Brazilian: Asaas might reject it, and the sale with it. */
const buildPhoneFields = (phone: Phone | undefined): object => {
  const digits = phone && brazilianPhone(phone);
  if (digits === undefined) return {};
  return digits.length === 11 ? { mobilePhone: digits } : { phone: digits };
};
