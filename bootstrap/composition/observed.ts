import { makeAlertNotes } from '../../application/alerts/alert-notes.ts';
import { type Gateways, makeGateways } from '../../application/payments/gateways.ts';
import {
  makeGateway,
  makeInsurer,
  makeObserveCall,
  type ObserveCall,
} from '../../application/providers/observe-providers.ts';
import { makeProviderCallNotes } from '../../application/providers/provider-call-notes.ts';
import { all, Group, part } from './part.ts';
import {
  alertRecords,
  clock,
  currentRequestId,
  defaultGateway,
  issuer,
  payments,
  providerCalls,
} from './ports.ts';

const { made, built, module } = new Group();

export const alertNotes = made(makeAlertNotes, { alertRecords, clock, currentRequestId });
export const providerCallNotes = made(makeProviderCallNotes, {
  ...{ providerCalls, clock, currentRequestId },
});

/** What observes the calls of gateway and insurer besides: traces and metrics. */
export const callObservers = part<ObserveCall>('callObservers');

const observeCall = made(makeObserveCall, { observers: all(callObservers), providerCallNotes });
export const gateways = built(
  part<Gateways>('gateways'),
  { payments: all(payments), observeCall, defaultGateway },
  (given) => {
    const live = given.payments.map((each) => makeGateway({ ...given, payments: each }));
    return makeGateways({ live, defaultGateway: given.defaultGateway });
  },
);
export const insurer = made(makeInsurer, { issuer, observeCall });

export { module as observedModule };
