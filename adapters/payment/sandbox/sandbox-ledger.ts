import type { CalendarDate, Cents, Instant, PaymentMethod, PaymentReport } from '#domain';

/** A charge as the sandbox's ledger has it. No card: neither its number nor anything else of it. */
export interface SandboxCharge {
  readonly id: string;
  readonly reference: string;
  readonly saleId: number;
  readonly description: string;
  readonly net: Cents;
  readonly iof: Cents;
  readonly amount: Cents;
  readonly installments: number;
  /** How it may be paid; absent: however the payer likes. */
  readonly only?: 'credit' | 'boleto';
  /** `open` until it is paid, refused by the payer or the bank, or closed. */
  readonly status: 'open' | 'paid' | 'refused' | 'declined' | 'closed';
  readonly createdAt: Instant;
  readonly until: Instant;
  readonly dueOn: CalendarDate;
  readonly method?: PaymentMethod;
  readonly paidOn?: CalendarDate;
  readonly reason?: string;
  readonly returned: Cents;
}

/** All charges for one sale, in the order in which they were made. */
export interface SandboxFile {
  readonly charges: readonly SandboxCharge[];
}

export const reportsOf = (
  charge: SandboxCharge,
  urlOf: (chargeId: string) => string,
): readonly PaymentReport[] => {
  const { id: chargeId, amount, method, paidOn, reason = 'declined', returned } = charge;
  const about = { amount, chargeId };
  if (charge.status === 'open')
    return [{ ...about, status: 'awaited', url: urlOf(chargeId), until: charge.until }];
  if (charge.status === 'closed') return [{ ...about, status: 'expired' }];
  if (charge.status !== 'paid' || paidOn === undefined)
    return [{ ...about, status: 'declined', reason }];
  const approved = {
    ...about,
    status: 'approved',
    collectedBy: 'service',
    paidOn,
    ...(method && { method }),
  } as const;
  return returned > 0 ? [approved, { ...about, status: 'returned', returned }] : [approved];
};

/** The file with one charge changed. */
export const withCharge = (file: SandboxFile | undefined, changed: SandboxCharge): SandboxFile => {
  const charges = file?.charges ?? [];
  const isNew = chargeIn(file, changed.id) === undefined;
  return {
    charges: isNew
      ? [...charges, changed]
      : charges.map((each) => (each.id === changed.id ? changed : each)),
  };
};

export const chargeIn = (
  file: SandboxFile | undefined,
  chargeId: string,
): SandboxCharge | undefined => file?.charges.find(({ id }) => id === chargeId);

/** A charge that takes no payment any more; one that is over already stays as it is. */
export const closed = (charge: SandboxCharge): SandboxCharge =>
  charge.status === 'open' ? { ...charge, status: 'closed' } : charge;

/** A charge's number begins with the reference of its sale. */
export const referenceIn = (chargeId: string): string =>
  chargeId.slice(0, chargeId.lastIndexOf('-'));
