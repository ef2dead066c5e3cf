import type { TObject, TSchema } from 'typebox';
import type { Instant } from '#domain';
import type { Scope } from '../../../../application/identity/clients.ts';
import type { Handler, ShapeError, ShowError } from './context.ts';

/** What answers a request: its path, who may call it, how its body is read, and its work. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to `{base_url}`, with `{parameters}` as in OpenAPI. */
  readonly path: string;
  /** Whether the path also works without `/api`. */
  readonly alsoAtRoot?: true;
  /** The scope that the caller must have; absent, the endpoint has no authentication. */
  readonly scope?: Scope;
  /** Whether a partner may also send its credentials, by HTTP Basic or in a JSON body. */
  readonly partnerCredentials?: true;
  readonly query?: TObject;
  readonly body?: TSchema;
  /**
   * How the body is read. By default as JSON, where the endpoint describes a body. `json`: although
   * none is described. `form`: as a `Form`, with repeated and empty fields. `itself`: by the handler.
   */
  readonly reads?: 'json' | 'form' | 'itself';
  /** Whether the body may also be a flat form without repeated fields (RFC 6749, section 3.2). */
  readonly form?: true;
  /** Since when the endpoint is deprecated, and when it ends. Its answers say both. */
  readonly deprecated?: { readonly since: Instant; readonly ends: Instant };
  /** Gives the errors of the endpoint another shape. */
  readonly shapeError?: ShapeError;
  /** Shows the errors of the endpoint to persons. */
  readonly showError?: ShowError;
  readonly handle: Handler;
}
