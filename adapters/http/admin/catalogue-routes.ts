import Type, { type TObject } from 'typebox';
import { type CalendarDate, type Channel, type Product, parseDate } from '#domain';
import type { PlaceChannel, Placing } from '../../../application/all-groups/manage-groups.ts';
import type { Actor } from '../../../application/audit/audit-log.ts';
import type { Catalogue, Versioned } from '../../../application/catalogue/catalogue.ts';
import type {
  ManageCatalogue,
  PutOptions,
  PutOutcome,
} from '../../../application/catalogue/manage-catalogue.ts';
import {
  type Timeline,
  timelinesOf,
  versionOn,
  versionsAfter,
} from '../../../application/catalogue/versions.ts';
import type { Clock } from '../../../application/clock.ts';
import type { Groups } from '../../../application/groups/groups.ts';
import { invalidFields, notFound, standardError } from '../../kit/contract/answer-error.ts';
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
import { described } from '../../kit/contract/described.ts';
import { type FieldFaults, faultAt } from '../../kit/contract/field-faults.ts';
import { closedObject, date, formatted, isText } from '../../kit/contract/formats.ts';
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
  readonly timelines: () => Promise<ReadonlyMap<string, Timeline<Definition>>>;
  readonly today: () => CalendarDate;
  readonly versionOf: (name: string, version: number) => Promise<Versioned<Definition> | undefined>;
  readonly put: (
    definition: unknown,
    actor: Actor,
    options: PutOptions,
  ) => Promise<PutOutcome<Definition>>;
  readonly faultsOf: ManageCatalogue['faultsOfProduct'];
  readonly withdraw: ManageCatalogue['withdrawProduct'];
  /** The group that it is in, apart from its versions; absent: in none. */
  readonly grouping?: Grouping;
}

interface Grouping {
  readonly groupOf: (name: string) => Promise<number>;
  readonly place: PlaceChannel;
}

const announced = described<Versioned<unknown>>()({
  effectiveFrom: [Type.String({ format: 'date' }), ({ effectiveFrom }) => effectiveFrom],
  version: [Type.Integer(), ({ version }) => version],
  updated_at: [Type.String(), ({ updatedAt }) => updatedAt],
});

const announcedVersion = namedObject('AnnouncedVersion', announced.schema.properties);

const presentVersion = <Definition>(
  { to }: Resource<Definition>,
  version: Versioned<Definition>,
  upcoming: Timeline<Definition>,
): object => ({
  ...to(version.definition),
  ...announced.present(version),
  upcoming: upcoming.map(announced.present),
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
      const day = parseDate(body['effectiveFrom']);
      const faults = await resource.faultsOf(resource.from(name, body), name, day);
      throw invalidFields({
        ...describeCatalogueFaults(faults, findPlaceOf),
        ...ownFaults,
      });
    }

    const { version: expected, effectiveFrom } = checked.value as {
      readonly version?: number;
      readonly effectiveFrom?: CalendarDate;
    };
    const options = { expected, effectiveFrom };
    const { group } = checked.value as { readonly group?: number };
    if (resource.grouping) {
      // A definition that is refused is placed nowhere.
      const trial = { ...options, isTrial: true };
      refuseFaulty(await resource.put(resource.from(name, body), actorOf(ctx), trial), findPlaceOf);
      refusePlacing(await resource.grouping.place(name, group, actorOf(ctx)));
    }
    const outcome = await resource.put(resource.from(name, body), actorOf(ctx), options);
    const { put, upcoming, kind } = refuseFaulty(outcome, findPlaceOf);
    const shown = presentVersion(resource, put, upcoming);
    const placed = { ...shown, ...(await groupOf(resource, name)) };
    answerData(ctx, placed, kind === 'created' ? 201 : 200);
  };
};

/** @throws AnswerError 409, 422 */
const refuseFaulty = <Definition>(
  outcome: PutOutcome<Definition>,
  findPlaceOf: (path: string) => Place,
) => {
  if (outcome.kind === 'stale') throw staleError(outcome.version);
  if (outcome.kind === 'faulty') throw faultyError(outcome, findPlaceOf);
  return outcome;
};

