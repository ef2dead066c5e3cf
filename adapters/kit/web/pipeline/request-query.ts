import type { Static, TObject } from 'typebox';
import { invalidFields, standardError } from '../../contract/answer-error.ts';
import { describeViolation } from '../../contract/complaints.ts';
import { complain, type FieldFaults, groupFaults } from '../../contract/field-faults.ts';
import { compileValidator } from '../../contract/validation.ts';
import type { Context, Step } from './context.ts';

/** Koa's time to parse a query grows with the square of the number of parameters. */
const MAX_QUERY_PARAMETERS = 64;

export const limitQuery: Step = function limitQuery(ctx, next) {
  if (!ctx.url.includes('?')) return next();
  if (ctx.querystring.split('&', MAX_QUERY_PARAMETERS + 1).length > MAX_QUERY_PARAMETERS)
    throw standardError(
      400,
      'invalid_request',
      `A consulta tem mais de ${MAX_QUERY_PARAMETERS} parâmetros.`,
    );
  return next();
};

/** Refuses every parameter of a route without a query, so that the caller notices a typo. */
export const refuseQuery = (ctx: Context): void => {
  const names = Object.keys(ctx.query);
  if (names.length === 0) return;
  const unknown = names.map(
    (name) => [name, describeViolation(name, 'additionalProperties', {})] as const,
  );
  throw invalidFields(addKnown(groupFaults(unknown), 'nenhum'));
};

/** Says at each unknown parameter which ones the address has. */
const addKnown = (faults: FieldFaults, known: string): FieldFaults =>
  Object.fromEntries(
    Object.entries(faults).map(([path, complaints]) => [
      path,
      complaints.map(({ code, message }) =>
        complain(code, code === 'unknown' ? `${message} Conhecidos aqui: ${known}.` : message),
      ),
    ]),
  );

/** Names the whole list where one of its values is at fault: the query has no names for those. */
const nameLists = (faults: FieldFaults, isList: (name: string) => boolean): FieldFaults =>
  groupFaults(
    Object.entries(faults).flatMap(([path, complaints]) => {
      const [name = path] = path.split('.');
      if (!isList(name)) return complaints.map((each) => [path, each] as const);
      return complaints.map(({ code, message }) => {
        return [
          name,
          complain(code, message.replace(`O campo ${path} `, `O campo ${name} `)),
        ] as const;
      });
    }),
  );

/**
 * Returns a function that reads a query, or throws every fault at once. A parameter that is a list
 * in the schema may be repeated, and each value may be several with commas between them. Others
 * must not be repeated, which would be ambiguous.
 *
 * @param findMoreFaults the faults that the schema cannot tell, of the parameters without others
 */
export const compileQueryReader = <Schema extends TObject>(
  schema: Schema,
  findMoreFaults: (sound: Partial<Static<Schema>>, ctx: Context) => FieldFaults = () => ({}),
): ((query: Context['query'], ctx: Context) => Static<Schema>) => {
  // A parameter that was sent empty is a fault: a filter must not vanish.
  const checkFields = compileValidator(schema, (sent) => sent);
  const properties = schema.properties as Readonly<Record<string, { readonly type?: unknown }>>;
  const known = Object.keys(properties).join(', ');
  const isList = (name: string): boolean =>
    Object.hasOwn(properties, name) && properties[name]?.type === 'array';

  return function readQuery(query, ctx) {
    const given = Object.entries(query).map(([name, sent]) => {
      const values = [sent ?? ''].flat();
      const value = isList(name) ? values.flatMap((each) => each.split(',')) : values[0];
      return [name, value] as const;
    });
    const repeated = Object.keys(query).filter(
      (name) => Array.isArray(query[name]) && !isList(name),
    );

    const checked = checkFields(Object.fromEntries(given));
    const faults = {
      ...addKnown(nameLists(checked.faults, isList), known),
      ...findMoreFaults(checked.sound, ctx),
      ...groupFaults(
        repeated.map((name) => [
          name,
          complain('repeated', `O campo ${name} foi informado mais de uma vez.`),
        ]),
      ),
    };
    if (!checked.ok || Object.keys(faults).length > 0) throw invalidFields(faults);
    return checked.value;
  };
};
