import { type GatewayAnswer, hasReports } from '../../application/payments/payments.ts';

/** Whether the card of a charge is authorised, and not captured. */
export const isHeld = (reports: GatewayAnswer, chargeId: string): boolean =>
  hasReports(reports) &&
  reports.some(
    (each) => each.status === 'unknown' && each.isAuthorized && each.chargeId === chargeId,
  );

/** The reports after a card was released because its bank has declined the capture. */
export const declinedOnCapture = (released: GatewayAnswer, chargeId: string): GatewayAnswer =>
  hasReports(released)
    ? released.map((each) =>
        each.status === 'expired' && each.chargeId === chargeId
          ? { ...each, status: 'declined', reason: 'declined' }
          : each,
      )
    : released;
