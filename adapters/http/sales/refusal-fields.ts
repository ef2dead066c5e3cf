import type { SaleRefusal, SaleRefusalKind } from '../../../application/sales/sale-request.ts';
import { COMMON_FIELDS, type SaleFields, type SalePart } from './sale-fields.ts';

/**
 * The parts at which each refusal is shown: at the first that the body has a field for, else at the
 * product. `at`: the part that the refusal names.
 */
const SHOWN_AT: Readonly<Record<SaleRefusalKind, readonly (SalePart | 'at')[]>> = {
  channel_not_own: ['channel'],
  channel_inactive: ['channel'],
  product_not_granted: ['product'],
  product_unknown: ['product'],
  product_ambiguous: ['product'],
  plan_unknown: ['plan'],
  coverage_unknown: ['coverages'],
  coverage_repeated: ['coverages'],
  return_url_not_registered: ['returnUrl'],
  payment_not_with_channel: ['collector'],
  payment_not_with_service: ['collector'],
  iof_rate_missing: ['at', 'soldOn'],
  iof_rate_ends: ['installments'],
  premium_not_declared: ['at'],
  premium_not_positive: ['at'],
  amount_too_large: ['at'],
  insured_amount_missing: ['insuredAmount'],
  net_premium_differs: ['net', 'declaredPrice'],
  iof_differs: ['iof'],
  total_differs: ['total', 'iof'],
  sold_in_future: ['soldOn', 'paidOn'],
  sold_long_ago: ['soldOn', 'paidOn'],
  paid_in_future: ['paidOn'],
  event_before_payment: ['eventOn'],
  born_in_future: ['birthDate'],
  period_not_declared: ['period', 'eventOn'],
  period_differs: ['at', 'period'],
  period_over: ['at', 'soldOn'],
  period_reversed: ['at'],
  installments_not_offered: ['installments'],
  installment_below_one_cent: ['installments'],
  quote_unknown: ['quote'],
  quote_expired: ['quote'],
  quote_differs: ['at', 'quote'],
};

/** The fields at which a refusal is shown: one for each part that it names. */
export const fieldsOfRefusal = (
  { kind, at = [''] }: SaleRefusal,
  fields: SaleFields,
): readonly string[] => {
  const known: SaleFields = { ...COMMON_FIELDS, ...fields };
  const [first, ...next] = SHOWN_AT[kind];
  return at.map((named) => {
    const parts = (first === 'at' ? [named, ...next] : [first, ...next]) as readonly SalePart[];
    const part = parts.find((each) => known[each] !== undefined) ?? 'product';
    const [field] = known[part] ?? [''];
    if (!field.endsWith('.')) return field;
    // What is wrong inside a reference: the refusal says so, or the whole differs from the quote.
    const inside = first !== 'at' ? named : part === named && part !== 'coverages' ? 'id' : '';
    return inside === '' ? field.slice(0, -1) : `${field}${inside}`;
  });
};
