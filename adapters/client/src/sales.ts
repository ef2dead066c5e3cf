import type { Answer, Body } from './answers.ts';
import type { CallOptions } from './options.ts';
import { isName, keyHeader, segment } from './request.ts';
import type { SaleOptions } from './selling.ts';
import type { Transport } from './transport.ts';

/** The methods about sales that were made, and about what can be sold. */
export const saleMethods = (transport: Transport) => {
  const get = <T>(path: string, options?: CallOptions) =>
    transport.send<T>({ method: 'GET', path, isRepeatable: true }, options);

  const post = <T>(path: string, json: object | undefined, options?: CallOptions) =>
    transport.send<T>({ method: 'POST', path, json, isRepeatable: true }, options);

  /** A second copy is mailed once for each name; without one, once for each call. */
  const mail = <T>(path: string, json: object | undefined, options: SaleOptions = {}) => {
    const { idempotencyKey, signal } = options;
    const headers = keyHeader(isName(idempotencyKey) ? idempotencyKey : crypto.randomUUID());
    const request = { method: 'POST', path, json, headers, isRepeatable: true } as const;
    return transport.send<T>(request, { signal });
  };

  return {
    /** A sale of any product as it is now, by its `externalSaleId` or `ticket`. */
    async getSale(name: string, options?: CallOptions): Promise<Answer<'getSale'>> {
      return get(`/private/integration/sale/${segment(name)}`, options);
    },

    /** Finds the sale by `transaction_id`, `externalSaleId` or `ticket`. */
    async getIngressoStatus(
      name: string | number,
      options?: CallOptions,
    ): Promise<Answer<'getIngressoStatus'>> {
      return get(`/seguros/ingresso-protegido/status/${segment(name)}`, options);
    },

    /** Finds the sale by `externalSaleId` or `ticket`. */
    async getArtistaStatus(
      name: string,
      options?: CallOptions,
    ): Promise<Answer<'getArtistaStatus'>> {
      return get(`/seguros/artista-protegido/status/${segment(name)}`, options);
    },

    /** Finds the sale by `externalSaleId` or `ticket`. */
    async getCelularStatus(
      name: string,
      options?: CallOptions,
    ): Promise<Answer<'getCelularStatus'>> {
      return get(`/seguros/seguro-celular/status/${segment(name)}`, options);
    },

    /**
     * Cancels a sale, or with `{ preview: true }` computes what would go back. A repetition gets the
     * figures of the first cancellation.
     */
    async cancelSale(
      name: string,
      request: Body<'cancelSale'> = {},
      options?: CallOptions,
    ): Promise<Answer<'cancelSale'>> {
      return post(`/private/integration/sale/${segment(name)}/cancel`, request, options);
    },

    /** Tells that your channel has returned money of a cancelled sale. A repetition changes nothing. */
    async confirmRefund(
      name: string,
      refund: Body<'confirmRefund'>,
      options?: CallOptions,
    ): Promise<Answer<'confirmRefund'>> {
      return post(`/private/integration/sale/${segment(name)}/refund-confirmed`, refund, options);
    },

    /** Mails the certificate once more; at most three times in an hour for one sale. */
    async sendSecondCopy(name: string, options?: SaleOptions): Promise<Answer<'sendSecondCopy'>> {
      return mail(`/private/integration/sale/${segment(name)}/second-copy`, undefined, options);
    },

    /** Does what `sendSecondCopy` does, for an Ingresso sale. */
    async sendIngressoSecondCopy(
      request: Body<'sendIngressoSecondCopy'>,
      options?: SaleOptions,
    ): Promise<Answer<'sendIngressoSecondCopy'>> {
      return mail('/seguros/ingresso-protegido/segunda-via', request, options);
    },

    /** Corrects the address to which certificates go; at most three times in an hour for one sale. */
    async correctSaleEmail(
      name: string,
      request: Body<'correctSaleEmail'>,
      options?: CallOptions,
    ): Promise<Answer<'correctSaleEmail'>> {
      return post(`/private/integration/sale/${segment(name)}/correct-email`, request, options);
    },

    /** The signed evidence of a sale, a JWS. */
    async getSaleEvidence(name: string, options?: CallOptions): Promise<Answer<'getSaleEvidence'>> {
      return get(`/private/integration/sale/${segment(name)}/evidence`, options);
    },

    /** What your channel may sell now, with prices and texts. */
    listProducts(options?: CallOptions): Promise<Answer<'listProducts'>> {
      return get('/private/integration/products', options);
    },

    async getProduct(code: string, options?: CallOptions): Promise<Answer<'getProduct'>> {
      return get(`/private/integration/products/${segment(code)}`, options);
    },
  };
};
