import type { TObject } from 'typebox';
import type { CalendarDate, Channel, Product } from '#domain';
import type { Actor } from '../../../application/audit/audit-log.ts';
import type { Catalogue, Versioned } from '../../../application/catalogue/catalogue.ts';
import type {
  ManageCatalogue,
  PutOptions,
  PutOutcome,
} from '../../../application/catalogue/manage-catalogue.ts';
import { type Timeline, timelinesOf } from '../../../application/catalogue/versions.ts';
import type { Body, Field } from '../../kit/contract/catalogue-fields.ts';
import {
  CHANNEL,
  channelBody,
  channelFrom,
  channelTo,
  PRODUCT,
  productBody,
  productFrom,
  productTo,
} from '../../kit/contract/catalogue-shapes.ts';
import { inLongForm } from './definition-fields.ts';
import type { Asked } from './prices.ts';

export interface CatalogueParts {
  readonly catalogue: Catalogue;
  readonly manageCatalogue: ManageCatalogue;
}

/** What became of a definition. What was or would be stored is shown as forms have it, too. */
export type PutShown = PutOutcome<unknown> & { readonly shown?: Body };

type Put = (definition: unknown, actor: Actor, options: PutOptions) => Promise<PutShown>;

/** A version of a definition, as forms have it. */
export type ShownVersion = Versioned<Body>;

/** Products or channels, to the pages. */
export interface Resource {
  readonly kind: 'product' | 'channel';
  /** Below `/console`. */
  readonly path: string;
  readonly newPath: string;
  /** The field that names a definition in addresses. */
  readonly key: string;
  readonly one: string;
  readonly newOne: string;
  readonly field: Field;
  /** What bodies are validated by. */
  readonly body: TObject;
  /** The path in the API that does the same. */
  readonly api: string;
  readonly from: (name: string, body: Body) => unknown;
  /** By name: the versions of each by their first days. */
  readonly timelines: () => Promise<ReadonlyMap<string, Timeline<Body>>>;
  readonly put: Put;
  readonly faultsOf: ManageCatalogue['faultsOfProduct'];
  readonly withdraw: ManageCatalogue['withdrawProduct'];
  /** What of a catalogue is priced to show the definition's effect. */
  readonly priced: (name: string, on: CalendarDate) => Asked;
}

const showProduct = (product: Product): Body => {
  const body = productTo(product) as Body;
  return inLongForm(body, PRODUCT, body) as Body;
};

const showChannel = (channel: Channel): Body => {
  const body = channelTo(channel) as Body;
  return inLongForm(body, CHANNEL, body) as Body;
};

const shown = <Definition>(
  timelines: ReadonlyMap<string, Timeline<Definition>>,
  show: (definition: Definition) => Body,
): ReadonlyMap<string, Timeline<Body>> => {
  const showAll = (timeline: Timeline<Definition>): Timeline<Body> =>
    timeline.map((version) => ({ ...version, definition: show(version.definition) }));
  return new Map([...timelines].map(([name, timeline]) => [name, showAll(timeline)]));
};

const putBy =
  <Definition>(
    put: (
      definition: unknown,
      actor: Actor,
      options: PutOptions,
    ) => Promise<PutOutcome<Definition>>,
    show: (definition: Definition) => Body,
  ): Put =>
  async (...given) => {
    const outcome = await put(...given);
    return 'put' in outcome ? { ...outcome, shown: show(outcome.put.definition) } : outcome;
  };

/** The two kinds of definitions that a catalogue has. */
export const createResources = ({
  catalogue,
  manageCatalogue,
}: CatalogueParts): readonly Resource[] => {
  const stored = async () => timelinesOf((await catalogue.load()).versions);
  return [
    {
      ...{ kind: 'product', path: '/catalogue/products', newPath: '/catalogue/new-product' },
      ...{ key: 'code', one: 'Produto', newOne: 'Novo produto', api: '/api/admin/products' },
      ...{ field: PRODUCT, body: productBody, from: productFrom },
      timelines: async () => shown((await stored()).products, showProduct),
      put: putBy(manageCatalogue.putProduct, showProduct),
      faultsOf: manageCatalogue.faultsOfProduct,
      withdraw: manageCatalogue.withdrawProduct,
      priced: (product, on) => ({ product, on }),
    },
    {
      ...{ kind: 'channel', path: '/catalogue/channels', newPath: '/catalogue/new-channel' },
      ...{ key: 'channelLink', one: 'Canal', newOne: 'Novo canal', api: '/api/admin/channels' },
      ...{ field: CHANNEL, body: channelBody, from: channelFrom },
      timelines: async () => shown((await stored()).channels, showChannel),
      put: putBy(manageCatalogue.putChannel, showChannel),
      faultsOf: manageCatalogue.faultsOfChannel,
      withdraw: manageCatalogue.withdrawChannel,
      priced: (channelLink, on) => ({ channelLink, on }),
    },
  ];
};

/** The page of a definition, below `/console`. */
export const addressOf = ({ path }: Resource, name: string): string =>
  `${path}/${encodeURIComponent(name)}`;

/** The form of a definition. @param isNew whether it has no page yet */
export const formAddress = (resource: Resource, name: string, isNew: boolean): string =>
  isNew ? resource.newPath : `${addressOf(resource, name)}/change`;
