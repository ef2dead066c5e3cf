import { type Fault, type IofRate, mergeIofRates, readIofRates } from '#domain';
import type { Actor, AuditEntry, Change } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import { retryStale } from '../retry-stale.ts';
import type { AddedIofRate, Catalogue } from './catalogue.ts';

/** A row of the table in force. `addedAt` is absent for the law's rows, which the program knows. */
export type ListedIofRate = IofRate & Partial<Pick<AddedIofRate, 'addedAt'>>;

type AddIofRatesOutcome =
  | { readonly kind: 'added' | 'unchanged'; readonly table: readonly ListedIofRate[] }
  | { readonly kind: 'faulty'; readonly faults: readonly Fault[] }
  /** The table is not as the caller has seen it. */
  | { readonly kind: 'stale' };

export interface ManageIofRates {
  list(): Promise<readonly ListedIofRate[]>;
  /** Every fault of rows to add. */
  faultsOf(input: unknown): Promise<readonly Fault[]>;
  /**
   * Adds rows to the table and audits it. Rows that the table has already change nothing.
   *
   * @param isSeen whether the caller has seen what of the table the rows change
   */
  add(
    input: unknown,
    actor: Actor,
    isSeen?: (table: readonly IofRate[]) => boolean,
  ): Promise<AddIofRatesOutcome>;
}

export const makeManageIofRates = ({
  catalogue,
  clock,
}: {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}): ManageIofRates => {
  const examine = async (input: unknown) => {
    const { revision, addedIofRates } = await catalogue.load();
    const table: readonly ListedIofRate[] = mergeIofRates(addedIofRates);
    return { revision, table, reading: readIofRates(input, table, clock.today()) };
  };

  return {
    list: async () => mergeIofRates((await catalogue.load()).addedIofRates),

    faultsOf: async (input) => {
      const { reading } = await examine(input);
      return reading.ok ? [] : reading.faults;
    },

    add: (input, actor, isSeen = () => true) =>
      retryStale('the catalogue', async () => {
        const { revision, table, reading } = await examine(input);
        if (!reading.ok) return { kind: 'faulty', faults: reading.faults };
        const rows = reading.value;
        if (rows.length === 0) return { kind: 'unchanged', table };
        if (!isSeen(table)) return { kind: 'stale' };

        const at = clock.now();
        const entry: AuditEntry = {
          at,
          action: 'iof_rates.put',
          actor,
          subject: 'iof-rates',
          reason: null,
          changes: rows.map((row) => changeOf(row, table)),
        };
        const added = rows.map((row) => ({ ...row, addedAt: at }));
        const change = { at, kind: 'iof_rates', rows } as const;
        const saved = await catalogue.save(change, revision, entry);
        return saved === 'saved' ? { kind: 'added', table: mergeIofRates(added, table) } : 'stale';
      }),
  };
};

const changeOf = (row: IofRate, table: readonly IofRate[]): Change => {
  const { iofClass, from, rate, legalBasis } = row;
  const before = table.find((each) => each.iofClass === iofClass && each.from === from);
  return {
    field: `${iofClass} ${from}`,
    before: before === undefined ? null : { rate: before.rate, legalBasis: before.legalBasis },
    after: { rate, legalBasis },
  };
};
