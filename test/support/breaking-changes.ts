import type { DescribedOperation, OpenApiDocument, Schema } from './reference.ts';

type Json = Readonly<Record<string, unknown>>;

/** Whether the partner sends the value, or gets it. */
type Direction = 'sent' | 'got';

const asArray = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** Bounds that a partner's value must keep; a higher (1) or lower (-1) one refuses more values. */
const BOUNDS: Readonly<Record<string, 1 | -1>> = {
  minLength: 1,
  minimum: 1,
  exclusiveMinimum: 1,
  minItems: 1,
  maxLength: -1,
  maximum: -1,
  exclusiveMaximum: -1,
  maxItems: -1,
};

function* findBoundBreaks(before: Json, after: Json, place: string): Generator<string> {
  for (const [name, stricter] of Object.entries(BOUNDS)) {
    const [was, is] = [before[name], after[name]] as (number | undefined)[];
    if (is !== undefined && (was === undefined || Math.sign(is - was) === stricter))
      yield `${place}: ${name} is ${is}, and was ${was}`;
  }
  for (const name of ['pattern', 'format', 'const'])
    if (after[name] !== undefined && after[name] !== before[name])
      yield `${place}: ${name} is ${after[name]}, and was ${before[name]}`;
}

function* findTypeBreaks(
  before: Schema,
  after: Schema,
  direction: Direction,
  place: string,
): Generator<string> {
  const [was, is] = [asArray(before.type), asArray(after.type)];
  const [needed, allowed] = direction === 'sent' ? [was, is] : [is, was];
  const lost = allowed.length === 0 ? [] : needed.filter((each) => !allowed.includes(each));
  if (lost.length > 0) yield `${place}: the type is ${is.join()}, and was ${was.join()}`;
  if (direction === 'got' || after.enum === undefined) return;
  const values = (before.enum ?? ['any value']).filter((each) => !after.enum?.includes(each));
  if (values.length > 0) yield `${place}: ${values.join()} is not accepted any more`;
}

/** What a partner that was written for `before` trips over. */
function* findSchemaBreaks(
  before: Schema,
  after: Schema,
  direction: Direction,
  place: string,
): Generator<string> {
  yield* findTypeBreaks(before, after, direction, place);
  if (direction === 'sent') yield* findBoundBreaks(before as Json, after as Json, place);

  const fields = after.properties ?? {};
  for (const [name, field] of Object.entries(before.properties ?? {})) {
    const now = fields[name];
    if (now === undefined) yield `${place}.${name} is gone`;
    else yield* findSchemaBreaks(field, now, direction, `${place}.${name}`);
  }
  const [was, is] = [before.required ?? [], after.required ?? []];
  const [more, less] = direction === 'sent' ? [is, was] : [was, is];
  for (const name of more.filter((each) => !less.includes(each)))
    yield `${place}.${name} is ${direction === 'sent' ? 'required now' : 'optional now'}`;

  if (before.items !== undefined && after.items !== undefined)
    yield* findSchemaBreaks(before.items, after.items, direction, `${place}[]`);
  for (const kind of ['anyOf', 'allOf'] as const)
    for (const [index, part] of (before[kind] ?? []).entries()) {
      const now = after[kind]?.[index];
      if (now === undefined) yield `${place}: ${kind} ${index} is gone`;
      else yield* findSchemaBreaks(part, now, direction, `${place} ${kind} ${index}`);
    }
}

function* findOperationBreaks(
  before: DescribedOperation,
  after: DescribedOperation,
  place: string,
): Generator<string> {
  const { parameters = [] } = after;
  const find = (all: typeof parameters, name: string) => all.find((each) => each.name === name);
  for (const parameter of before.parameters ?? []) {
    const now = find(parameters, parameter.name);
    if (now === undefined) yield `${place} ?${parameter.name} is gone`;
    else
      yield* findSchemaBreaks(parameter.schema, now.schema, 'sent', `${place} ?${parameter.name}`);
  }
  for (const { name, required } of parameters)
    if (required && find(before.parameters ?? [], name)?.required !== true)
      yield `${place} ?${name} is required now`;

  const bodies = after.requestBody?.content ?? {};
  for (const [type, { schema }] of Object.entries(before.requestBody?.content ?? {})) {
    const now = bodies[type];
    if (now === undefined) yield `${place} does not accept ${type} any more`;
    else yield* findSchemaBreaks(schema, now.schema, 'sent', `${place} body`);
  }
  for (const [status, answer] of Object.entries(before.responses)) {
    const now = after.responses[status];
    if (now === undefined) {
      yield `${place} ${status} is gone`;
      continue;
    }
    for (const name of Object.keys(answer.headers ?? {}))
      if (now.headers?.[name] === undefined) yield `${place} ${status} has no header ${name}`;
    for (const [type, { schema }] of Object.entries(answer.content ?? {})) {
      const shown = now.content?.[type];
      if (shown === undefined) yield `${place} ${status} is not ${type} any more`;
      else yield* findSchemaBreaks(schema, shown.schema, 'got', `${place} ${status}`);
    }
  }
}

/**
 * What breaks partners that were written for a former document. Fields, values of answers, statuses
 * and operations may be added.
 *
 * @param before, after documents without references
 */
export function* findBreakingChanges(
  before: OpenApiDocument,
  after: OpenApiDocument,
): Generator<string> {
  for (const [path, methods] of Object.entries(before.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const now = after.paths[path]?.[method];
      if (now === undefined) yield `${method} ${path} is gone`;
      else yield* findOperationBreaks(operation, now, `${method} ${path}`);
    }
  for (const [name, { post }] of Object.entries(before.webhooks ?? {})) {
    const now = after.webhooks?.[name]?.post.requestBody?.content['application/json'];
    const was = post.requestBody?.content['application/json'];
    if (now === undefined) yield `the webhook ${name} is gone`;
    else if (was !== undefined) yield* findSchemaBreaks(was.schema, now.schema, 'got', name);
  }
}
