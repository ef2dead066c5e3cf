import type { Answer, Query, Schemas } from './answers.ts';
import { Import, type ImportedSales } from './import.ts';
import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';

/** The methods for many sales: import, statement and reconciliation; and what you did here. */
export const bookMethods = (transport: Transport) => {
  const get = <T>(path: string, query: object | undefined, options?: CallOptions) =>
    transport.send<T>({ method: 'GET', path, query, isRepeatable: true }, options);

  return {
    /**
     * Sells many, each as `createSale` does: up to 100,000. Iterate it for the answers. No sale harms
     * another one, and sending them again sells nothing twice.
     */
    importSales(sales: ImportedSales, options: CallOptions = {}): Import {
      return new Import(transport, sales, options);
    },

    /** Compares your list with the statement of a period of up to 366 days. */
    reconcileSales(
      query: Query<'reconcileSales'>,
      sales: Iterable<Schemas['ListedSale']>,
      options?: CallOptions,
    ): Promise<Answer<'reconcileSales'>> {
      const text = Array.from(sales, (sale) => `${JSON.stringify(sale)}\n`).join('');
      const content = { type: 'application/x-ndjson', text };
      const path = '/private/integration/reconciliation';
      const request = { method: 'POST', path, query, content, isRepeatable: true } as const;
      return transport.send(request, options);
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
      const request = { method: 'GET', path, query, headers, isRepeatable: true } as const;
      return transport.open(request, options, (response) => response.blob());
    },
  };
};
