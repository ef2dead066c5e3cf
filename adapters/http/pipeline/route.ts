import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../../../application/identity/clients.ts';
import type { Step } from './context.ts';

interface RouteAnswer {
  readonly description: string;
  readonly schema?: TSchema;
  /** Whether it comes as a table as well. */
  readonly csv?: true;
}

/** An endpoint: what it does, step by step, and what the OpenAPI document says of it, from the same schemas. */
export interface Route {
  readonly method: 'get' | 'post' | 'put';
  /** Below `{base_url}`, with `{parameters}` as OpenAPI writes them. */
  readonly path: string;
  /** Whether it is found without `/api` as well. */
  readonly alsoAtRoot?: true;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** The scope that a bearer token must have; absent: no bearer. */
  readonly scope?: Scope;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Whether the body may also be a form. */
  readonly form?: true;
  /** Whether the client may authenticate by HTTP Basic. */
  readonly basic?: true;
  /** Whether a partner may prove who it is by its credentials as well: by HTTP Basic, or in the body. */
  readonly partnerCredentials?: true;
  readonly idempotent?: true;
  /** Whether a 200 may be the answer to an earlier request, under a name that the body gives it. */
  readonly replays?: true;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  readonly steps: readonly Step[];
}
