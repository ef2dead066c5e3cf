import { makeNoteAlerts } from '../../application/alerts/note-alerts.ts';
import { makeNoteProviderCalls } from '../../application/providers/note-provider-calls.ts';
import {
  makeGateway,
  makeInsurer,
  makeObserveCall,
  type ObserveCall,
} from '../../application/providers/observe-providers.ts';
import { all, Group, manyParts } from './part.ts';
import { alertRecords, clock, currentRequestId, issuer, payments, providerCalls } from './ports.ts';

const { made, module } = new Group();

export const noteAlerts = made(makeNoteAlerts, { alertRecords, clock, currentRequestId });
export const noteProviderCalls = made(makeNoteProviderCalls, {
  ...{ providerCalls, clock, currentRequestId },
});

/** What observes the calls of gateway and insurer besides: traces and metrics. */
export const callObservers = manyParts<ObserveCall>('callObservers');

const observeCall = made(makeObserveCall, { observers: all(callObservers), noteProviderCalls });
export const gateway = made(makeGateway, { payments, observeCall });
export const insurer = made(makeInsurer, { issuer, observeCall });

export { module as observedModule };
