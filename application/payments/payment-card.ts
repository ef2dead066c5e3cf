import type { Address, CardBrand, CardNumber, Email, Phone, TaxId } from '#domain';

/** Whose card it is. Where the channel does not say, the insured's. */
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
 * A payer's card, on its way from the request that brought it to the gateway. It is stored nowhere: printed, logged,
 * serialized or cloned it is empty but for brand and last four digits (PCI DSS 3.2: no security code after authorization).
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

  /** For the gateway alone. */
  reveal(): Omit<CardSecrets, 'number'> & { readonly number: string } {
    return { ...this.#secrets, number: this.#secrets.number.reveal() };
  }

  toJSON(): object {
    return { brand: this.brand, lastFour: this.lastFour };
  }
}
