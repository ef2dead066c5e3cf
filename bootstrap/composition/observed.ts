import { makeAlertNotes } from '../../application/alerts/alert-notes.ts';
import {
  makeGateway,
  makeInsurer,
  makeObserveCall,
  type ObserveCall,
} from '../../application/providers/observe-providers.ts';
import { makeProviderCallNotes } from '../../application/providers/provider-call-notes.ts';
import { all, Group, part } from './part.ts';
import { alertRecords, clock, currentRequestId, issuer, payments, providerCalls } from './ports.ts';

const { made, module } = new Group();

export const alertNotes = made(makeAlertNotes, { alertRecords, clock, currentRequestId });
export const providerCallNotes = made(makeProviderCallNotes, {
  ...{ providerCalls, clock, currentRequestId },
});

/** What observes the calls of gateway and insurer besides: traces and metrics. */
export const callObservers = part<ObserveCall>('callObservers');

const observeCall = made(makeObserveCall, { observers: all(callObservers), providerCallNotes });
export const gateway = made(makeGateway, { payments, observeCall });
export const insurer = made(makeInsurer, { issuer, observeCall });

export { module as observedModule };
