import type { Ports } from '../ports.ts';
import type { TestOutcome } from '../webhooks/deliveries.ts';
import type { AnsweredRequest } from './answered-requests.ts';
import type { NoteRequests } from './note-requests.ts';
import { type Proof, READINESS_STEPS, type Readiness, type ReadinessStep } from './readiness.ts';

/** Answers that are shown of one id. */
export const MAX_SHOWN_ANSWERS = 100;

/** The newest tests of webhooks that readiness looks at. */
const TESTS_LOOKED_AT = 100;

/** A step, and the request that shows that it is done. */
export interface ShownStep {
  readonly step: ReadinessStep;
  readonly proof?: Proof;
}

export interface ReadRequests {
  /** The answers to the channel's requests with this id, the newest first. */
  find(channelLink: string, requestId: string): Promise<readonly AnsweredRequest[]>;
  /** What the client has to show before it goes live: first to sell each granted product. */
  readiness(channelLink: string, clientId: string): Promise<readonly ShownStep[]>;
}

type Needs = Pick<Ports, 'answeredRequests' | 'readinessRecords' | 'catalogue' | 'deliveries'> & {
  readonly noteRequests: NoteRequests;
};

export const makeReadRequests = (parts: Needs): ReadRequests => {
  const { answeredRequests, readinessRecords, catalogue, deliveries, noteRequests } = parts;
  return {
    find: async (channelLink, requestId) => {
      // The answer that the caller asks for may still wait in this process.
      await noteRequests.flush();
      return answeredRequests.find(channelLink, requestId, MAX_SHOWN_ANSWERS);
    },

    readiness: async (channelLink, clientId) => {
      await noteRequests.flush();
      const { proofs } = await readinessRecords.find(clientId);
      const tests = await deliveries.listTests(channelLink, TESTS_LOOKED_AT);
      const webhook = findVerified(tests);
      const known: Readiness['proofs'] = { ...proofs, ...(webhook && { webhook }) };
      const grants = (await catalogue.current()).channels.get(channelLink)?.grants ?? [];
      const steps: readonly ReadinessStep[] = [
        ...grants.map(({ productCode }) => `sell_${productCode}` as const),
        ...READINESS_STEPS,
      ];
      return steps.map((step) => ({
        step,
        ...(Object.hasOwn(known, step) && { proof: known[step] as Proof }),
      }));
    },
  };
};

/** The refusal of a wrong signature by an endpoint that has taken a right one. */
const findVerified = (tests: readonly TestOutcome[]): Proof | undefined => {
  const taking = new Set(
    tests.filter(({ isWronglySigned }) => !isWronglySigned).map(({ endpointId }) => endpointId),
  );
  const refused = tests.find((each) => each.isWronglySigned && taking.has(each.endpointId));
  return refused && { requestId: refused.eventId, at: refused.at };
};
