import type { PaymentReport } from '#domain';
import { type Issuer, type IssuerAnswer, type IssuerStep, isReport } from '../issuance/issuer.ts';
import { type ChargeAnswer, hasReports, type Payments, saleIdOf } from '../payments/payments.ts';

/** What a payment gateway or an insurer is asked. */
export type ProviderQuestion =
  | 'charge'
  | 'capture'
  | 'find_charges'
  | 'withdraw_charge'
  | 'refund'
  | 'trace_charge'
  | 'find_papers'
  | IssuerStep;

/** A question to a provider. */
export interface ProviderCall {
  /** The provider's name: `asaas`, `sandbox`, `local`, … */
  readonly provider: string;
  readonly question: ProviderQuestion;
  /** Absent where the question names a charge only. */
  readonly saleId?: number | undefined;
}

/** What a provider answered. Holds no personal data. */
export interface ProviderOutcome {
  /** `answered`, or why there is no answer. */
  readonly kind: 'answered' | 'unknown' | 'failed' | 'unreached';
  /** What was reported, in words: `approved 15031`, `policy active`, `nothing`. Amounts in cents. */
  readonly words: string;
}

/** Asks, and observes how it ends: for metrics, traces and the records of a sale that is stuck. */
export type ObserveCall = <Answer>(
  call: ProviderCall,
  ask: () => Promise<Answer>,
  outcomeOf: (answer: Answer) => ProviderOutcome,
) => Promise<Answer>;

interface Observers {
  /** The first is the outermost. */
  readonly observers: readonly ObserveCall[];
  /** The innermost. */
  readonly providerCallNotes: { readonly observe: ObserveCall };
}

/** All observers as one. */
export const makeObserveCall = ({ observers, providerCallNotes }: Observers): ObserveCall =>
  [...observers, providerCallNotes.observe].reduceRight<ObserveCall>(
    (inner, outer) => (call, ask, outcomeOf) =>
      outer(call, () => inner(call, ask, outcomeOf), outcomeOf),
    (_, ask) => ask(),
  );

interface Observing {
  readonly observeCall: ObserveCall;
}

const NO_ANSWER: Readonly<Record<'unknown' | 'failed' | 'unreached', ProviderOutcome>> = {
  unknown: { kind: 'unknown', words: 'no answer' },
  failed: { kind: 'failed', words: 'its own failure' },
  unreached: { kind: 'unreached', words: 'not reached' },
};

const wordsOfCharge = (report: PaymentReport): string => {
  const { status, amount } = report;
  if (status === 'returned' || status === 'undone') {
    const { returned, ordered = returned } = report;
    return `${status} ${returned}${ordered > returned ? `, ordered ${ordered}` : ''}`;
  }
  const dispute = status === 'approved' && report.dispute;
  const isAuthorized = status === 'unknown' && report.isAuthorized;
  return `${isAuthorized ? 'authorized' : status} ${amount}${dispute ? `, dispute ${dispute.status}` : ''}`;
};

const outcomeOfGateway = (answer: ChargeAnswer): ProviderOutcome => {
  if (typeof answer === 'string') return NO_ANSWER[answer];
  const reports = hasReports(answer) ? answer : answer.unnamed;
  return { kind: 'answered', words: reports.map(wordsOfCharge).join(', ') || 'nothing' };
};

const outcomeOfTrace = (answer: string | undefined): ProviderOutcome =>
  answer === 'unknown'
    ? NO_ANSWER.unknown
    : { kind: 'answered', words: answer === undefined ? 'nothing' : 'a charge' };

const outcomeOfInsurer = (answer: IssuerAnswer): ProviderOutcome => {
  if (answer === 'nothing') return { kind: 'answered', words: answer };
  if (!isReport(answer)) return NO_ANSWER[answer];
  const documents = Object.entries({
    quotation: answer.quotation?.status,
    proposal: answer.proposal?.status,
    policy: answer.policy?.status,
  });
  const shown = documents.flatMap(([document, status]) =>
    status ? [`${document} ${status}`] : [],
  );
  return { kind: 'answered', words: shown.join(', ') || 'nothing' };
};

/** The gateway as the use-cases ask it: each call is observed. */
export const makeGateway = ({
  payments,
  observeCall: observe,
}: Observing & { readonly payments: Payments }): Payments => {
  const { name, cardNeeds, authorizesUpTo } = payments;
  const ask = <Answer extends ChargeAnswer>(
    question: ProviderQuestion,
    reference: string,
    work: () => Promise<Answer>,
  ): Promise<Answer> =>
    observe({ provider: name, question, saleId: saleIdOf(reference) }, work, outcomeOfGateway);

  return {
    name,
    ...(cardNeeds !== undefined && { cardNeeds }),
    ...(authorizesUpTo !== undefined && { authorizesUpTo }),
    charge: (order) => ask('charge', order.reference, () => payments.charge(order)),
    capture: (reference, chargeId) =>
      ask('capture', reference, () => payments.capture(reference, chargeId)),
    find: (reference, chargeId) =>
      ask('find_charges', reference, () => payments.find(reference, chargeId)),
    withdraw: (reference, chargeId) =>
      ask('withdraw_charge', reference, () => payments.withdraw(reference, chargeId)),
    refund: (order) => ask('refund', order.reference, () => payments.refund(order)),
    trace: (chargeId) =>
      observe(
        { provider: name, question: 'trace_charge' },
        () => payments.trace(chargeId),
        outcomeOfTrace,
      ),
    listCharges: (days) => payments.listCharges(days),
  };
};

/** The insurer as the use-cases ask it: each call is observed. */
export const makeInsurer = ({
  issuer,
  observeCall: observe,
}: Observing & { readonly issuer: Issuer }): Issuer => {
  const { name } = issuer;
  const ask = (
    question: ProviderQuestion,
    reference: string,
    work: () => Promise<IssuerAnswer>,
  ): Promise<IssuerAnswer> =>
    observe({ provider: name, question, saleId: saleIdOf(reference) }, work, outcomeOfInsurer);

  return {
    name,
    perform: (step, order) => ask(step, order.reference, () => issuer.perform(step, order)),
    find: (reference, within) =>
      ask('find_papers', reference, () => issuer.find(reference, within)),
  };
};
