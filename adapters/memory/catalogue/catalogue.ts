import { type Channel, mergeIofRates, type Product } from '#domain';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type {
  AddedIofRate,
  Catalogue,
  CatalogueChange,
  CatalogueState,
  CurrentCatalogue,
  Versioned,
} from '../../../application/catalogue/catalogue.ts';

export class MemoryCatalogue implements Catalogue {
  readonly #auditLog: AuditLog;
  /** All versions of each, the oldest first. */
  readonly #products = new Map<string, Versioned<Product>[]>();
  readonly #channels = new Map<string, Versioned<Channel>[]>();
  readonly #addedIofRates: AddedIofRate[] = [];
  #revision = 1;
  /** One copy for each revision, as a database's local copy: what is made from it can be remembered. */
  #copy: { readonly revision: number; readonly current: CurrentCatalogue } | undefined;

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async current(): Promise<CurrentCatalogue> {
    if (this.#copy?.revision === this.#revision) return this.#copy.current;
    const { products, channels, addedIofRates, revision } = await this.load();
    const current = {
      iofRates: mergeIofRates(addedIofRates),
      products: products.map(({ definition, version }) => ({ ...definition, version })),
      channels: new Map(
        channels.map(({ definition, version }) => [
          definition.channelLink,
          { ...definition, version },
        ]),
      ),
    };
    this.#copy = { revision, current };
    return current;
  }

  async load(): Promise<CatalogueState> {
    const products = latest(this.#products).sort(
      (one, other) => one.definition.id - other.definition.id,
    );
    const channels = latest(this.#channels).sort(byLink);
    const addedIofRates = this.#addedIofRates;
    return structuredClone({ revision: this.#revision, products, channels, addedIofRates });
  }

  async save(
    change: CatalogueChange,
    revision: number,
    entry: AuditEntry,
  ): Promise<'saved' | 'stale'> {
    if (revision !== this.#revision) return 'stale';
    this.#revision += 1;
    if (change.kind === 'iof_rates') {
      for (const row of change.definition) this.#addedIofRates.push({ ...row, addedAt: change.at });
    } else if (change.kind === 'product') put(this.#products, change.definition.code, change);
    else put(this.#channels, change.definition.channelLink, change);
    await this.#auditLog.append(entry);
    return 'saved';
  }

  async productVersion(code: string, version: number): Promise<Versioned<Product> | undefined> {
    return structuredClone(this.#products.get(code)?.[version - 1]);
  }

  async channelVersion(
    channelLink: string,
    version: number,
  ): Promise<Versioned<Channel> | undefined> {
    return structuredClone(this.#channels.get(channelLink)?.[version - 1]);
  }
}

type Versions<Definition> = Map<string, Versioned<Definition>[]>;

const latest = <Definition>(versions: Versions<Definition>): Versioned<Definition>[] =>
  [...versions.values()].flatMap((each) => each.slice(-1));

const put = <Definition>(
  versions: Versions<Definition>,
  name: string,
  { at, definition }: { readonly at: CatalogueChange['at']; readonly definition: Definition },
): void => {
  const known = versions.get(name) ?? [];
  versions.set(name, [
    ...known,
    structuredClone({ definition, version: known.length + 1, updatedAt: at }),
  ]);
};

const byLink = (one: Versioned<Channel>, other: Versioned<Channel>): number =>
  one.definition.channelLink < other.definition.channelLink ? -1 : 1;
