import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import { ERROR_CODES, FIELD_CODES, NEXT_STEPS } from './error-codes.ts';
import { nullableText } from './formats.ts';
import { namedObject } from './named-object.ts';

/** The codes, and what each means, as a schema that the OpenAPI document names once. */
const codesSchema = (title: string, codes: Readonly<Record<string, string>>, description: string) =>
  Type.Unsafe<string>({
    title,
    type: 'string',
    description,
    enum: Object.keys(codes),
    'x-enum-descriptions': codes,
  });

export const errorCodeSchema = codesSchema(
  'ErrorCode',
  Object.fromEntries(
    Object.entries(ERROR_CODES).map(([code, { meaning, next }]) => [
      code,
      `${meaning}: ${NEXT_STEPS[next]}`,
    ]),
  ),
  'O código estável do erro, também no cabeçalho X-Error-Code',
);

export const fieldCodeSchema = codesSchema(
  'FieldCode',
  FIELD_CODES,
  'O que há de errado com um campo',
);

/** The faulty fields as the keys of the body, and no other keys. */
export const fieldFaultsSchema = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'FieldFaults',
});

/** The codes of each field of `errors`, in the order of its messages. */
const fieldCodesSchema = Type.Record(Type.String(), Type.Array(fieldCodeSchema), {
  title: 'FieldErrorCodes',
});

/** The body of `standardErrorBody`. */
export const standardErrorSchema = namedObject('StandardError', {
  success: Type.Literal(false),
  response: Type.String(),
  status_code: Type.String(),
  code: errorCodeSchema,
  errors: Type.Optional(fieldFaultsSchema),
  error_codes: Type.Optional(fieldCodesSchema),
});

/** The same with more fields. */
export const errorSchema = <More extends TProperties>(title: string, moreFields: More) =>
  Type.Object({ ...standardErrorSchema.properties, ...moreFields }, { title });

/** A refused sale is stored: it has a number and a ticket, and keeps its externalSaleId. */
export const refusedSaleSchema = errorSchema('RefusedSale', {
  transaction_id: Type.Optional(Type.Integer()),
  ticket: Type.Optional(Type.String()),
});

/** 409: the idempotency key or external sale id was used before with other content. */
export const conflictSchema = errorSchema('Conflict', {
  transaction_id: Type.Integer(),
  differences: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), stored: Type.Any(), received: Type.Any() })),
  ),
});

/** The error fields of RFC 6749, section 5.2, beside those of the standard body. */
export const oauthErrorSchema = errorSchema('OAuthError', {
  error: Type.String(),
  error_description: Type.String(),
});

/** The 404 answer of a route, for its description. `what` begins its name in the OpenAPI document. */
export const notFoundAnswer = (what: string, description: string) => ({
  404: { name: `${what}NotFound`, description, schema: standardErrorSchema },
});

export const TRANSACTION_NOT_FOUND = notFoundAnswer('Transaction', 'Transação não encontrada');

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
      next_cursor: nullableText('Nulo na última página'),
    }),
  });

/** Groups of channels that an answer lacks. */
export const incompleteShape = Type.Optional(
  Type.Array(Type.Integer(), {
    description:
      'Grupos de canais fora de alcance, que faltam na resposta; ausente: não falta nenhum',
  }),
);

/** A page of the list of all groups of channels. */
export const mergedListAnswerSchema = <Item extends TObject>(item: Item) =>
  Type.Object({
    success: Type.Literal(true),
    response: Type.Object({
      data: Type.Array(item),
      next_cursor: nullableText('Nulo na última página'),
      incomplete: incompleteShape,
    }),
  });
