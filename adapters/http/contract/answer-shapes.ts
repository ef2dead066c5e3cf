import Type from 'typebox';

/** The house style of an error. */
export const houseErrorSchema = Type.Object({
  success: Type.Literal(false),
  response: Type.String(),
  status_code: Type.String(),
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});

/** A key or sale id that had named something else. */
export const conflictSchema = Type.Object({
  ...houseErrorSchema.properties,
  transaction_id: Type.Integer(),
  differences: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), stored: Type.Any(), received: Type.Any() })),
  ),
});

/** Only the offending fields as keys. */
export const fieldFaultsSchema = Type.Record(Type.String(), Type.Array(Type.String()));

/** RFC 6749's error beside the house style. */
export const oauthErrorSchema = Type.Object({
  success: Type.Literal(false),
  response: Type.String(),
  status_code: Type.String(),
  error: Type.String(),
  error_description: Type.String(),
});
