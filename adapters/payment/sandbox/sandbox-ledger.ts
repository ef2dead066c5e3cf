import {
  addDays,
  type CalendarDate,
  type Cents,
  type DeclineReason,
  type Instant,
  type PaymentMethod,
  type PaymentReport,
  ZERO,
} from '#domain';
import { fitsBoleto, fitsPix } from './payment-codes.ts';
import type { CardEffect } from './sandbox-cards.ts';

/** A charge in the ledger of the sandbox. It has no data of the card. */
export interface SandboxCharge {
  readonly id: string;
  readonly reference: string;
  readonly saleId: number;
  readonly description: string;
  readonly net: Cents;
  readonly iof: Cents;
  readonly amount: Cents;
  readonly installments: number;
  /** The accepted payment method. Default: the payer chooses. */
  readonly only?: 'credit' | 'boleto';
  /** The way back to the shop, on the payment page. */
  readonly returnUrl?: string;
  /**
   * `open` and `authorized` become `paid`, `refused` (by the payer), `declined` (by the bank) or
   * `closed`.
   */
  readonly status: 'open' | 'authorized' | 'paid' | 'refused' | 'declined' | 'closed';
  readonly createdAt: Instant;
  readonly until: Instant;
  readonly dueOn: CalendarDate;
  readonly method?: PaymentMethod;
  readonly paidOn?: CalendarDate;
  /** What the payer paid, where it is not what was asked for. */
  readonly received?: Cents;
  readonly reason?: DeclineReason;
  readonly returned: Cents;
  /** The total to be returned of a boleto, when the payer has named an account. */
  readonly waiting?: Cents;
  /** What an authorised test card does later. */
  readonly effect?: CardEffect;
  /** Whether the bank takes the next refund back. */
  readonly failsRefund?: true;
  /** The payer's bank has asked for the money. A lost dispute has returned all of it. */
  readonly dispute?: 'open' | 'won' | 'lost';
}

/** What a paid charge brought. */
export const receivedOf = ({ received, amount }: SandboxCharge): Cents => received ?? amount;

/** Days in which the sandbox takes documents for a dispute. */
const RESPOND_DAYS = 10;

/** The ways to pay an open charge: those that were ordered, where the amount fits into their code. */
export const methodsOf = ({
  only,
  amount,
}: SandboxCharge): readonly Exclude<PaymentMethod, 'debit'>[] => [
  ...(only === undefined && fitsPix(amount) ? (['pix'] as const) : []),
  ...(only !== 'boleto' ? (['credit'] as const) : []),
  ...(only !== 'credit' && fitsBoleto(amount) ? (['boleto'] as const) : []),
];

/** All charges of one sale, oldest first. */
export interface SandboxFile {
  readonly charges: readonly SandboxCharge[];
}

/** The pages of a charge. */
export interface SandboxUrls {
  readonly pay: (chargeId: string) => string;
  readonly refund: (chargeId: string) => string;
}

/** Translates a charge to reports of the port. */
export const reportCharge = (
  charge: SandboxCharge,
  urls: SandboxUrls,
): readonly PaymentReport[] => {
  const { id: chargeId, amount, reason = 'declined' } = charge;
  const about = { amount, chargeId };
  if (charge.status === 'open')
    return [{ ...about, status: 'awaited', url: urls.pay(chargeId), until: charge.until }];
  if (charge.status === 'authorized') return [{ ...about, status: 'unknown', isAuthorized: true }];
  if (charge.status === 'closed') return [{ ...about, status: 'expired' }];
  if (charge.status !== 'paid' || charge.paidOn === undefined)
    return [{ ...about, status: 'declined', reason }];
  return reportPaid(charge, charge.paidOn, urls);
};

const reportPaid = (
  charge: SandboxCharge,
  paidOn: CalendarDate,
  urls: SandboxUrls,
): readonly PaymentReport[] => {
  const { id: chargeId, method, returned, waiting: ordered, dispute } = charge;
  const about = { chargeId, amount: receivedOf(charge) };
  const approved = {
    ...about,
    status: 'approved',
    collectedBy: 'service',
    paidOn,
    ...(method && { method }),
    ...(dispute && {
      dispute: {
        status: dispute === 'open' ? ('opened' as const) : dispute,
        amount: about.amount,
        respondBy: addDays(paidOn, RESPOND_DAYS),
      },
    }),
  } as const;
  const waitsFor = { actor: 'insured', url: urls.refund(chargeId) } as const;
  if (ordered !== undefined)
    return [approved, { ...about, status: 'returned', returned, ordered, waitsFor }];
  return returned > 0 ? [approved, { ...about, status: 'returned', returned }] : [approved];
};

/** Adds a charge to the file, or replaces the charge of the same id. */
export const putCharge = (file: SandboxFile | undefined, changed: SandboxCharge): SandboxFile => {
  const charges = file?.charges ?? [];
  const isNew = findCharge(file, changed.id) === undefined;
  return {
    charges: isNew
      ? [...charges, changed]
      : charges.map((each) => (each.id === changed.id ? changed : each)),
  };
};

export const findCharge = (
  file: SandboxFile | undefined,
  chargeId: string,
): SandboxCharge | undefined => file?.charges.find(({ id }) => id === chargeId);

/** Closes an open charge, and releases an authorised card. Other charges do not change. */
export const closeCharge = (charge: SandboxCharge): SandboxCharge =>
  charge.status === 'open' || charge.status === 'authorized'
    ? { ...charge, status: 'closed' }
    : charge;

/** Opens a dispute about a paid charge, or ends one. Other charges do not change. */
export const moveDispute = (
  charge: SandboxCharge,
  to: Required<SandboxCharge>['dispute'],
): SandboxCharge => {
  const canMove =
    to === 'open' ? charge.status === 'paid' && !charge.dispute : charge.dispute === 'open';
  if (!canMove) return charge;
  return { ...charge, dispute: to, ...(to === 'lost' && { returned: receivedOf(charge) }) };
};

/**
 * Orders a refund up to a total. A boleto has no account to which it could go back: the payer names
 * one. Other charges do not change, and neither does one in dispute.
 */
export const refundCharge = (charge: SandboxCharge, upTo: Cents): SandboxCharge => {
  const { status, dispute, returned, waiting = returned, method } = charge;
  const isFree = status === 'paid' && dispute !== 'open';
  if (!isFree || upTo <= waiting || upTo > receivedOf(charge)) return charge;
  return method === 'boleto' ? { ...charge, waiting: upTo } : { ...charge, returned: upTo };
};

/** The payer has named an account, or has let the time for it pass. */
export const endWaiting = (charge: SandboxCharge, isNamed: boolean): SandboxCharge => {
  const { waiting, ...others } = charge;
  return { ...others, returned: isNamed && waiting !== undefined ? waiting : charge.returned };
};

/** The bank takes the refund back, once. */
export const undoRefund = ({ failsRefund: _, ...charge }: SandboxCharge): SandboxCharge => ({
  ...charge,
  returned: ZERO,
});

/** Extracts the reference of the sale, with which the id of a charge begins. */
export const parseReference = (chargeId: string): string =>
  chargeId.slice(0, chargeId.lastIndexOf('-'));
