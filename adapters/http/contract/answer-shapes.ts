import Type, { type TObject, type TSchema } from 'typebox';
import { ERROR_CODES, FIELD_CODES, NEXT_STEPS } from './error-codes.ts';

/** A reference to a schema that the OpenAPI document names once; see `NAMED_SCHEMAS`. */
const namedSchema = (name: keyof typeof NAMED_SCHEMAS) =>
  Type.Unsafe<string>({ $ref: `#/components/schemas/${name}` });

const codesSchema = (codes: Readonly<Record<string, string>>, description: string) =>
  Type.Enum(Object.keys(codes), { description, 'x-enum-descriptions': codes });

/** The schemas that the document names once. */
export const NAMED_SCHEMAS = {
  ErrorCode: codesSchema(
    Object.fromEntries(
      Object.entries(ERROR_CODES).map(([code, { meaning, next }]) => [
        code,
        `${meaning}: ${NEXT_STEPS[next]}`,
      ]),
    ),
    'O código estável do erro, também no cabeçalho X-Error-Code',
  ),
  FieldCode: codesSchema(FIELD_CODES, 'O que há de errado com um campo'),
};

export const errorCodeSchema = namedSchema('ErrorCode');

export const fieldCodeSchema = namedSchema('FieldCode');

/** For each field of `errors` the codes, in the order of its messages. */
const fieldCodesSchema = Type.Record(Type.String(), Type.Array(fieldCodeSchema));

/** The body of `standardErrorBody`. */
export const standardErrorSchema = Type.Object({
  success: Type.Literal(false),
  response: Type.String(),
  status_code: Type.String(),
  code: errorCodeSchema,
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  error_codes: Type.Optional(fieldCodesSchema),
});

/** 409: the idempotency key or external sale id was used before with other content. */
export const conflictSchema = Type.Object({
  ...standardErrorSchema.properties,
  transaction_id: Type.Integer(),
  differences: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), stored: Type.Any(), received: Type.Any() })),
  ),
});

/** The faulty fields as the keys of the body, and no other keys. */
export const fieldFaultsSchema = Type.Record(Type.String(), Type.Array(Type.String()));

/** The error fields of RFC 6749, section 5.2, beside those of the standard body. */
export const oauthErrorSchema = Type.Object({
  success: Type.Literal(false),
  response: Type.String(),
  status_code: Type.String(),
  error: Type.String(),
  error_description: Type.String(),
  errors: Type.Optional(fieldFaultsSchema),
});

/** The 422 answer of most routes, for their description. */
export const INVALID_FIELDS_ANSWER = {
  422: { description: 'Campos com erro', schema: standardErrorSchema },
};

/** The body that `answerData` writes. */
export const dataAnswer = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), response: Type.Object({ data }) });

export const answerData = (
  ctx: { status: number; body: unknown },
  data: object,
  status = 200,
): void => {
  ctx.status = status;
  ctx.body = { success: true, response: { data } };
};

/** One page of a list, as `answerList` writes it. */
export const listAnswerSchema = <Item extends TObject>(item: Item) =>
  Type.Object({
    success: Type.Literal(true),
    response: Type.Object({
      data: Type.Array(item),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Nulo na última página',
      }),
    }),
  });
