import type { Answer, Body } from './answers.ts';
import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';

export interface SaleOptions extends CallOptions {
  /** A name for the request, for sales without an `externalSaleId`: 1 to 255 visible characters. */
  readonly idempotencyKey?: string;
}

interface NamedBody {
  readonly externalSaleId?: string;
}

/**
 * The methods that sell. Each names the sale: by `externalSaleId` in the body, else by
 * `idempotencyKey`, else by a name of its own. It repeats the request under that name until it has an
 * answer, within the limits: the service sells once. `detailsOf(answer).saleName` and
 * `error.saleName` tell the name.
 */
export const sellingMethods = (transport: Transport) => {
  const sell = <T>(path: string, json: object, { idempotencyKey, signal }: SaleOptions) => {
    const { externalSaleId } = json as NamedBody;
    const key = idempotencyKey ?? (externalSaleId === undefined ? crypto.randomUUID() : undefined);
    const request = {
      method: 'POST',
      path,
      json,
      headers: key === undefined ? undefined : { 'Idempotency-Key': key },
      saleName: externalSaleId ?? key,
      isRepeatable: true,
    } as const;
    return transport.send<T>(request, { signal });
  };

  return {
    /** Registers an Ingresso Protegido that your channel was paid for. */
    createIngressoSale(
      sale: Body<'createIngressoSale'>,
      options: SaleOptions = {},
    ): Promise<Answer<'createIngressoSale'>> {
      return sell('/seguros/ingresso-protegido/create', sale, options);
    },

    /** Sells an Artista Protegido; charges the card, or makes a boleto. */
    createArtistaSale(
      sale: Body<'createArtistaSale'>,
      options: SaleOptions = {},
    ): Promise<Answer<'createArtistaSale'>> {
      return sell('/seguros/artista-protegido/create', sale, options);
    },

    /** Sells a Seguro Celular; charges the card or, without one, makes a payment page. */
    createCelularSale(
      sale: Body<'createCelularSale'>,
      options: SaleOptions = {},
    ): Promise<Answer<'createCelularSale'>> {
      return sell('/seguros/seguro-celular/create', sale, options);
    },

    /** Sells any product of the catalogue, under its `externalSaleId`. */
    createSale(sale: Body<'createSale'>, options: CallOptions = {}): Promise<Answer<'createSale'>> {
      return sell('/private/integration/sale', sale, options);
    },

    /** Makes every check of `createSale` and computes every amount; stores nothing. */
    validateSale(
      sale: Body<'validateSale'>,
      options?: CallOptions,
    ): Promise<Answer<'validateSale'>> {
      const path = '/private/integration/sale/validate';
      return transport.send({ method: 'POST', path, json: sale, isRepeatable: true }, options);
    },

    /** What a product costs, before there is a customer. */
    createQuote(
      wanted: Body<'createQuote'>,
      options?: CallOptions,
    ): Promise<Answer<'createQuote'>> {
      const path = '/private/integration/quotes';
      return transport.send({ method: 'POST', path, json: wanted, isRepeatable: true }, options);
    },
  };
};
