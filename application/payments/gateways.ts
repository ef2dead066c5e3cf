import type { Channel, Sale } from '#domain';
import { GatewayUnavailable } from '../unavailable.ts';
import type { Payments } from './payments.ts';

/** The payment gateways whose settings the service has. */
export interface Gateways {
  readonly names: readonly string[];
  /** The default of new charges. */
  readonly standard: Payments;
  /** Undefined: the service has no settings of it. */
  find(name: string): Payments | undefined;
  /** The gateway of new charges of a channel: its own, or the default. */
  ofChannel(channel: Pick<Channel, 'gateway'> | undefined): Payments;
  /** The gateway that charges, or has charged, a sale. Without settings, it answers `unreached`. */
  of(sale: Pick<Sale, 'payment'>): Payments;
}

interface Needs {
  /** In any order. */
  readonly live: readonly Payments[];
  readonly defaultGateway: string;
}

export const makeGateways = ({ live, defaultGateway }: Needs): Gateways => {
  const byName = new Map(live.map((each) => [each.name, each]));
  const named = (name = defaultGateway): Payments => byName.get(name) ?? withoutSettings(name);
  return {
    names: [...byName.keys()],
    standard: named(),
    find: (name) => byName.get(name),
    ofChannel: (channel) => named(channel?.gateway),
    of: ({ payment }) => named(payment.gateway),
  };
};

/** A gateway that is never reached: what it should do waits until its settings are back. */
const withoutSettings = (name: string): Payments => {
  const notReached = async () => 'unreached' as const;
  return {
    name,
    charge: notReached,
    capture: notReached,
    find: notReached,
    withdraw: notReached,
    refund: notReached,
    trace: async () => 'unknown',
    // biome-ignore lint/correctness/useYield: there is nothing to list
    async *listCharges() {
      throw new GatewayUnavailable(`the gateway ${name} has no settings`);
    },
  };
};
