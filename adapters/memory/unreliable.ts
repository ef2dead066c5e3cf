import type { Issuer, IssuerAnswer, IssuerStep } from '../../application/issuance/issuer.ts';
import type { GatewayAnswer, Payments } from '../../application/payments/payments.ts';

/** `lost`: it is done, and the answer gets lost. `unheard`: it is not done, and nobody can know. `unreached`: it was not asked. */
type Mishap = 'lost' | 'unheard' | 'unreached';

/** Mishaps in the order in which they are to happen; then all is well. */
class Mishaps {
  readonly #ahead: (Mishap | undefined)[] = [];
  /** Mishaps that go on until they are ended. */
  always: Mishap | undefined;

  /** What is to become of the next questions; undefined: nothing bad. */
  next(...mishaps: readonly (Mishap | undefined)[]): void {
    this.#ahead.push(...mishaps);
  }

  async happen<Answer>(ask: () => Promise<Answer>): Promise<Answer | 'unknown' | 'unreached'> {
    const mishap = this.#ahead.length > 0 ? this.#ahead.shift() : this.always;
    if (mishap === 'unreached') return 'unreached';
    if (mishap === 'unheard') return 'unknown';
    const answer = await ask();
    return mishap === 'lost' ? 'unknown' : answer;
  }
}

/** A gateway that fails as it is told. */
export class UnreliablePayments implements Payments {
  readonly #payments: Payments;
  readonly mishaps = new Mishaps();

  constructor(payments: Payments) {
    this.#payments = payments;
  }

  get name(): string {
    return this.#payments.name;
  }

  charge(order: Parameters<Payments['charge']>[0]): Promise<GatewayAnswer> {
    return this.mishaps.happen(() => this.#payments.charge(order));
  }

  find(reference: string, chargeId?: string): Promise<GatewayAnswer> {
    return this.mishaps.happen(() => this.#payments.find(reference, chargeId));
  }

  withdraw(reference: string, chargeId: string): Promise<GatewayAnswer> {
    return this.mishaps.happen(() => this.#payments.withdraw(reference, chargeId));
  }

  refund(order: Parameters<Payments['refund']>[0]): Promise<GatewayAnswer> {
    return this.mishaps.happen(() => this.#payments.refund(order));
  }

  trace(chargeId: string): ReturnType<Payments['trace']> {
    return this.#payments.trace(chargeId);
  }
}

/** An insurer that fails as it is told. */
export class UnreliableIssuer implements Issuer {
  readonly #issuer: Issuer;
  readonly mishaps = new Mishaps();

  constructor(issuer: Issuer) {
    this.#issuer = issuer;
  }

  get name(): string {
    return this.#issuer.name;
  }

  perform(step: IssuerStep, order: Parameters<Issuer['perform']>[1]): Promise<IssuerAnswer> {
    return this.mishaps.happen(() => this.#issuer.perform(step, order));
  }

  find(reference: string, within?: number): Promise<IssuerAnswer> {
    return this.mishaps.happen(() => this.#issuer.find(reference, within));
  }
}
