import {
  CHANNEL_SHAPE,
  type Channel,
  type CommissionRate,
  PRODUCT_SHAPE,
  type Product,
  type Rate,
} from '#domain';
import type { Percent } from '../contract/units.ts';
import { toDomainUnits, toWireUnits } from './catalogue-units.ts';
import { nameRole, readRole } from './channel-roles.ts';

type Fields = Readonly<Record<string, unknown>>;

// Translates products and channels between the administrator's body (reais, percent, `products` of
// a channel) and the domain's definition (cents, ppm, `grants`). A body may still have faults:
// values of a wrong type stay as they are, so that the domain's reader reports them.

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies `change` to the items of a list that are objects. */
const changeItems = (items: unknown, change: (item: Fields) => object): unknown =>
  Array.isArray(items) ? items.map((item) => (isFields(item) ? change(item) : item)) : items;

const PRODUCT_DEFAULTS = {
  pricingBasis: 'net',
  rounding: 'half-up',
  collectedBy: 'either',
  commissionCap: 1_000_000 as Rate,
  cancellation: { kind: 'pro_rata', iof: 'retained' },
  attributes: {},
  coverages: [],
};

const addTariffDefaults = (priced: Fields): Fields => {
  const { tariff } = priced;
  return isFields(tariff) && tariff['kind'] === 'rate'
    ? { ...priced, tariff: { minimum: 0, ...tariff } }
    : priced;
};

/** A coverage with a share of the plan's price has no price of its own. */
const addCoverageDefaults = (coverage: Fields): Fields =>
  addTariffDefaults(
    coverage['premiumShare'] === undefined
      ? coverage
      : { tariff: { kind: 'fixed', amount: 0 }, ...coverage },
  );

const addDeductibleDefaults = ({ deductible, ...plan }: Fields): Fields => {
  if (deductible === undefined) return plan;
  const { tariff } = addTariffDefaults({ tariff: deductible });
  return { ...plan, deductible: tariff };
};

export const productFrom = (
  code: string,
  { version: _, updated_at: __, certificateMail, ...rest }: Fields,
): unknown => {
  const converted = toDomainUnits(rest, PRODUCT_SHAPE) as Fields;
  const { plans, coverages } = converted;
  const period = {
    kind: converted['line'] === 'event_ticket' ? 'payment_to_event' : 'declared',
  };
  const addPlanDefaults = (plan: Fields): object => ({
    period,
    maxInstallments: 1,
    ...addDeductibleDefaults(addTariffDefaults(plan)),
  });

  return {
    ...PRODUCT_DEFAULTS,
    ...converted,
    // The domain leaves the default out.
    ...(certificateMail !== undefined && certificateMail !== 'on_issue' && { certificateMail }),
    ...(plans !== undefined && { plans: changeItems(plans, addPlanDefaults) }),
    ...(coverages !== undefined && { coverages: changeItems(coverages, addCoverageDefaults) }),
    code,
  };
};

/** `commissionRate` is short for one commission of the channel as representative. */
const expandCommissionRate = ({ commissionRate, ...rest }: Fields): object => {
  if (commissionRate === undefined) return rest;
  // With both fields, the reader reports `commissionRate` as unknown.
  if (rest['commissions'] !== undefined) return { ...rest, commissionRate };
  return { ...rest, commissions: [{ kind: 'representative', rate: commissionRate }] };
};

const toGrant = ({ code, plans = [], ...rest }: Fields): object => ({
  productCode: code,
  ...expandCommissionRate(rest),
  plans: changeItems(plans, ({ code: planCode, ...ofPlan }) => ({
    planCode,
    ...expandCommissionRate(ofPlan),
  })),
});

export const channelFrom = (
  channelLink: string,
  { version: _, updated_at: __, ...body }: Fields,
): unknown => {
  const { products, active = true, role, ...rest } = body;
  const channel = {
    ...rest,
    ...(role !== undefined && { role: readRole(role) }),
    channelLink,
    active,
    ...(products !== undefined && { grants: changeItems(products, toGrant) }),
  };
  return toDomainUnits(channel, CHANNEL_SHAPE);
};

/** The value at a dotted path. */
const valueAt = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        Array.isArray(found) ? found[Number(name)] : isFields(found) ? found[name] : undefined,
      body,
    );

/** Returns a function that turns a path of the domain's definition into the path in the body. */
export const createWirePath =
  (body: unknown) =>
  (path: string): string => {
    const renamed = path
      .replace(/^grants\b/, 'products')
      .replace(/\b(productCode|planCode)$/, 'code');
    const [, granted] =
      /^(products\.\d+(?:\.plans\.\d+)?)\.commissions(?:$|\.)/.exec(renamed) ?? [];
    if (granted === undefined) return renamed;
    const sent = valueAt(body, granted);
    return isFields(sent) && sent['commissions'] !== undefined
      ? renamed
      : `${granted}.commissionRate`;
  };

export const productTo = (product: Product): object => ({
  certificateMail: 'on_issue',
  ...toWireUnits(product, PRODUCT_SHAPE),
});

interface WireCommission {
  readonly kind: CommissionRate['kind'];
  readonly rate: Percent;
}

interface WireChannel extends Omit<Channel, 'grants'> {
  readonly grants: readonly {
    readonly productCode: string;
    readonly commissions: readonly WireCommission[];
    readonly plans: readonly {
      readonly planCode: string;
      readonly commissions: readonly WireCommission[];
    }[];
  }[];
}

const shortenCommissions = (commissions: readonly WireCommission[]): object => {
  const [first, ...others] = commissions;
  return first?.kind === 'representative' && others.length === 0
    ? { commissionRate: first.rate }
    : { commissions };
};

export const channelTo = (channel: Channel): object => {
  const { grants, role, ...rest } = toWireUnits(channel, CHANNEL_SHAPE) as WireChannel;
  return {
    ...rest,
    ...(role !== undefined && { role: nameRole(role) }),
    products: grants.map(({ productCode, commissions, plans }) => ({
      code: productCode,
      ...shortenCommissions(commissions),
      plans: plans.map((plan) => ({
        code: plan.planCode,
        ...shortenCommissions(plan.commissions),
      })),
    })),
  };
};
