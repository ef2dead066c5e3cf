import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Api } from './api.ts';

interface Content {
  readonly content?: Readonly<Record<string, object>>;
}

/** An operation of an OpenAPI document. */
interface OperationObject {
  readonly operationId: string;
  readonly description?: string;
  readonly security?: readonly { readonly oauth?: readonly string[] }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface OpenApi {
  readonly components: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

type Part = Readonly<Record<string, unknown>>;

/** Compiles the schemas of a document. What they refer to is compiled once. */
class Validators {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false });
  readonly #known = new Map<string, ValidateFunction>();

  constructor({ components }: OpenApi) {
    this.#ajv.addSchema({ components }, 'document');
  }

  compile(schema: object): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validate = this.#known.get(text) ?? this.#ajv.compile(JSON.parse(text));
    this.#known.set(text, validate);
    return validate;
  }
}

/** An operation that the service describes, and the schemas of its bodies. */
export class Operation {
  readonly method: string;
  readonly path: string;
  readonly shape: OperationObject;
  readonly #document: OpenApi;
  readonly #validators: Validators;

  constructor(document: OpenApi, validators: Validators, path: string, method: string) {
    const shape = document.paths[path]?.[method];
    if (shape === undefined) throw new Error(`no ${method} ${path}`);
    this.method = method;
    this.path = path;
    this.shape = shape;
    this.#document = document;
    this.#validators = validators;
  }

  /** The scope of its callers; undefined where everybody may call it. */
  get scope(): string | undefined {
    return this.shape.security?.find(({ oauth }) => oauth !== undefined)?.oauth?.[0];
  }

  /** What is wrong with a request's body. */
  faultsOfRequest(type: string, body: unknown): readonly string[] {
    return this.#faults(this.shape.requestBody, type, body);
  }

  /** What is wrong with an answer's body. */
  faultsOfAnswer(status: string, type: string, body: unknown): readonly string[] {
    return this.#faults(this.shape.responses[status], type, body);
  }

  #faults(described: Content | undefined, type: string, body: unknown): readonly string[] {
    const { content } = this.#resolve(described) as Content;
    const media = content?.[type];
    if (media === undefined) return [`${type} is not described`];
    const { schema = {} } = this.#resolve(media) as { schema?: object };
    const { contentSchema } = schema as { contentSchema?: object };
    const validate = this.#validators.compile(contentSchema ?? schema);
    const faultsOf = (value: unknown): readonly string[] =>
      validate(value) ? [] : describeFaults(validate.errors);
    // NDJSON: the schema of the content is that of each line.
    if (contentSchema === undefined || type !== 'application/x-ndjson') return faultsOf(body);
    const lines = String(body).split('\n');
    return lines.filter((line) => line !== '').flatMap((line) => faultsOf(JSON.parse(line)));
  }

  /** Follows a reference within the document. */
  #resolve(part: unknown): Part {
    const reference = (part as { $ref?: string } | undefined)?.$ref;
    if (reference === undefined) return (part ?? {}) as Part;
    const names = reference.slice('#/'.length).split('/');
    return names.reduce<unknown>((found, name) => (found as Part)[name], this.#document) as Part;
  }
}

const describeFaults = (errors: readonly ErrorObject[] | null | undefined): readonly string[] =>
  (errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath} ${message} ${JSON.stringify(params)}`;
  });

/** Operations of administrators that have the id of a partner's: their examples are others. */
const ADMIN_WEBHOOKS = '/admin/channels/{channelLink}/webhooks';

/** Every operation that the service describes, by the name of the file of its examples. */
export const readOperations = async (api: Api): Promise<ReadonlyMap<string, Operation>> => {
  const found = new Map<string, Operation>();
  for (const address of ['/openapi.json', '/openapi-admin.json']) {
    const { body } = await api.call(address);
    const validators = new Validators(body);
    for (const path of Object.keys(body.paths))
      for (const method of Object.keys(body.paths[path])) {
        const operation = new Operation(body, validators, path, method);
        const { operationId } = operation.shape;
        found.set(
          path.startsWith(ADMIN_WEBHOOKS) ? `${operationId}.admin` : operationId,
          operation,
        );
      }
  }
  return found;
};
