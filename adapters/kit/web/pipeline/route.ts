import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../../../../application/identity/clients.ts';
import type { Handler, ShapeError } from './context.ts';

/** The groups of operations in the OpenAPI documents. */
export type Tag =
  | 'Autenticação'
  | 'Venda'
  | 'Ingresso Protegido'
  | 'Artista Protegido'
  | 'Seguro Celular'
  | 'Conciliação'
  | 'Eventos'
  | 'Webhooks'
  | 'Integração'
  | 'Administração'
  | 'Avisos';

export interface RouteAnswer {
  /** The name under which the OpenAPI document describes it once, if several routes give it. */
  readonly name?: string;
  readonly description: string;
  readonly schema?: TSchema;
  /** Whether it is NDJSON: the schema is that of each line. */
  readonly lines?: true;
  /** The media types of files in which it is also available. */
  readonly files?: readonly string[];
}

/** An endpoint as data: its work, and the schemas from which the OpenAPI document describes it. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to `{base_url}`, with `{parameters}` as in OpenAPI. */
  readonly path: string;
  /** Whether the path also works without `/api`. */
  readonly alsoAtRoot?: true;
  /** The name of the operation in the OpenAPI document and in clients made from it. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** The scope that the caller must have; absent, the route has no authentication. */
  readonly scope?: Scope;
  readonly query?: TObject;
  readonly body?: TSchema;
  /**
   * How the body is read. By default as JSON, where the route describes a body. `json`: although none
   * is described. `itself`: by the handler.
   */
  readonly reads?: 'json' | 'itself';
  /** The schema of each record, if the body is a list as NDJSON or CSV. */
  readonly lines?: TSchema;
  /** Whether the body may also be a form. */
  readonly form?: true;
  /** Whether the client may authenticate by HTTP Basic. */
  readonly basic?: true;
  /** Whether a partner may also send its credentials, by HTTP Basic or in a JSON body. */
  readonly partnerCredentials?: true;
  /** Whether the route reads `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Whether a 200 may lack what was stored last, and says so. */
  readonly tellsAsOf?: true;
  /** Whether a 200 may repeat the answer to an earlier request with the same id in its body. */
  readonly replays?: true;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Gives the errors of the route another shape. */
  readonly shapeError?: ShapeError;
  readonly handle: Handler;
}

/** The fields that all administrative routes share. */
export const ADMIN_ROUTE = { tag: 'Administração', scope: 'admin' } as const;
