import type { Address, CardBrand, CardNumber, Email, Phone, TaxId } from '#domain';

/** The card's holder; by default the insured. */
export interface CardHolder {
  readonly name: string;
  readonly taxId: TaxId;
  readonly email: Email;
  readonly phone?: Phone;
  readonly address?: Address;
}

interface CardSecrets {
  readonly number: CardNumber;
  readonly cvv: string;
  /** Two digits. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
}

/**
 * A payer's card, on its way from the request to the gateway. Never stored: printed, logged,
 * serialized or cloned, it shows brand and last four digits only (PCI DSS 3.2).
 */
export class PaymentCard {
  readonly #secrets: CardSecrets;
  readonly holder: CardHolder;
  readonly brand: CardBrand;
  readonly lastFour: string;

  constructor(secrets: CardSecrets, holder: CardHolder) {
    this.#secrets = secrets;
    this.holder = holder;
    this.brand = secrets.number.brand;
    this.lastFour = secrets.number.lastFour;
  }

  /** Only for the gateway adapter. */
  reveal(): Omit<CardSecrets, 'number'> & { readonly number: string } {
    return { ...this.#secrets, number: this.#secrets.number.reveal() };
  }

  toJSON(): object {
    return { brand: this.brand, lastFour: this.lastFour };
  }
}
