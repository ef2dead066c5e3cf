import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../../../application/identity/clients.ts';
import type { Step } from './context.ts';

interface RouteAnswer {
  readonly description: string;
  readonly schema?: TSchema;
  /** Whether it is also available as CSV. */
  readonly csv?: true;
}

/** An endpoint as data: its steps, and the schemas from which the OpenAPI document describes it. */
export interface Route {
  readonly method: 'get' | 'post' | 'put';
  /** Relative to `{base_url}`, with `{parameters}` as in OpenAPI. */
  readonly path: string;
  /** Whether the path also works without `/api`. */
  readonly alsoAtRoot?: true;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** The scope that the caller must have; absent, the route has no authentication. */
  readonly scope?: Scope;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Whether the body may also be a form. */
  readonly form?: true;
  /** Whether the client may authenticate by HTTP Basic. */
  readonly basic?: true;
  /** Whether a partner may also send its credentials, by HTTP Basic or in the body. */
  readonly partnerCredentials?: true;
  /** Whether the route reads `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Whether a 200 may repeat the answer to an earlier request with the same id in its body. */
  readonly replays?: true;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  readonly steps: readonly Step[];
}

/** The fields that all administrative routes share. */
export const ADMIN_ROUTE = { tag: 'Administração', scope: 'admin' } as const;
