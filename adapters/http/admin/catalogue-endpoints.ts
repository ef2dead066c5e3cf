import Type, { type TObject } from 'typebox';
import type { Reading } from '#domain';
import type { Actor } from '../../../application/audit/audit-log.ts';
import type {
  Catalogue,
  CatalogueState,
  Versioned,
} from '../../../application/catalogue/catalogue.ts';
import type { PutOptions, PutOutcome } from '../../../application/catalogue/manage-catalogue.ts';
import { invalidFields, notFound, standardError } from '../contract/answer-error.ts';
import { answerData } from '../contract/answer-shapes.ts';
import { type FieldFaults, faultAt } from '../contract/field-faults.ts';
import { isText } from '../contract/formats.ts';
import { compileValidator } from '../contract/validation.ts';
import { actorOf, type Context, type Handler, pathParameter } from '../pipeline/context.ts';
import { answerList, listQuerySchema } from '../pipeline/list-answers.ts';
import { compileQueryReader } from '../pipeline/request-query.ts';
import { describeCatalogueFaults, describeConflicts } from './catalogue-faults.ts';
import type { Body, Field } from './catalogue-fields.ts';
import { findPlace, type Place } from './catalogue-translation.ts';

/** What differs between products and channels. */
export interface Resource<Definition> {
  readonly path: string;
  /** The parameter of the path. The body may repeat it in a field of this name. */
  readonly key: string;
  readonly body: TObject;
  /** The fields of a definition. */
  readonly field: Field;
  readonly words: {
    /** In the names of operations, as in `get…` and `list…s`. */
    readonly operation: string;
    readonly absent: string;
    readonly one: string;
    readonly many: string;
  };
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

export const putDefinition = <Definition>(resource: Resource<Definition>): Handler => {
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
    answerPut(ctx, resource, outcome, findPlaceOf);
  };
};

const answerPut = <Definition>(
  ctx: Context,
  resource: Resource<Definition>,
  outcome: PutOutcome<Definition>,
  findPlaceOf: (path: string) => Place,
): void => {
  if (outcome.kind === 'stale') {
    const { version } = outcome;
    throw standardError(
      409,
      'version_conflict',
      version === 0 ? 'Ainda não existe.' : `A versão atual é ${version}, não a enviada.`,
      { version },
    );
  }
  if (outcome.kind === 'faulty') {
    if (outcome.faults.length > 0)
      throw invalidFields(describeCatalogueFaults(outcome.faults, findPlaceOf));
    const conflicts = describeConflicts(outcome.conflicts);
    const messages = conflicts.map(({ message }) => message);
    throw standardError(
      409,
      'catalogue_conflict',
      messages[0] ?? 'O restante do catálogo não permite esta mudança.',
      { conflicts: messages, conflict_codes: conflicts.map(({ code }) => code) },
    );
  }
  answerData(ctx, presentVersion(resource, outcome.put), outcome.kind === 'created' ? 201 : 200);
};

export const VERSION_QUERY = Type.Object(
  {
    version: Type.Optional(
      Type.String({ format: 'version', description: 'Número. Ausente: a atual' }),
    ),
  },
  { additionalProperties: false },
);

export const getDefinition = <Definition>(
  resource: Resource<Definition>,
  catalogue: Catalogue,
): Handler => {
  const readQuery = compileQueryReader(VERSION_QUERY);

  return async function getDefinition(ctx) {
    const { version } = readQuery(ctx.query, ctx);
    const name = pathParameter(ctx, resource.key);
    const hasName = ({ definition }: Versioned<Definition>): boolean =>
      resource.nameOf(definition) === name;
    const findNow = async () => resource.all(await catalogue.load()).find(hasName);
    const found = isText(name)
      ? await (version === undefined ? findNow() : resource.versionOf(name, Number(version)))
      : undefined;
    if (found === undefined)
      throw notFound(version === undefined ? resource.words.absent : 'Versão não encontrada.');
    answerData(ctx, presentVersion(resource, found));
  };
};

export const PAGE_QUERY = listQuerySchema({});

export const listDefinitions = <Definition>(
  resource: Resource<Definition>,
  catalogue: Catalogue,
): Handler =>
  answerList(PAGE_QUERY, {
    read: async ({ limit, after }) => {
      const all = resource.all(await catalogue.load());
      const last = all.findIndex(({ definition }) => resource.nameOf(definition) === after);
      if (after !== undefined && last < 0) return [];
      return all.slice(last + 1, last + 1 + limit);
    },
    placeOfItem: ({ definition }) => resource.nameOf(definition),
    isPlace: isText,
    present: (versioned) => presentVersion(resource, versioned),
  });
