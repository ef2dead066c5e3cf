import { type ErrorCode, type FieldCode, NEXT_STEPS, type NextStep } from './error-codes.ts';

/** A field whose value differs between two requests of one name. Personal data is masked. */
export interface Difference {
  readonly path: string;
  readonly stored: unknown;
  readonly received: unknown;
}

export interface InsuranceErrorDetails {
  readonly code: ErrorCode;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** A sentence for people: the service's, in Portuguese, or this client's. */
  readonly text: string;
  readonly requestId: string;
  readonly rawCode?: string | undefined;
  readonly fields?: Readonly<Record<string, readonly FieldCode[]>>;
  readonly messages?: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterMs?: number | undefined;
  readonly transactionId?: number | undefined;
  readonly differences?: readonly Difference[];
  readonly refundTotal?: number | undefined;
  readonly cause?: unknown;
  readonly externalSaleId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly attempts?: number;
  /** Default: what the code says. */
  readonly next?: NextStep;
}

/** The API refused a request, or gave no usable answer. Of the request it holds only the sale's names. */
export class InsuranceError extends Error {
  override readonly name = 'InsuranceError';
  readonly code: ErrorCode;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** What to do now. */
  readonly next: NextStep;
  /** The sentence of the service, in Portuguese, or one of this client. */
  readonly text: string;
  /** Names the request in the logs of the service and in `getRequest`. */
  readonly requestId: string;
  /** The code as the service sent it, if `code` is `unknown_code`. */
  readonly rawCode: string | undefined;
  /** The codes of each faulty field, by its dotted path. Empty if no field is at fault. */
  readonly fields: Readonly<Record<string, readonly FieldCode[]>>;
  /** The messages of each faulty field, in Portuguese; empty where the answer has codes alone. */
  readonly messages: Readonly<Record<string, readonly string[]>>;
  /** How long the service asks to wait, ms. */
  readonly retryAfterMs: number | undefined;
  /** The sale that exists although the request was refused. */
  readonly transactionId: number | undefined;
  /** The differences from the first request of the name. */
  readonly differences: readonly Difference[];
  /** What would go back now, in reais, if the code is `refund_changed`. */
  readonly refundTotal: number | undefined;
  /** The name under which the sale may exist: repeat it with this name, or ask `getSale`. */
  readonly externalSaleId: string | undefined;
  /**
   * The key under which the sale may exist. Repeat the same call with it; `getSale` does not find
   * it.
   */
  readonly idempotencyKey: string | undefined;
  /** How many requests were sent. */
  readonly attempts: number;
  readonly #details: InsuranceErrorDetails;

  constructor(details: InsuranceErrorDetails) {
    const { code, status, text, requestId, cause } = details;
    super(`${text} (${code}, status ${status}, request ${requestId})`, { cause });
    this.code = code;
    this.status = status;
    this.next = details.next ?? NEXT_STEPS[code];
    this.text = text;
    this.requestId = requestId;
    this.rawCode = details.rawCode;
    this.fields = details.fields ?? {};
    this.messages = details.messages ?? {};
    this.retryAfterMs = details.retryAfterMs;
    this.transactionId = details.transactionId;
    this.differences = details.differences ?? [];
    this.refundTotal = details.refundTotal;
    this.externalSaleId = details.externalSaleId;
    this.idempotencyKey = details.idempotencyKey;
    this.attempts = details.attempts ?? 1;
    this.#details = details;
  }

  /** The same error, of a call. */
  ofCall(
    call: Pick<InsuranceErrorDetails, 'attempts' | 'externalSaleId' | 'idempotencyKey' | 'next'>,
  ): InsuranceError {
    return new InsuranceError({ ...this.#details, ...call });
  }
}

/** The codes of a sale that was made and refused. */
export type RefusedSaleCode =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'gateway_unavailable'
  | 'payment_refused'
  | 'proposal_refused';

/** What an error of a code certainly has. */
interface Certain {
  readonly content_conflict: { readonly transactionId: number };
  readonly refund_changed: { readonly refundTotal: number };
  readonly rate_limited: { readonly retryAfterMs: number };
  readonly still_running: { readonly retryAfterMs: number };
}

/** An `InsuranceError` of one of these codes, with what such an error certainly has. */
export type InsuranceErrorOf<Code extends ErrorCode> = Code extends ErrorCode
  ? InsuranceError & { readonly code: Code } & (Code extends RefusedSaleCode
        ? { readonly transactionId: number }
        : Code extends keyof Certain
          ? Certain[Code]
          : unknown)
  : never;

/** Whether something that was thrown is an error of the API with one of these codes. */
export const isCode = <Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is InsuranceErrorOf<Code> =>
  error instanceof InsuranceError && (codes as readonly ErrorCode[]).includes(error.code);
