import type { Answer, Body } from './answers.ts';
import type { CallOptions } from './options.ts';
import type { SaleOptions } from './selling.ts';
import type { Transport } from './transport.ts';

const encode = encodeURIComponent;

/** The methods about sales that were made, and about what can be sold. */
export const saleMethods = (transport: Transport) => {
  const get = <T>(path: string, options?: CallOptions) =>
    transport.send<T>({ method: 'GET', path, isRepeatable: true }, options);

  const post = <T>(path: string, json: object | undefined, options?: CallOptions) =>
    transport.send<T>({ method: 'POST', path, json, isRepeatable: true }, options);

  /** A second copy is mailed once for each name. */
  const mail = <T>(path: string, json: object | undefined, options: SaleOptions = {}) => {
    const { idempotencyKey = crypto.randomUUID(), signal } = options;
    const headers = { 'Idempotency-Key': idempotencyKey };
    const request = { method: 'POST', path, json, headers, isRepeatable: true } as const;
    return transport.send<T>(request, { signal });
  };

  return {
    /** A sale of any product as it is now, by its `externalSaleId` or `ticket`. */
    getSale(name: string, options?: CallOptions): Promise<Answer<'getSale'>> {
      return get(`/private/integration/sale/${encode(name)}`, options);
    },

    /** By `transaction_id`, `externalSaleId` or `ticket`. */
    getIngressoStatus(
      name: string | number,
      options?: CallOptions,
    ): Promise<Answer<'getIngressoStatus'>> {
      return get(`/seguros/ingresso-protegido/status/${encode(name)}`, options);
    },

    /** By `externalSaleId` or `ticket`. */
    getArtistaStatus(name: string, options?: CallOptions): Promise<Answer<'getArtistaStatus'>> {
      return get(`/seguros/artista-protegido/status/${encode(name)}`, options);
    },

    /** By `externalSaleId` or `ticket`. */
    getCelularStatus(name: string, options?: CallOptions): Promise<Answer<'getCelularStatus'>> {
      return get(`/seguros/seguro-celular/status/${encode(name)}`, options);
    },

    /**
     * Cancels a sale, or with `{ preview: true }` computes what would go back. A repetition gets the
     * figures of the first cancellation.
     */
    cancelSale(
      name: string,
      request: Body<'cancelSale'> = {},
      options?: CallOptions,
    ): Promise<Answer<'cancelSale'>> {
      return post(`/private/integration/sale/${encode(name)}/cancel`, request, options);
    },

    /** Mails the certificate once more; at most three times in an hour for one sale. */
    sendSecondCopy(name: string, options?: SaleOptions): Promise<Answer<'sendSecondCopy'>> {
      return mail(`/private/integration/sale/${encode(name)}/second-copy`, undefined, options);
    },

    /** As `sendSecondCopy`, for an Ingresso sale. */
    sendIngressoSecondCopy(
      request: Body<'sendIngressoSecondCopy'>,
      options?: SaleOptions,
    ): Promise<Answer<'sendIngressoSecondCopy'>> {
      return mail('/seguros/ingresso-protegido/segunda-via', request, options);
    },

    /** Corrects the address to which certificates go; at most three times in an hour for one sale. */
    correctSaleEmail(
      name: string,
      request: Body<'correctSaleEmail'>,
      options?: CallOptions,
    ): Promise<Answer<'correctSaleEmail'>> {
      return post(`/private/integration/sale/${encode(name)}/correct-email`, request, options);
    },

    /** The signed evidence of a sale, a JWS. */
    getSaleEvidence(name: string, options?: CallOptions): Promise<Answer<'getSaleEvidence'>> {
      return get(`/private/integration/sale/${encode(name)}/evidence`, options);
    },

    /** What your channel may sell now, with prices and texts. */
    listProducts(options?: CallOptions): Promise<Answer<'listProducts'>> {
      return get('/private/integration/products', options);
    },

    getProduct(code: string, options?: CallOptions): Promise<Answer<'getProduct'>> {
      return get(`/private/integration/products/${encode(code)}`, options);
    },
  };
};
