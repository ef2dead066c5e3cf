import type { Api } from './api.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  /** The schema of each line, if the value is text with lines of JSON. */
  readonly contentSchema?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly 'x-enum-descriptions'?: Readonly<Record<string, string>>;
}

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers: Readonly<Record<string, { readonly schema: Schema }>>;
        readonly content: Content;
      }
    >
  >;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Json;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: DescribedOperation }>>;
  readonly components: Readonly<Record<string, Json>> & {
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

export const DOCUMENTS = ['/openapi.json', '/openapi-admin.json'] as const;

/** A document as it is served. */
export const fetchDocument = async (
  api: Api,
  path: (typeof DOCUMENTS)[number],
): Promise<OpenApiDocument> => (await api.call(path)).body;

/** What a reference names. @throws Error if there is no such component */
const find = (document: Json, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, name) => {
      const found = (value as Json)[name];
      if (found === undefined) throw new Error(`${reference} names nothing`);
      return found;
    }, document);

/** The document with what each reference names in its place. */
export const inlineReferences = (document: OpenApiDocument): OpenApiDocument => {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: reference, ...rest } = value as Json;
    const named =
      typeof reference === 'string' ? (find(document as never, reference) as Json) : undefined;
    return Object.fromEntries(
      Object.entries({ ...named, ...rest }).map(([name, each]) => [name, inline(each)]),
    );
  };
  return inline(document) as OpenApiDocument;
};

/** Every operation with its name: method and path. */
export const operationsOf = ({
  paths,
}: OpenApiDocument): readonly { readonly name: string; readonly operation: DescribedOperation }[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      operation,
    })),
  );
