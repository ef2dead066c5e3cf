import Type, { type TObject } from 'typebox';
import { type Channel, type Product, type Reading, readChannel } from '#domain';
import type { Actor } from '../../../application/audit/audit-log.ts';
import type {
  Catalogue,
  CatalogueState,
  Versioned,
} from '../../../application/catalogue/catalogue.ts';
import type {
  ManageCatalogue,
  PutOptions,
  PutOutcome,
} from '../../../application/catalogue/manage-catalogue.ts';
import type { ReadProduct } from '../../../application/catalogue/read-product.ts';
import { type Faults, refused } from '../contract/answer-error.ts';
import { jsonBody } from '../pipeline/request-body.ts';
import { actorOf, type Context, parameter, type Step } from '../pipeline/context.ts';
import { houseErrorSchema } from '../contract/answer-shapes.ts';
import { isText } from '../contract/formats.ts';
import { answerWith, INVALID, wrapped } from '../contract/house-answers.ts';
import { answerList, invalid, listAnswer, listQuery, singleQuery } from '../pipeline/request-query.ts';
import type { Route } from '../pipeline/route.ts';
import { validator } from '../contract/validation.ts';
import { ADMINISTRATION } from './administration.ts';
import { conflictsOf, faultsOf } from './catalogue-faults.ts';
import { channelBody, productBody } from './catalogue-shapes.ts';
import {
  channelFrom,
  channelTo,
  productFrom,
  productTo,
  wirePathIn,
} from './catalogue-translation.ts';

export interface CatalogueRouteParts {
  readonly catalogue: Catalogue;
  readonly manageCatalogue: ManageCatalogue;
  readonly readProduct: ReadProduct;
}

type Body = Readonly<Record<string, unknown>>;

/** What is particular to products, or to channels. */
interface Resource<Definition> {
  readonly path: string;
  /** The parameter of the path, and the field that may repeat it. */
  readonly key: string;
  readonly body: TObject;
  readonly words: { readonly absent: string; readonly one: string; readonly many: string };
  readonly from: (name: string, body: Body) => unknown;
  readonly to: (definition: Definition) => object;
  readonly nameOf: (definition: Definition) => string;
  readonly read: (input: unknown) => Reading<Definition>;
  readonly all: (state: CatalogueState) => readonly Versioned<Definition>[];
  readonly versionOf: (name: string, version: number) => Promise<Versioned<Definition> | undefined>;
  readonly put: (
    definition: unknown,
    actor: Actor,
    options: PutOptions,
  ) => Promise<PutOutcome<Definition>>;
}

const present = <Definition>(
  { to }: Resource<Definition>,
  { definition, version, updatedAt }: Versioned<Definition>,
): object => ({
  ...to(definition),
  version,
  updated_at: updatedAt,
});

/** A body that names itself must name what the address names. */
const nameFaults = (key: string, name: string, body: Body): Faults =>
  (body[key] ?? name) === name
    ? {}
    : { [key]: [`O campo ${key} deve ser o do endereço: ${name}.`] };

const put = <Definition>(resource: Resource<Definition>): Step => {
  const check = validator(resource.body);
  return async (ctx) => {
    const name = parameter(ctx, resource.key);
    const checked = check(ctx.request.body as object);
    const body: Body = checked.given;
    const toWire = wirePathIn(body);
    const ownFaults = { ...nameFaults(resource.key, name, body), ...checked.faults };
    if (!checked.ok || Object.keys(ownFaults).length > 0) {
      const reading = resource.read(resource.from(name, body));
      throw invalid({ ...(!reading.ok && faultsOf(reading.faults, toWire)), ...ownFaults });
    }
    const { version: expected } = checked.value as { readonly version?: number };
    answerPut(
      ctx,
      resource,
      await resource.put(resource.from(name, body), actorOf(ctx), { expected }),
      toWire,
    );
  };
};

const answerPut = <Definition>(
  ctx: Context,
  resource: Resource<Definition>,
  outcome: PutOutcome<Definition>,
  toWire: (path: string) => string,
): void => {
  if (outcome.kind === 'stale') {
    const { version } = outcome;
    throw refused(
      409,
      version === 0 ? 'Ainda não existe.' : `A versão atual é ${version}, não a enviada.`,
      { version },
    );
  }
  if (outcome.kind === 'faulty') {
    if (outcome.faults.length > 0) throw invalid(faultsOf(outcome.faults, toWire));
    const conflicts = conflictsOf(outcome.conflicts, wirePathIn({}));
    throw refused(409, conflicts[0] ?? 'O restante do catálogo não permite esta mudança.', {
      conflicts,
    });
  }
  answerWith(ctx, present(resource, outcome.put), outcome.kind === 'created' ? 201 : 200);
};

