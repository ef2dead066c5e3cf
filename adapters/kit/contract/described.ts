import Type, { type Static, type TObject, type TOptional, type TSchema } from 'typebox';

/** A value of an answer; lists and objects inside may be read-only. */
type Shown<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : string extends keyof Value
    ? Value
    : { readonly [Key in keyof Value]: Shown<Value[Key]> };

type Schemas = Record<string, TSchema>;

/** Reads a field. An optional field that reads as undefined is left out of the answer. */
type Read<Source, Schema extends TSchema> = (
  source: Source,
) => Shown<Static<Schema>> | (Schema extends TOptional<TSchema> ? undefined : never);

export type Fields<Source, Shapes extends Schemas> = {
  readonly [Name in keyof Shapes]: readonly [
    schema: Shapes[Name],
    read: Read<Source, NoInfer<Shapes[Name]>>,
  ];
};

/**
 * Describes an object of an answer once, as the schema of each field and how the field is read from
 * the source. The compiler refuses a value of another type or unit than its schema has.
 *
 * @param title the name of the object in the OpenAPI document
 */
export const described =
  <Source>(title?: string, description?: string) =>
  <Shapes extends Schemas>(fields: Fields<Source, Shapes>) => {
    const entries = entriesOf(fields);
    const properties = Object.fromEntries(entries.map(([name, [schema]]) => [name, schema]));
    const options = {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    };
    return {
      /** The fields, which another description may take over. */
      fields,
      schema: Type.Object(properties as Shapes, options),

      present(source: Source): Static<TObject<Shapes>> {
        const answer: Record<string, unknown> = {};
        for (const [name, [, read]] of entries) {
          const value = read(source);
          if (value !== undefined) answer[name] = value;
        }
        return answer as Static<TObject<Shapes>>;
      },
    };
  };

/** The same fields, read from a part of another source. */
export const fieldsOf = <Source, Part, Shapes extends Schemas>(
  fields: Fields<Part, Shapes>,
  partOf: (source: Source) => Part,
): Fields<Source, Shapes> =>
  Object.fromEntries(
    entriesOf(fields).map(([name, [schema, read]]) => [
      name,
      [schema, (source: Source) => read(partOf(source))],
    ]),
  ) as unknown as Fields<Source, Shapes>;

const entriesOf = <Source, Shapes extends Schemas>(fields: Fields<Source, Shapes>) =>
  Object.entries<readonly [TSchema, (source: Source) => unknown]>(fields);
