import { toReais } from '#domain';
import type {
  IssuanceOrder,
  Issuer,
  IssuerAnswer,
  IssuerStep,
} from '../../application/issuance/issuer.ts';
import { readDossier } from './dossier.ts';

/**
 * A reply of the insurer. `unknown`: the insurer may have processed the request. `failed`: it did
 * and reported an error (HTTP 500). `unreached`: it did not receive the request.
 */
type Reply =
  | { readonly status: number; readonly body: unknown }
  | 'unknown'
  | 'failed'
  | 'unreached';

/** Sends a request to the insurer. `repeatable`: sending it twice has no further effect. */
type AskInsurer = (question: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly repeatable: boolean;
}) => Promise<Reply>;

/** Max time of a request to the insurer, in ms. */
const TIMEOUT_MS = 5_000;

/** The path to which each step is posted. */
const STEP_PATHS: Readonly<Record<IssuerStep, string>> = {
  quote: '/quotations',
  propose: '/proposals',
  issue: '/policies',
  withdraw: '/cancellations',
};

/**
 * An insurer with a REST API.
 *
 * A step is a POST with an `Idempotency-Key` that names sale and step. The insurer answers a step,
 * and `GET /dossiers/{reference}`, with all documents of the sale. A 404 with a JSON body means that
 * it has no documents. README.md in this folder describes the protocol.
 */
export class HttpIssuer implements Issuer {
  readonly name = 'http';
  readonly #ask: AskInsurer;

  constructor(ask: AskInsurer) {
    this.#ask = ask;
  }

  async perform(step: IssuerStep, order: IssuanceOrder): Promise<IssuerAnswer> {
    const { reference } = order;
    const reply = await this.#ask({
      method: 'POST',
      path: STEP_PATHS[step],
      body: buildOrder(order),
      headers: { 'Idempotency-Key': `${reference}:${step}` },
      timeoutMs: TIMEOUT_MS,
      repeatable: true,
    });
    // An offer that the insurer finds invalid is rejected. After the payment it is an unknown
    // answer instead, so that a person looks at the sale.
    const isOffer = step === 'quote' || step === 'propose';
    if (typeof reply === 'object' && isOffer && (reply.status === 400 || reply.status === 422)) {
      return { quotation: { status: 'rejected', reason: `HTTP ${reply.status}` } };
    }
    return readReply(reply, reference);
  }

  async find(reference: string, timeoutMs: number = TIMEOUT_MS): Promise<IssuerAnswer> {
    const reply = await this.#ask({
      method: 'GET',
      path: `/dossiers/${encodeURIComponent(reference)}`,
      timeoutMs,
      // A caller that waits less than the default has no time for a second attempt.
      repeatable: timeoutMs === TIMEOUT_MS,
    });
    return readReply(reply, reference);
  }
}

const readReply = (reply: Reply, reference: string): IssuerAnswer => {
  if (typeof reply === 'string') return reply === 'unreached' ? reply : 'unknown';
  // A 404 without JSON may come from a proxy, which does not know the insurer's documents.
  if (reply.status === 404) return reply.body === undefined ? 'unknown' : 'nothing';
  const isSuccess = reply.status >= 200 && reply.status < 300;
  return (isSuccess ? readDossier(reply.body, reference) : undefined) ?? 'unknown';
};

/** Builds the body of a step: the data of the sale that an insurer needs. */
const buildOrder = ({ reference, terms, issuance, paidOn, on }: IssuanceOrder): object => {
  const { net, iof, total } = terms.quote.premium;
  const { number: quotationNumber } = (issuance?.quotation ?? {}) as { number?: string };
  return {
    reference,
    date: on,
    soldOn: terms.soldOn,
    ...(paidOn !== undefined && { paidOn }),
    ...(quotationNumber !== undefined && { quotationNumber }),
    ...(issuance?.proposal && { proposalNumber: issuance.proposal.number }),
    product: terms.product.code,
    plan: terms.plan.code,
    coverages: terms.coverages.map(({ code }) => code),
    insured: terms.insured,
    additionalInsured: terms.additionalInsured ?? [],
    insuredObject: terms.insuredObject,
    ...(terms.insuredAmount !== undefined && { insuredAmount: toReais(terms.insuredAmount) }),
    premium: { net: toReais(net), iof: toReais(iof), total: toReais(total) },
    coverage: { startDate: terms.period.start, endDate: terms.period.end },
  };
};