const groupOf = async <Definition>(
  { grouping }: Resource<Definition>,
  name: string,
): Promise<{ readonly group?: number }> =>
  grouping === undefined ? {} : { group: await grouping.groupOf(name) };

/** @throws AnswerError 422 */
const refusePlacing = (placing: Placing): void => {
  if (placing.kind === 'unknown')
    throw invalidFields(
      faultAt('group', 'not_offered', `O grupo deve ser um destes: ${placing.known.join(', ')}.`),
    );
  if (placing.kind === 'has_sales')
    throw invalidFields(
      faultAt('group', 'contradicts', `O canal já tem venda e fica no grupo ${placing.group}.`),
    );
};

const withdrawDefinition = <Definition>(resource: Resource<Definition>): Handler =>
  async function withdrawDefinition(ctx) {
    const name = pathParameter(ctx, resource.key);
    const day = parseDate(pathParameter(ctx, 'effectiveFrom'));
    const outcome =
      day && isText(name)
        ? await resource.withdraw(name, day, actorOf(ctx))
        : ({ kind: 'unknown' } as const);
    if (outcome.kind === 'unknown') throw notFound(NOTHING_ANNOUNCED);
    if (outcome.kind === 'in_force')
      throw standardError(409, 'catalogue_conflict', 'A versão já está em vigor e não muda mais.');
    if ('faults' in outcome)
      throw faultyError(outcome, (path) => findPlace(path, resource.field, {}));
    ctx.status = 204;
  };

const NOTHING_ANNOUNCED = 'Nada está anunciado para este dia.';

const VERSION_QUERY = closedObject({
  version: Type.Optional(formatted('version', { description: 'Número. Ausente: a em vigor' })),
  on: Type.Optional(date({ description: 'A versão em vigor neste dia. Ausente: hoje' })),
});

const readVersionQuery = compileQueryReader(VERSION_QUERY);

const getDefinition = <Definition>(resource: Resource<Definition>): Handler =>
  async function getDefinition(ctx) {
    const { version, on } = readVersionQuery(ctx.query, ctx);
    const name = pathParameter(ctx, resource.key);
    const today = resource.today();
    const timeline = (await resource.timelines()).get(name) ?? [];
    const upcoming = versionsAfter(timeline, today);
    const found =
      version === undefined || !isText(name)
        ? versionOn(timeline, (on as CalendarDate | undefined) ?? today)
        : await resource.versionOf(name, Number(version));
    if (found === undefined && version !== undefined) throw notFound('Versão não encontrada.');
    if (found === undefined) {
      const [next] = on === undefined ? upcoming : [];
      const begins = next ? ` Passa a valer em ${next.effectiveFrom}.` : '';
      throw notFound(`${resource.absent}${begins}`);
    }
    const shown = presentVersion(resource, found, upcoming);
    answerData(ctx, { ...shown, ...(await groupOf(resource, name)) });
  };

const PAGE_QUERY = listQuerySchema({});

const listDefinitions = <Definition>(resource: Resource<Definition>): Handler =>
  answerList(PAGE_QUERY, {
    read: async ({ limit, after }) => {
      const today = resource.today();
      const all = [...(await resource.timelines())].flatMap(([name, timeline]) => {
        const version = versionOn(timeline, today);
        return version ? [{ name, version, upcoming: versionsAfter(timeline, today) }] : [];
      });
      const last = all.findIndex(({ name }) => name === after);
      if (after !== undefined && last < 0) return [];
      const page = all.slice(last + 1, last + 1 + limit);
      return Promise.all(
        page.map(async (each) => ({ ...each, placed: await groupOf(resource, each.name) })),
      );
    },
    placeOfItem: ({ name }) => name,
    isPlace: isText,
    present: ({ version, upcoming, placed }) => ({
      ...presentVersion(resource, version, upcoming),
      ...placed,
    }),
  });

export interface CatalogueRouteParts {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly manageCatalogue: ManageCatalogue;
  readonly groups: Groups;
  readonly placeChannel: PlaceChannel;
}

/** About what all groups of channels share, though a channel is in the path. */
const CATALOGUE_ROUTE = { ...ADMIN_ROUTE, isShared: true } as const;

const conflictAnswer = errorSchema('CatalogueConflict', {
  version: Type.Optional(Type.Integer()),
  conflicts: Type.Optional(Type.Array(Type.String())),
  conflict_codes: Type.Optional(Type.Array(fieldCodeSchema)),
});

