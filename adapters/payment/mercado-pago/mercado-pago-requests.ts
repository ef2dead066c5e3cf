import {
  addDays,
  BOLETO_GRACE_DAYS,
  brazilianPhone,
  type CalendarDate,
  type CardBrand,
  type Phone,
  type TaxId,
  toReais,
} from '#domain';
import type { PaymentCard } from '../../../application/payments/payment-card.ts';
import type { ChargeOrder } from '../../../application/payments/payments.ts';

/** Characters of a description that the plugins of Mercado Pago send at most. */
const MAX_DESCRIPTION_CHARACTERS = 255;

const describe = (text: string): string => [...text].slice(0, MAX_DESCRIPTION_CHARACTERS).join('');

/** The last second of a day in São Paulo. */
const endOf = (day: CalendarDate): string => `${day}T23:59:59.000-03:00`;

const identificationOf = (taxId: TaxId): object => ({
  type: taxId.length === 11 ? 'CPF' : 'CNPJ',
  number: taxId,
});

/** Brands by which Mercado Pago names its methods in Brazil; it finds out others by the token. */
const METHODS: Partial<Record<CardBrand, string>> = {
  ...{ visa: 'visa', mastercard: 'master', amex: 'amex', elo: 'elo' },
  ...{ hipercard: 'hipercard', diners: 'diners' },
};

/** The body of `POST /v1/card_tokens`: the card's number leaves the service here alone. */
export const buildCardToken = (card: PaymentCard): object => {
  const { number, cvv, expiryMonth, expiryYear } = card.reveal();
  return {
    card_number: number,
    expiration_month: Number(expiryMonth),
    expiration_year: Number(expiryYear),
    security_code: cvv,
    cardholder: { name: card.holder.name, identification: identificationOf(card.holder.taxId) },
  };
};

const nameParts = (name: string) => {
  const [first = name, ...others] = name.trim().split(/\s+/);
  return { first_name: first, last_name: others.join(' ') || first };
};

/** The body of `POST /v1/payments` for a card or a boleto. @param notifyAt the address for notices */
export const buildPayment = (
  order: ChargeOrder,
  notifyAt: string,
  token: string | undefined,
): object => {
  const { payer, card, orderedFrom } = order;
  const { address } = payer;
  return {
    transaction_amount: toReais(order.amount),
    description: describe(order.description),
    external_reference: order.reference,
    notification_url: notifyAt,
    installments: order.installments,
    payer: {
      email: payer.email,
      ...nameParts(payer.name),
      identification: identificationOf(payer.taxId),
      ...(address && {
        address: {
          zip_code: address.postcode,
          street_name: address.street,
          street_number: address.number ?? 'S/N',
          neighborhood: address.district,
          city: address.city,
          federal_unit: address.state,
        },
      }),
    },
    ...(card
      ? {
          token,
          ...(METHODS[card.brand] && { payment_method_id: METHODS[card.brand] }),
          // The bank answers at once, or declines.
          binary_mode: true,
          capture: order.isCapturedLater !== true,
        }
      : { payment_method_id: 'bolbradesco', date_of_expiration: endOf(lastPayDay(order)) }),
    ...(orderedFrom && { additional_info: { ip_address: orderedFrom } }),
  };
};

/** Mercado Pago returns a boleto that is paid after its date: so that date is the last day on which it may be paid. */
const lastPayDay = ({ dueOn, priceEnd }: ChargeOrder): CalendarDate => {
  const last = addDays(dueOn, BOLETO_GRACE_DAYS);
  return priceEnd !== undefined && priceEnd.on < last ? priceEnd.on : last;
};

const phoneOf = (phone: Phone | undefined): object => {
  const digits = phone && brazilianPhone(phone);
  return digits === undefined
    ? {}
    : { phone: { area_code: digits.slice(0, 2), number: digits.slice(2) } };
};

/** The body of `POST /checkout/preferences`: a page on which the payer chooses how to pay. */
export const buildPreference = (order: ChargeOrder, notifyAt: string): object => {
  const { payer, returnUrl, dueOn, priceEnd } = order;
  const isLastDay = dueOn === priceEnd?.on;
  return {
    items: [
      {
        id: String(order.saleId),
        title: describe(order.description),
        quantity: 1,
        currency_id: 'BRL',
        unit_price: toReais(order.amount),
      },
    ],
    payer: {
      email: payer.email,
      ...{ name: nameParts(payer.name).first_name, surname: nameParts(payer.name).last_name },
      identification: identificationOf(payer.taxId),
      ...phoneOf(payer.phone),
    },
    external_reference: order.reference,
    notification_url: notifyAt,
    expires: true,
    expiration_date_to: order.until,
    // A boleto or Pix that is made on the page ends then.
    date_of_expiration: endOf(dueOn),
    payment_methods: {
      installments: order.installments,
      // A boleto that is paid on the last day of a price would be reported after it.
      ...(isLastDay && { excluded_payment_types: [{ id: 'ticket' }] }),
    },
    ...(returnUrl && {
      back_urls: { success: returnUrl, pending: returnUrl, failure: returnUrl },
    }),
  };
};
