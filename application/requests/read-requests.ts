import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Deliveries, TestOutcome } from '../webhooks/deliveries.ts';
import type { AnsweredRequest, AnsweredRequests } from './answered-requests.ts';
import {
  type Proof,
  READINESS_STEPS,
  type Readiness,
  type ReadinessRecords,
  type ReadinessStep,
} from './readiness.ts';

/** Answers that are shown of one id. */
export const MAX_SHOWN_ANSWERS = 100;

/** The newest tests of webhooks that readiness looks at. */
const TESTS_LOOKED_AT = 100;

/** Lines of products whose endpoints take a card, which may be declined. */
const LINES_WITH_CARDS: ReadonlySet<string> = new Set(['artist', 'mobile_phone']);

/** A step, and the request that shows that it is done. */
export interface ShownStep {
  readonly step: ReadinessStep;
  readonly proof?: Proof;
}

export interface ReadRequests {
  /** The answers to the channel's requests with this id, the newest first. */
  find(channelLink: string, requestId: string): Promise<readonly AnsweredRequest[]>;
  /**
   * What the client has to show before it goes live: first to sell each granted product. A channel
   * without a product that takes cards has no declined payment to handle.
   */
  readiness(channelLink: string, clientId: string): Promise<readonly ShownStep[]>;
}

interface Needs {
  readonly answeredRequests: AnsweredRequests;
  readonly readinessRecords: ReadinessRecords;
  readonly catalogue: Catalogue;
  readonly deliveries: Deliveries;
}

export const makeReadRequests = (ports: Needs): ReadRequests => {
  const { answeredRequests, readinessRecords, catalogue, deliveries } = ports;

  const stepsOf = async (channelLink: string): Promise<readonly ReadinessStep[]> => {
    const { channels, products } = await catalogue.current();
    const granted = (channels.get(channelLink)?.grants ?? []).map(({ productCode }) => productCode);
    const takesCards = products.some(
      ({ code, line }) => granted.includes(code) && LINES_WITH_CARDS.has(line),
    );
    return [
      ...granted.map((code) => `sell_${code}` as const),
      ...READINESS_STEPS.filter((step) => step !== 'handle_decline' || takesCards),
    ];
  };

  return {
    find: (channelLink, requestId) =>
      answeredRequests.find(channelLink, requestId, MAX_SHOWN_ANSWERS),

    readiness: async (channelLink, clientId) => {
      const { proofs } = await readinessRecords.find(clientId);
      const tests = await deliveries.listTests(channelLink, TESTS_LOOKED_AT);
      const webhook = findVerified(tests);
      const known: Readiness['proofs'] = { ...proofs, ...(webhook && { webhook }) };
      return (await stepsOf(channelLink)).map((step) => ({
        step,
        ...(Object.hasOwn(known, step) && { proof: known[step] as Proof }),
      }));
    },
  };
};

/**
 * The refusal of a wrong signature by an endpoint that has taken a right one since: one that refuses
 * everything verifies nothing.
 *
 * @param tests the newest first
 */
const findVerified = (tests: readonly TestOutcome[]): Proof | undefined => {
  const refused = tests.find(
    ({ isWronglySigned, endpointId }, index) =>
      isWronglySigned &&
      tests
        .slice(0, index)
        .some((newer) => !newer.isWronglySigned && newer.endpointId === endpointId),
  );
  return refused && { requestId: refused.eventId, at: refused.at };
};