const versionQuery = Type.Object(
  {
    version: Type.Optional(
      Type.String({ format: 'version', description: 'Número. Ausente: a atual' }),
    ),
  },
  { additionalProperties: false },
);

const get = <Definition>(resource: Resource<Definition>, catalogue: Catalogue): Step => {
  const queryOf = singleQuery(versionQuery);
  return async (ctx) => {
    const { version } = queryOf(ctx.query);
    const name = parameter(ctx, resource.key);
    const ofName = ({ definition }: Versioned<Definition>): boolean =>
      resource.nameOf(definition) === name;
    const findNow = async () => resource.all(await catalogue.present()).find(ofName);
    const found = isText(name)
      ? await (version === undefined ? findNow() : resource.versionOf(name, Number(version)))
      : undefined;
    if (found === undefined)
      throw refused(404, version === undefined ? resource.words.absent : 'Versão não encontrada.');
    answerWith(ctx, present(resource, found));
  };
};

const list = <Definition>(resource: Resource<Definition>, catalogue: Catalogue): Step =>
  answerList(PAGE, {
    read: async ({ limit, after }) => {
      const all = resource.all(await catalogue.present());
      const last = all.findIndex(({ definition }) => resource.nameOf(definition) === after);
      if (after !== undefined && last < 0) return [];
      return all.slice(last + 1, last + 1 + limit);
    },
    placeOfItem: ({ definition }) => resource.nameOf(definition),
    isPlace: isText,
    present: (versioned) => present(resource, versioned),
  });

const PAGE = listQuery({});

const conflict = Type.Object({
  ...houseErrorSchema.properties,
  version: Type.Optional(Type.Integer()),
  conflicts: Type.Optional(Type.Array(Type.String())),
});

const routesOf = <Definition>(
  resource: Resource<Definition>,
  catalogue: Catalogue,
): readonly Route[] => {
  const { path, key, body, words } = resource;
  const shown = Type.Object({
    ...body.properties,
    version: Type.Integer(),
    updated_at: Type.String(),
  });
  const one = `${path}/{${key}}`;
  return [
    {
      ...ADMINISTRATION,
      method: 'put',
      path: one,
      summary: `Cria ou substitui ${words.one}; o que já foi vendido não muda`,
      body,
      answers: {
        200: {
          description: 'Substituído por uma nova versão, ou igual ao que já havia',
          schema: wrapped(shown),
        },
        201: { description: 'Criado', schema: wrapped(shown) },
        409: {
          description: 'Outra versão é a atual, ou o restante do catálogo não permite',
          schema: conflict,
        },
        ...INVALID,
      },
      steps: [jsonBody, put(resource)],
    },
    {
      ...ADMINISTRATION,
      method: 'get',
      path: one,
      summary: `Consulta ${words.one}, como é ou como era em uma versão`,
      query: versionQuery,
      answers: {
        200: {
          description: 'Pode ser enviado de volta por PUT; o de outra versão, sem o campo version',
          schema: wrapped(shown),
        },
        404: { description: words.absent, schema: houseErrorSchema },
        ...INVALID,
      },
      steps: [get(resource, catalogue)],
    },
    {
      ...ADMINISTRATION,
      method: 'get',
      path,
      summary: `Lista ${words.many}`,
      query: PAGE,
      answers: { 200: { description: 'Uma página', schema: listAnswer(shown) }, ...INVALID },
      steps: [list(resource, catalogue)],
    },
  ];
};

export const catalogueRoutes = ({
  catalogue,
  manageCatalogue,
  readProduct,
}: CatalogueRouteParts): readonly Route[] => {
  const products: Resource<Product> = {
    path: '/admin/products',
    key: 'code',
    body: productBody,
    words: { absent: 'Produto não encontrado.', one: 'um produto', many: 'os produtos' },
    from: productFrom,
    to: productTo,
    nameOf: ({ code }) => code,
    read: readProduct,
    all: (state) => state.products,
    versionOf: (code, version) => catalogue.productVersion(code, version),
    put: manageCatalogue.putProduct,
  };
  const channels: Resource<Channel> = {
    path: '/admin/channels',
    key: 'channelLink',
    body: channelBody,
    words: { absent: 'Canal não encontrado.', one: 'um canal', many: 'os canais' },
    from: channelFrom,
    to: channelTo,
    nameOf: ({ channelLink }) => channelLink,
    read: readChannel,
    all: (state) => state.channels,
    versionOf: (channelLink, version) => catalogue.channelVersion(channelLink, version),
    put: manageCatalogue.putChannel,
  };
  return [...routesOf(products, catalogue), ...routesOf(channels, catalogue)];
};
