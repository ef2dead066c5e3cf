import type { Answer, Body } from './answers.ts';
import type { CallOptions } from './options.ts';
import { isName, keyHeader } from './request.ts';
import type { Transport } from './transport.ts';

export interface SaleOptions extends CallOptions {
  /**
   * A name for the request, for sales without an `externalSaleId`: 1 to 255 visible ASCII characters.
   * Give the number of your order, and repeat with the same one.
   */
  readonly idempotencyKey?: string;
}

type WithKey = SaleOptions & { readonly idempotencyKey: string };

/** A sale has a name: `externalSaleId` in its body, or `idempotencyKey` in the options. */
type NamedSale<Sale> =
  | readonly [sale: Sale & { readonly externalSaleId: string }, options?: SaleOptions]
  | readonly [sale: Sale, options: WithKey];

/**
 * The methods that sell. The caller names each sale, by `externalSaleId` in the body or by
 * `idempotencyKey`: a name made here would be another one when the caller tries again. They repeat
 * the request under that name until it has an answer, within the limits: the service sells once.
 *
 * Each throws a TypeError, and sends nothing, if the sale has no name.
 */
export const sellingMethods = (transport: Transport) => {
  const sell = async <T>(path: string, json: object, options: SaleOptions = {}): Promise<T> => {
    const { externalSaleId } = json as { readonly externalSaleId?: unknown };
    const { idempotencyKey, signal } = options;
    const headers = keyHeader(idempotencyKey);
    const names = {
      externalSaleId: isName(externalSaleId) ? externalSaleId : undefined,
      idempotencyKey: headers['Idempotency-Key'],
    };
    if (names.externalSaleId === undefined && names.idempotencyKey === undefined)
      throw new TypeError('A sale needs a name: externalSaleId or idempotencyKey, a text');
    return transport.send<T>(
      { method: 'POST', path, json, headers, names, isRepeatable: true },
      { signal },
    );
  };

  return {
    /** Registers an Ingresso Protegido that your channel was paid for. */
    createIngressoSale(
      ...[sale, options]: NamedSale<Body<'createIngressoSale'>>
    ): Promise<Answer<'createIngressoSale'>> {
      return sell('/seguros/ingresso-protegido/create', sale, options);
    },

    /** Sells an Artista Protegido; charges the card, or makes a boleto. */
    createArtistaSale(
      ...[sale, options]: NamedSale<Body<'createArtistaSale'>>
    ): Promise<Answer<'createArtistaSale'>> {
      return sell('/seguros/artista-protegido/create', sale, options);
    },

    /** Sells a Seguro Celular; charges the card or, without one, makes a payment page. */
    createCelularSale(
      ...[sale, options]: NamedSale<Body<'createCelularSale'>>
    ): Promise<Answer<'createCelularSale'>> {
      return sell('/seguros/seguro-celular/create', sale, options);
    },

    /** Sells any product of the catalogue, under its `externalSaleId`. */
    createSale(sale: Body<'createSale'>, options?: CallOptions): Promise<Answer<'createSale'>> {
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

    /** Counts offers that customers have declined. It is sent once: a repetition would count again. */
    noteDeclinedOffers(
      declined: Body<'noteDeclinedOffers'>,
      options?: CallOptions,
    ): Promise<Answer<'noteDeclinedOffers'>> {
      const path = '/private/integration/offers/declined';
      return transport.send({ method: 'POST', path, json: declined, isRepeatable: false }, options);
    },
  };
};
