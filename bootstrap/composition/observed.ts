import { makeNoteAlerts } from '../../application/alerts/note-alerts.ts';
import type { Issuer } from '../../application/issuance/issuer.ts';
import type { Payments } from '../../application/payments/payments.ts';
import { makeNoteProviderCalls } from '../../application/providers/note-provider-calls.ts';
import {
  type ObserveCall,
  observeByAll,
  observeIssuer,
  observePayments,
} from '../../application/providers/observe-providers.ts';
import type { NoteProviderCalls } from '../../application/providers/provider-calls.ts';
import { all, Group, manyParts } from './part.ts';
import { alertRecords, clock, currentRequestId, issuer, payments, providerCalls } from './ports.ts';

const { made, module } = new Group();

export const noteAlerts = made(makeNoteAlerts, { alertRecords, clock, currentRequestId });
export const noteProviderCalls = made(makeNoteProviderCalls, {
  ...{ providerCalls, clock, currentRequestId },
});

/** What observes the calls of gateway and insurer besides: traces and metrics. */
export const callObservers = manyParts<ObserveCall>('callObservers');

interface Observers {
  readonly observers: readonly ObserveCall[];
  readonly noteProviderCalls: NoteProviderCalls;
}

const makeObserveCall = ({ observers, noteProviderCalls: { observe } }: Observers): ObserveCall =>
  observeByAll([...observers, observe]);

const observeCall = made(makeObserveCall, { observers: all(callObservers), noteProviderCalls });

interface Observing {
  readonly observeCall: ObserveCall;
}

/** Gateway and insurer as the use-cases ask them, whichever they are: each call is observed. */
const makeGateway = (given: Observing & { readonly payments: Payments }): Payments =>
  observePayments(given.payments, given.observeCall);
const makeInsurer = (given: Observing & { readonly issuer: Issuer }): Issuer =>
  observeIssuer(given.issuer, given.observeCall);

export const gateway = made(makeGateway, { payments, observeCall });
export const insurer = made(makeInsurer, { issuer, observeCall });

export { module as observedModule };
