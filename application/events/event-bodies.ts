import type { PartnerEvent } from './partner-events.ts';

/** What a partner gets of an event. The same event always has the same body. */
export interface EventBodies {
  /** Without personal data. To be written as JSON. */
  bodyOf(event: PartnerEvent): object;
}
