import type { Issuer, IssuerAnswer, IssuerStep } from '../../application/issuance/issuer.ts';
import type {
  GatewayAnswer,
  ListedCharge,
  ListedDays,
  Payments,
} from '../../application/payments/payments.ts';
import { GatewayUnavailable } from '../../application/unavailable.ts';

/**
 * A failure of a provider. `lost`: the provider does what it was asked, and its answer is lost.
 * `unheard`: it does nothing, and the caller cannot know. `unreached`: it was certainly not asked.
 */
type Mishap = 'lost' | 'unheard' | 'unreached';

/** The failures of a provider, in their order; after them its answers arrive. */
class Mishaps {
  readonly #ahead: (Mishap | undefined)[] = [];
  /** Happens at each request, after those of `next`. */
  always: Mishap | undefined;

  /** What happens at the next requests; undefined: the answer arrives. */
  next(...mishaps: readonly (Mishap | undefined)[]): void {
    this.#ahead.push(...mishaps);
  }

  /** Whether a failure is still to happen. */
  get isAhead(): boolean {
    return this.#ahead.length > 0;
  }

  async happen<Answer>(ask: () => Promise<Answer>): Promise<Answer | 'unknown' | 'unreached'> {
    const mishap = this.#ahead.length > 0 ? this.#ahead.shift() : this.always;
    if (mishap === 'unreached') return 'unreached';
    if (mishap === 'unheard') return 'unknown';
    const answer = await ask();
    return mishap === 'lost' ? 'unknown' : answer;
  }
}

/** A gateway that fails at a test's request. */
export class UnreliablePayments implements Payments {
  readonly #payments: Payments;
  readonly mishaps = new Mishaps();

  constructor(payments: Payments) {
    this.#payments = payments;
  }

  get name(): string {
    return this.#payments.name;
  }

  get authorizesUpTo(): number {
    return this.#payments.authorizesUpTo ?? 0;
  }

  capture(reference: string, chargeId: string): Promise<GatewayAnswer> {
    return this.mishaps.happen(() => this.#payments.capture(reference, chargeId));
  }

  charge(order: Parameters<Payments['charge']>[0]): ReturnType<Payments['charge']> {
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

  /** Ends in the middle if the first request or the last one fails. */
  async *listCharges(days: ListedDays): AsyncIterable<ListedCharge> {
    for (const part of ['first', 'last']) {
      const answer = await this.mishaps.happen(async () => 'list' as const);
      if (answer !== 'list')
        throw new GatewayUnavailable(`the gateway did not list its charges: ${answer}`);
      if (part === 'first') yield* this.#payments.listCharges(days);
    }
  }
}

/** An insurer that fails at a test's request. */
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
