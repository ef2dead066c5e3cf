import Type, { type TObject } from 'typebox';
import { type Channel, type Product, type Reading, readChannel } from '#domain';
import type { Actor } from '../../../application/audit/audit-log.ts';
import type { Catalogue, Versioned } from '../../../application/catalogue/catalogue.ts';
import type {
  ManageCatalogue,
  PutOptions,
  PutOutcome,
} from '../../../application/catalogue/manage-catalogue.ts';
import type { ReadProduct } from '../../../application/catalogue/read-product.ts';
import { invalidFields, notFound } from '../../kit/contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  errorSchema,
  fieldCodeSchema,
  listAnswerSchema,
  standardErrorSchema,
} from '../../kit/contract/answer-shapes.ts';
import {
  describeCatalogueFaults,
  faultyError,
  staleError,
} from '../../kit/contract/catalogue-faults.ts';
import {
  type Body,
  type Field,
  findPlace,
  type Place,
} from '../../kit/contract/catalogue-fields.ts';
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
import { type FieldFaults, faultAt } from '../../kit/contract/field-faults.ts';
import { closedObject, formatted, isText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { compileValidator } from '../../kit/contract/validation.ts';
import { actorOf, type Handler, pathParameter } from '../../kit/web/pipeline/context.ts';
import { answerList, listQuerySchema } from '../../kit/web/pipeline/list-answers.ts';
import { compileQueryReader } from '../../kit/web/pipeline/request-query.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';

/** What differs between products and channels. */
interface Resource<Definition> {
  readonly path: string;
  /** The parameter of the path. The body may repeat it in a field of this name. */
  readonly key: keyof Definition & string;
  readonly body: TObject;
  /** The fields of a definition. */
  readonly field: Field;
  /** The word in the names of operations, as in `get…` and `list…s`. */
  readonly operation: string;
  readonly absent: string;
  readonly one: string;
  readonly many: string;
  readonly from: (name: string, body: Body) => unknown;
  readonly to: (definition: Definition) => object;
  readonly read: (input: unknown) => Reading<Definition>;
  readonly all: () => Promise<readonly Versioned<Definition>[]>;
  readonly versionOf: (name: string, version: number) => Promise<Versioned<Definition> | undefined>;
  readonly put: (
    definition: unknown,
    actor: Actor,
    options: PutOptions,
  ) => Promise<PutOutcome<Definition>>;
}

const nameOf = <Definition>({ key }: Resource<Definition>, { definition }: Versioned<Definition>) =>
  String(definition[key]);

const presentVersion = <Definition>(
  { to }: Resource<Definition>,
  { definition, version, updatedAt }: Versioned<Definition>,
): object => ({
  ...to(definition),
  version,
  updated_at: updatedAt,
});

/** A name in the body must equal the one in the path. */
const findNameFaults = (key: string, name: string, body: Body): FieldFaults =>
  (body[key] ?? name) === name
    ? {}
    : faultAt(key, 'contradicts', `O campo ${key} deve ser o do endereço: ${name}.`);

const putDefinition = <Definition>(resource: Resource<Definition>): Handler => {
  const validate = compileValidator(resource.body);

  return async function putDefinition(ctx) {
    const name = pathParameter(ctx, resource.key);
    const checked = validate(ctx.request.body as object);
    const body: Body = checked.given;
    const findPlaceOf = (path: string): Place => findPlace(path, resource.field, body);
    const ownFaults = { ...findNameFaults(resource.key, name, body), ...checked.faults };
    if (!checked.ok || Object.keys(ownFaults).length > 0) {
      const reading = resource.read(resource.from(name, body));
      throw invalidFields({
        ...(!reading.ok && describeCatalogueFaults(reading.faults, findPlaceOf)),
        ...ownFaults,
      });
    }

    const { version: expected } = checked.value as { readonly version?: number };
    const outcome = await resource.put(resource.from(name, body), actorOf(ctx), { expected });
    if (outcome.kind === 'stale') throw staleError(outcome.version);
    if (outcome.kind === 'faulty') throw faultyError(outcome, findPlaceOf);
    answerData(ctx, presentVersion(resource, outcome.put), outcome.kind === 'created' ? 201 : 200);
  };
};

const VERSION_QUERY = closedObject({
  version: Type.Optional(formatted('version', { description: 'Número. Ausente: a atual' })),
});

const readVersionQuery = compileQueryReader(VERSION_QUERY);

const getDefinition = <Definition>(resource: Resource<Definition>): Handler =>
  async function getDefinition(ctx) {
    const { version } = readVersionQuery(ctx.query, ctx);
    const name = pathParameter(ctx, resource.key);
    const findNow = async () =>
      (await resource.all()).find((each) => nameOf(resource, each) === name);
    const found = isText(name)
      ? await (version === undefined ? findNow() : resource.versionOf(name, Number(version)))
      : undefined;
    if (found === undefined)
      throw notFound(version === undefined ? resource.absent : 'Versão não encontrada.');
    answerData(ctx, presentVersion(resource, found));
  };

const PAGE_QUERY = listQuerySchema({});

const listDefinitions = <Definition>(resource: Resource<Definition>): Handler =>
  answerList(PAGE_QUERY, {
    read: async ({ limit, after }) => {
      const all = await resource.all();
      const last = all.findIndex((each) => nameOf(resource, each) === after);
      if (after !== undefined && last < 0) return [];
      return all.slice(last + 1, last + 1 + limit);
    },
    placeOfItem: (versioned) => nameOf(resource, versioned),
    isPlace: isText,
    present: (versioned) => presentVersion(resource, versioned),
  });

export interface CatalogueRouteParts {
  readonly catalogue: Catalogue;
  readonly manageCatalogue: ManageCatalogue;
  readonly readProduct: ReadProduct;
}

const conflictAnswer = errorSchema('CatalogueConflict', {
  version: Type.Optional(Type.Integer()),
  conflicts: Type.Optional(Type.Array(Type.String())),
  conflict_codes: Type.Optional(Type.Array(fieldCodeSchema)),
});

const createResourceRoutes = <Definition>(resource: Resource<Definition>): readonly Route[] => {
  const { path, key, body, operation, absent, one, many } = resource;
  const shown = namedObject(`Stored${operation}`, {
    ...body.properties,
    version: Type.Integer(),
    updated_at: Type.String(),
  });
  const pathOfOne = `${path}/{${key}}`;
  return [
    {
      ...ADMIN_ROUTE,
      method: 'put',
      path: pathOfOne,
      operationId: `put${operation}`,
      summary: `Cria ou substitui ${one}; o que já foi vendido não muda`,
      description:
        'Mande a definição inteira: o que falta volta ao valor padrão. Com version, a mudança é recusada (409) se outro administrador mudou antes. 422 nomeia todos os erros da definição; sem eles, 409 nomeia o que não combina com o resto do catálogo. Mandar o mesmo de novo não faz outra versão.',
      body,
      answers: {
        200: {
          description: 'Substituído por uma nova versão, ou igual ao que já havia',
          schema: dataAnswer(shown),
        },
        201: { description: 'Criado', schema: dataAnswer(shown) },
        409: {
          name: 'CatalogueConflict',
          description: 'Outra versão é a atual, ou o restante do catálogo não permite',
          schema: conflictAnswer,
        },
      },
      handle: putDefinition(resource),
    },
    {
      ...ADMIN_ROUTE,
      method: 'get',
      path: pathOfOne,
      operationId: `get${operation}`,
      summary: `Consulta ${one}, como é ou como era em uma versão`,
      description:
        'A resposta pode ser mudada e enviada de volta por PUT: a atual, com version; uma anterior, sem.',
      query: VERSION_QUERY,
      answers: {
        200: {
          description: 'Pode ser enviado de volta por PUT; o de outra versão, sem o campo version',
          schema: dataAnswer(shown),
        },
        404: { description: absent, schema: standardErrorSchema },
      },
      handle: getDefinition(resource),
    },
    {
      ...ADMIN_ROUTE,
      method: 'get',
      path,
      operationId: `list${operation}s`,
      summary: `Lista ${many}`,
      description: 'As versões atuais. Siga next_cursor até que seja nulo.',
      query: PAGE_QUERY,
      answers: { 200: { description: 'Uma página', schema: listAnswerSchema(shown) } },
      handle: listDefinitions(resource),
    },
  ];
};

export const createCatalogueRoutes = ({
  catalogue,
  manageCatalogue,
  readProduct,
}: CatalogueRouteParts): readonly Route[] => {
  const products: Resource<Product> = {
    path: '/admin/products',
    key: 'code',
    body: productBody,
    field: PRODUCT,
    operation: 'CatalogueProduct',
    absent: 'Produto não encontrado.',
    one: 'um produto',
    many: 'os produtos',
    from: productFrom,
    to: productTo,
    read: readProduct,
    all: async () => (await catalogue.load()).products,
    versionOf: (code, version) => catalogue.productVersion(code, version),
    put: manageCatalogue.putProduct,
  };
  const channels: Resource<Channel> = {
    path: '/admin/channels',
    key: 'channelLink',
    body: channelBody,
    field: CHANNEL,
    operation: 'Channel',
    absent: 'Canal não encontrado.',
    one: 'um canal',
    many: 'os canais',
    from: channelFrom,
    to: channelTo,
    read: readChannel,
    all: async () => (await catalogue.load()).channels,
    versionOf: (channelLink, version) => catalogue.channelVersion(channelLink, version),
    put: manageCatalogue.putChannel,
  };
  return [...createResourceRoutes(products), ...createResourceRoutes(channels)];
};
