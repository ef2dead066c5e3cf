import type { Static, TObject } from 'typebox';
import { invalidFields, standardError } from '../contract/answer-error.ts';
import { describeViolation } from '../contract/complaints.ts';
import { complain, groupFaults } from '../contract/field-faults.ts';
import { compileReader } from '../contract/validation.ts';
import type { Context, Step } from './context.ts';

/** Koa's time to parse a query grows with the square of the number of parameters. */
const MAX_QUERY_PARAMETERS = 64;

export const limitQuery: Step = function limitQuery(ctx, next) {
  if (ctx.querystring.split('&', MAX_QUERY_PARAMETERS + 1).length > MAX_QUERY_PARAMETERS)
    throw standardError(
      400,
      'invalid_request',
      `A consulta tem mais de ${MAX_QUERY_PARAMETERS} parâmetros.`,
    );
  return next();
};

/** For routes without a query: refuses every parameter, so that the caller notices a typo. */
export const refuseQuery: Step = function refuseQuery(ctx, next) {
  const names = Object.keys(ctx.query);
  if (names.length > 0)
    throw invalidFields(
      groupFaults(names.map((name) => [name, describeViolation(name, 'additionalProperties', {})])),
    );
  return next();
};

/** Returns a function that reads a query. It refuses repeated parameters, which are ambiguous. */
export const compileQueryReader = <Schema extends TObject>(
  schema: Schema,
): ((query: Context['query']) => Static<Schema>) => {
  const readFields = compileReader(schema, invalidFields);

  return function readQuery(query) {
    const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
    if (repeated.length > 0)
      throw invalidFields(
        groupFaults(
          repeated.map((name) => [
            name,
            complain('repeated', `O campo ${name} foi informado mais de uma vez.`),
          ]),
        ),
      );

    return readFields(query);
  };
};
