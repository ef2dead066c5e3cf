import type { TSchema } from 'typebox';
import type { Endpoint } from '../../kit/web/pipeline/endpoint.ts';

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

/** An endpoint of the API, with what the OpenAPI document says of it. */
export interface Route extends Endpoint {
  /** The name of the operation in the OpenAPI document and in clients made from it. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** The schema of each record, if the body is a list as NDJSON or CSV. */
  readonly lines?: TSchema;
  /** Whether the client may authenticate by HTTP Basic. */
  readonly basic?: true;
  /** Whether the route reads `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Whether a 200 may lack what was stored last, and says so. */
  readonly tellsAsOf?: true;
  /** Whether a 200 may repeat the answer to an earlier request with the same id in its body. */
  readonly replays?: true;
  /** Whether it is never handed over to a group of channels: all share what it is about. */
  readonly isShared?: true;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
}

/** The fields that all administrative routes share. */
export const ADMIN_ROUTE = { tag: 'Administração', scope: 'admin' } as const;
