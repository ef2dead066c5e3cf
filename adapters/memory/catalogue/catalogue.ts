import type { CalendarDate, Channel, Product } from '#domain';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type {
  AddedIofRate,
  Catalogue,
  CatalogueChange,
  CatalogueOfDay,
  CatalogueState,
  CatalogueVersion,
  Versioned,
} from '../../../application/catalogue/catalogue.ts';
import { catalogueByDay } from '../../../application/catalogue/versions.ts';
import type { Clock } from '../../../application/clock.ts';

export class MemoryCatalogue implements Catalogue {
  readonly #auditLog: AuditLog;
  readonly #clock: Clock;
  readonly #versions: CatalogueVersion[] = [];
  readonly #addedIofRates: AddedIofRate[] = [];
  #revision = 1;
  /** One for each revision, as a database's local copy: what is made from it can be remembered. */
  #copy:
    | { readonly revision: number; readonly catalogueOn: ReturnType<typeof catalogueByDay> }
    | undefined;

  constructor(auditLog: AuditLog, clock: Clock) {
    this.#auditLog = auditLog;
    this.#clock = clock;
  }

  async current(): Promise<CatalogueOfDay> {
    return this.on(this.#clock.today());
  }

  async on(day: CalendarDate): Promise<CatalogueOfDay> {
    if (this.#copy?.revision === this.#revision) return this.#copy.catalogueOn(day);
    const { revision, ...stored } = await this.load();
    this.#copy = { revision, catalogueOn: catalogueByDay(stored) };
    return this.#copy.catalogueOn(day);
  }

  async load(): Promise<CatalogueState> {
    const ofDays = new Map(
      this.#versions.map((each) => [`${each.effectiveFrom} ${each.kind} ${each.name}`, each]),
    );
    const versions = [...ofDays.values()];
    const addedIofRates = this.#addedIofRates;
    return structuredClone({ revision: this.#revision, versions, addedIofRates });
  }

  async save(
    change: CatalogueChange,
    revision: number,
    entry: AuditEntry,
  ): Promise<'saved' | 'stale'> {
    if (revision !== this.#revision) return 'stale';
    this.#revision += 1;
    if (change.kind === 'iof_rates')
      this.#addedIofRates.push(...change.rows.map((row) => ({ ...row, addedAt: change.at })));
    else this.#versions.push(structuredClone(change));
    await this.#auditLog.append(entry);
    return 'saved';
  }

  async productVersion(code: string, version: number): Promise<Versioned<Product> | undefined> {
    return this.#version('product', code, version);
  }

  async channelVersion(
    channelLink: string,
    version: number,
  ): Promise<Versioned<Channel> | undefined> {
    return this.#version('channel', channelLink, version);
  }

  #version<Definition>(
    kind: 'product' | 'channel',
    name: string,
    version: number,
  ): Versioned<Definition> | undefined {
    const found = this.#versions.find(
      (each) => each.kind === kind && each.name === name && each.version === version,
    );
    if (!found?.definition) return undefined;
    const { kind: _, name: __, ...versioned } = structuredClone(found);
    return versioned as Versioned<Definition>;
  }
}
