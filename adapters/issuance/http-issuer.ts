import { reais } from '#domain';
import type {
  IssuanceOrder,
  Issuer,
  IssuerAnswer,
  IssuerStep,
} from '../../application/issuance/issuer.ts';
import { readDossier } from './dossier.ts';

type Reply =
  | { readonly status: number; readonly body: unknown }
  | 'unknown'
  | 'failed'
  | 'unreached';

/** Asks the insurer over HTTP. */
type Ask = (question: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly within: number;
  readonly repeatable: boolean;
}) => Promise<Reply>;

/** Milliseconds that an insurer may take for a step. */
const PATIENCE = 5_000;

/** Where a step is ordered. */
const PATHS: Readonly<Record<IssuerStep, string>> = {
  quote: '/quotations',
  propose: '/proposals',
  issue: '/policies',
  withdraw: '/cancellations',
};

/**
 * An insurer's REST API. A step is ordered by a POST under an `Idempotency-Key` that names sale and step, and answered with
 * all papers of the sale, as is `GET /dossiers/{reference}`; 404 says that there are none.
 */
export class HttpIssuer implements Issuer {
  readonly name = 'http';
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async perform(step: IssuerStep, order: IssuanceOrder): Promise<IssuerAnswer> {
    const { reference } = order;
    const headers = { 'Idempotency-Key': `${reference}:${step}` };
    const question = {
      method: 'POST',
      path: PATHS[step],
      body: orderBody(order),
      headers,
      within: PATIENCE,
      repeatable: true,
    } as const;
    const reply = await this.#ask(question);
    const isOffer = step === 'quote' || step === 'propose';
    // What the insurer will not even read, it will not insure; once somebody has paid, a person has to look.
    if (typeof reply === 'object' && isOffer && (reply.status === 400 || reply.status === 422)) {
      return { quotation: { status: 'rejected', reason: `HTTP ${reply.status}` } };
    }
    return answerTo(reply, reference);
  }

  async find(reference: string, within: number = PATIENCE): Promise<IssuerAnswer> {
    const path = `/dossiers/${encodeURIComponent(reference)}`;
    return answerTo(
      await this.#ask({ method: 'GET', path, within, repeatable: within === PATIENCE }),
      reference,
    );
  }
}

const answerTo = (reply: Reply, reference: string): IssuerAnswer => {
  if (typeof reply === 'string') return reply === 'unreached' ? reply : 'unknown';
  // Whoever says so in JSON has looked; another 404 may be of something in between.
  if (reply.status === 404) return reply.body === undefined ? 'unknown' : 'nothing';
  const isAnswer = reply.status >= 200 && reply.status < 300;
  return (isAnswer ? readDossier(reply.body, reference) : undefined) ?? 'unknown';
};

/** What the insurer has to know of a sale. */
const orderBody = ({ reference, terms, issuance, paidOn, on }: IssuanceOrder): object => {
  const {
    product,
    plan,
    coverages,
    insured,
    additionalInsured = [],
    insuredObject,
    insuredAmount,
    quote,
    period,
    soldOn,
  } = terms;
  const { net, iof, total } = quote.premium;
  const { number: quotationNumber } = (issuance?.quotation ?? {}) as { number?: string };
  return {
    reference,
    ...{ date: on, soldOn, ...(paidOn !== undefined && { paidOn }) },
    ...(quotationNumber !== undefined && { quotationNumber }),
    ...(issuance?.proposal && { proposalNumber: issuance.proposal.number }),
    product: product.code,
    plan: plan.code,
    coverages: coverages.map(({ code }) => code),
    ...{ insured, additionalInsured, insuredObject },
    ...(insuredAmount !== undefined && { insuredAmount: reais(insuredAmount) }),
    premium: { net: reais(net), iof: reais(iof), total: reais(total) },
    coverage: { startDate: period.start, endDate: period.end },
  };
};
