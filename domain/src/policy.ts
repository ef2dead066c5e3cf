// The documents of an insurer that issues in steps: quotation, proposal and policy.

export { amounts } from './pricing/premium.ts';
export * from './sale/policy.ts';
export * from './sale/proposal.ts';
export * from './sale/quotation.ts';
export type { Ignored, Moved, Transition } from './sale/transition.ts';