const CONFLICT = {
  name: 'CatalogueConflict',
  description:
    'Outra versão é a do dia, a versão já está em vigor, ou o restante do catálogo não permite',
  schema: conflictAnswer,
};

const createResourceRoutes = <Definition>(resource: Resource<Definition>): readonly Route[] => {
  const { path, key, body, operation, absent, one, many } = resource;
  const shown = namedObject(`Stored${operation}`, {
    ...body.properties,
    ...announced.schema.properties,
    upcoming: Type.Array(announcedVersion, { description: 'As versões anunciadas para depois' }),
  });
  const pathOfOne = `${path}/{${key}}`;
  return [
    {
      ...CATALOGUE_ROUTE,
      method: 'put',
      path: pathOfOne,
      operationId: `put${operation}`,
      summary: `Cria ou substitui ${one}; o que já foi vendido não muda`,
      description:
        'Mande a definição inteira: o que falta volta ao valor padrão. Com effectiveFrom ela passa a valer nesse dia e substitui o que estava anunciado para ele; sem, vale já, e o anunciado fica como está (upcoming). Com version, a mudança é recusada (409) se outro administrador mudou antes. 422 nomeia todos os erros da definição; sem eles, 409 nomeia o que não combina com o resto do catálogo. Mandar o mesmo de novo não faz outra versão.',
      body,
      answers: {
        200: {
          description: 'Substituído por uma nova versão, ou igual ao que já havia',
          schema: dataAnswer(shown),
        },
        201: { description: 'Criado', schema: dataAnswer(shown) },
        409: CONFLICT,
      },
      handle: putDefinition(resource),
    },
    {
      ...CATALOGUE_ROUTE,
      method: 'get',
      path: pathOfOne,
      operationId: `get${operation}`,
      summary: `Consulta ${one}, como é, em outro dia ou em uma versão`,
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
      ...CATALOGUE_ROUTE,
      method: 'get',
      path,
      operationId: `list${operation}s`,
      summary: `Lista ${many}`,
      description: 'As versões em vigor hoje. Siga next_cursor até que seja nulo.',
      query: PAGE_QUERY,
      answers: { 200: { description: 'Uma página', schema: listAnswerSchema(shown) } },
      handle: listDefinitions(resource),
    },
    createWithdrawRoute(resource),
  ];
};

const createWithdrawRoute = <Definition>(resource: Resource<Definition>): Route => {
  const { path, key, operation, one } = resource;
  return {
    ...CATALOGUE_ROUTE,
    method: 'delete',
    path: `${path}/{${key}}/versions/{effectiveFrom}`,
    operationId: `withdraw${operation}Version`,
    summary: `Retira o que foi anunciado de ${one} para um dia`,
    description: 'Só antes do dia. Nele continua a valer o que valer até a véspera.',
    answers: {
      204: { description: 'Retirado' },
      404: { description: NOTHING_ANNOUNCED, schema: standardErrorSchema },
      409: CONFLICT,
    },
    handle: withdrawDefinition(resource),
  };
};

export const createCatalogueRoutes = ({
  catalogue,
  clock,
  manageCatalogue,
  groups,
  placeChannel,
}: CatalogueRouteParts): readonly Route[] => {
  const today = () => clock.today();
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
    today,
    timelines: async () => timelinesOf((await catalogue.load()).versions).products,
    versionOf: (code, version) => catalogue.productVersion(code, version),
    put: manageCatalogue.putProduct,
    faultsOf: manageCatalogue.faultsOfProduct,
    withdraw: manageCatalogue.withdrawProduct,
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
    today,
    timelines: async () => timelinesOf((await catalogue.load()).versions).channels,
    versionOf: (channelLink, version) => catalogue.channelVersion(channelLink, version),
    put: manageCatalogue.putChannel,
    faultsOf: manageCatalogue.faultsOfChannel,
    withdraw: manageCatalogue.withdrawChannel,
    grouping: {
      groupOf: async (name) => (await groups.current()).placed.get(name) ?? 0,
      place: placeChannel,
    },
  };
  return [...createResourceRoutes(products), ...createResourceRoutes(channels)];
};
