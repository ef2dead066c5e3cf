import type { PartnerEvent } from './partner-events.ts';

/** How an event is told to a partner. The same event always has the same body. */
export interface EventBodies {
  /** Without personal data. To be written as JSON. */
  bodyOf(event: PartnerEvent): object;
}
