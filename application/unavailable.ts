/**
 * A store or provider is out of reach. The operation took effect completely or not at all; a retry
 * may succeed.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** The store cannot hold these data, whatever the number of tries. The operation had no effect. */
export class Unstorable extends Error {
  override readonly name = 'Unstorable';
}

/** The payment gateway does not answer, or answers nonsense. */
export class GatewayUnavailable extends Unavailable {}
