/**
 * A store or provider is out of reach. The operation took effect completely or not at all; a retry
 * may succeed.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** The payment gateway does not answer, or answers nonsense. */
export class GatewayUnavailable extends Unavailable {}
