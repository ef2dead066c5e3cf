import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../../../application/identity/clients.ts';
import type { Handler, ShapeError, Step } from './context.ts';
import { readJsonBody, readPublicJson, readPublicJsonOrForm } from './request-body.ts';

/** The groups of operations in the OpenAPI documents. */
export type Tag =
  | 'Autenticação'
  | 'Venda'
  | 'Ingresso Protegido'
  | 'Artista Protegido'
  | 'Seguro Celular'
  | 'Livros'
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

/** What is done with a request once its caller is known. */
type Work =
  | { readonly steps: readonly Step[] }
  /**
   * Reads the body if the route describes one, and answers. Plain requests are answered by the
   * compiled execution (`compiled.ts`), all others by Koa.
   */
  | { readonly handle: Handler };

/** An endpoint as data: its work, and the schemas from which the OpenAPI document describes it. */
export type Route = RouteShape & Work;

interface RouteShape {
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
}

/** The steps of a route, for Koa. */
export const stepsOf = (route: Route): readonly Step[] => {
  if ('steps' in route) return route.steps;
  return [...readingSteps(route), route.handle as unknown as Step];
};

const readingSteps = ({ body, scope, form }: Route): readonly Step[] => {
  if (body === undefined) return [];
  if (scope !== undefined) return [readJsonBody];
  return form ? readPublicJsonOrForm : readPublicJson;
};

/** The fields that all administrative routes share. */
export const ADMIN_ROUTE = { tag: 'Administração', scope: 'admin' } as const;
