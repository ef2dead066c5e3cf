import type { Answer, Query, Schemas } from './answers.ts';
import { Import, type ImportedSales, type ImportOptions } from './import.ts';
import type { CallOptions } from './options.ts';
import { segment } from './request.ts';
import type { Transport } from './transport.ts';

/** The methods for many sales, and about your own requests. */
export const bookMethods = (transport: Transport) => {
  const get = <T>(path: string, query: object | undefined, options?: CallOptions) =>
    transport.send<T>({ method: 'GET', path, query, isRepeatable: true }, options);

  return {
    /**
     * Sells many, each as `createSale` does: up to 100,000. Iterate it for the answers. No sale harms
     * another one, and sending them again sells nothing twice.
     */
    importSales(sales: ImportedSales, options: ImportOptions = {}): Import {
      return new Import(transport, sales, options);
    },

    /** The header of a CSV of sales, with the attributes of a product, for spreadsheets. */
    getImportTemplate(
      query: Query<'getImportTemplate'> = {},
      options?: CallOptions,
    ): Promise<Blob> {
      const path = '/private/integration/sales/import/template';
      return transport.open(
        { method: 'GET', path, query, headers: { Accept: '*/*' }, isRepeatable: true },
        options,
        (response) => response.blob(),
      );
    },

    /** Compares your list with the statement of a period of up to 366 days. */
    async reconcileSales(
      query: Query<'reconcileSales'>,
      sales: Iterable<Schemas['ListedSale']>,
      options?: CallOptions,
    ): Promise<Answer<'reconcileSales'>> {
      const text = Array.from(sales, (sale) => `${JSON.stringify(sale)}\n`).join('');
      const content = { type: 'application/x-ndjson', text };
      const path = '/private/integration/reconciliation';
      return transport.send(
        { method: 'POST', path, query, content, isRepeatable: true, isLong: true },
        options,
      );
    },

    /** The lines and totals of a month (`2026-11`), in São Paulo. */
    getStatement(month: string, options?: CallOptions): Promise<Answer<'getStatement'>> {
      return get('/private/integration/statement', { month, format: 'json' }, options);
    },

    /** The statement as a file, read as a whole. `locale: 'pt-BR'` is for Brazilian spreadsheets. */
    getStatementFile(
      query: Query<'getStatement'> & { readonly format: 'csv' | 'xlsx' },
      options?: CallOptions,
    ): Promise<Blob> {
      const path = '/private/integration/statement';
      const headers = { Accept: '*/*' };
      return transport.open(
        { method: 'GET', path, query, headers, isRepeatable: true, isLong: true },
        options,
        (response) => response.blob(),
      );
    },

    /**
     * What was answered to the requests of an id, if they failed or changed a sale; for 30 days.
     * `error.requestId` and `detailsOf(answer).requestId` have the id.
     */
    async getRequest(requestId: string, options?: CallOptions): Promise<Answer<'getRequest'>> {
      const path = `/private/integration/requests/${segment(requestId)}`;
      return get(path, undefined, options);
    },

    /** Which steps towards production you have done; in the test environment alone. */
    getReadiness(options?: CallOptions): Promise<Answer<'getReadiness'>> {
      return get('/private/integration/readiness', undefined, options);
    },
  };
};
