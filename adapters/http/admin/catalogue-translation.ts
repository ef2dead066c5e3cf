import {
  type Channel,
  type CommissionRate,
  type Coverage,
  centsFromNumber,
  type Plan,
  type Product,
  percent,
  rateFromPercent,
  reais,
} from '#domain';

type Fields = Readonly<Record<string, unknown>>;

// Both directions between an administrator's words (reais, percent, grants as products) and the domain's. What has the
// wrong type is passed on as it is, and a number that is no amount or rate as none: the domain's readers say what is
// wrong, and where.

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that are there, some of them changed. */
const mapped = (
  value: unknown,
  given: Readonly<Record<string, (field: unknown) => unknown>>,
): unknown => {
  // A field may have any name, those of an object's own methods included.
  const changes = new Map(Object.entries(given));
  return isFields(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, changes.get(name)?.(field) ?? field]),
      )
    : value;
};

const each =
  (change: (item: unknown) => unknown) =>
  (items: unknown): unknown =>
    Array.isArray(items) ? items.map(change) : items;

const inCents = (value: unknown): unknown =>
  typeof value === 'number' ? (centsFromNumber(value) ?? Number.NaN) : undefined;
const inPpm = (value: unknown): unknown =>
  typeof value === 'number' ? (rateFromPercent(value) ?? Number.NaN) : undefined;

const tariff = (value: unknown): unknown => {
  const found = mapped(value, { amount: inCents, rate: inPpm, minimum: inCents });
  return isFields(found) && found['kind'] === 'rate' ? { minimum: 0, ...found } : found;
};

const plan =
  (period: object) =>
  (value: unknown): unknown => {
    const found = mapped(value, { tariff, limit: inCents });
    return isFields(found) ? { period, maxInstallments: 1, ...found } : found;
  };

const PRODUCT_DEFAULTS = {
  pricingBasis: 'net',
  rounding: 'half-up',
  collectedBy: 'either',
  commissionCap: 1_000_000,
  cancellation: { kind: 'pro_rata', iof: 'retained' },
  attributes: {},
  coverages: [],
};

export const productFrom = (
  code: string,
  { version: _, updated_at: __, certificateMail, ...rest }: Fields,
): unknown => {
  // What is usual is not written down.
  const body: Fields = {
    ...rest,
    ...(certificateMail !== undefined && certificateMail !== 'on_issue' && { certificateMail }),
  };
  const translated = mapped(body, {
    commissionCap: inPpm,
    plans: each(plan({ kind: body['line'] === 'event_ticket' ? 'payment_to_event' : 'declared' })),
    coverages: each((coverage) => mapped(coverage, { tariff, limit: inCents })),
  });
  return { ...PRODUCT_DEFAULTS, ...(translated as object), code };
};

const rates = ({ commissionRate, commissions, ...rest }: Fields): object => {
  if (commissionRate !== undefined && commissions === undefined) {
    return {
      ...rest,
      commissions: [{ kind: 'representative', rate: inPpm(commissionRate) ?? commissionRate }],
    };
  }
  // Both would be two answers to one question: the reader finds the second one unknown.
  const both = commissionRate === undefined ? {} : { commissionRate };
  const all = each((one) => mapped(one, { rate: inPpm }))(commissions);
  return { ...rest, ...both, ...(all !== undefined && { commissions: all }) };
};

const grant = (value: unknown): unknown => {
  if (!isFields(value)) return value;
  const { code, plans = [], ...rest } = value;
  const own = each((one) => {
    if (!isFields(one)) return one;
    const { code: planCode, ...ofPlan } = one;
    return { planCode, ...rates(ofPlan) };
  });
  return { productCode: code, ...rates(rest), plans: own(plans) };
};

export const channelFrom = (
  channelLink: string,
  { version: _, updated_at: __, ...body }: Fields,
): unknown => {
  const { products, active = true, ...rest } = body;
  return {
    ...rest,
    channelLink,
    active,
    ...(products !== undefined && { grants: each(grant)(products) }),
  };
};

/** What stands at a dotted path. */
const at = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        Array.isArray(found) ? found[Number(name)] : isFields(found) ? found[name] : undefined,
      body,
    );

/** Where an administrator finds, in what was sent, what the domain calls by another name. */
export const wirePathIn =
  (body: unknown) =>
  (path: string): string => {
    const renamed = path
      .replace(/^grants\b/, 'products')
      .replace(/\b(productCode|planCode)$/, 'code');
    const [, granted] =
      /^(products\.\d+(?:\.plans\.\d+)?)\.commissions(?:$|\.)/.exec(renamed) ?? [];
    if (granted === undefined) return renamed;
    const sent = at(body, granted);
    return isFields(sent) && sent['commissions'] !== undefined
      ? renamed
      : `${granted}.commissionRate`;
  };

const tariffTo = (value: Plan['tariff']): object => {
  if (value.kind === 'declared') return { kind: value.kind };
  if (value.kind === 'fixed') return { kind: value.kind, amount: reais(value.amount) };
  return { kind: value.kind, rate: percent(value.rate), minimum: reais(value.minimum) };
};

const priced = <Item extends Plan | Coverage>({ tariff: its, limit, ...rest }: Item): object => ({
  ...rest,
  tariff: tariffTo(its),
  ...(limit !== undefined && { limit: reais(limit) }),
});

export const productTo = ({
  commissionCap,
  plans,
  coverages,
  certificateMail = 'on_issue',
  ...rest
}: Product): object => ({
  ...rest,
  commissionCap: percent(commissionCap),
  certificateMail,
  plans: plans.map(priced),
  coverages: coverages.map(priced),
});

const ratesTo = (commissions: readonly CommissionRate[]): object => {
  const [first, ...others] = commissions;
  return first?.kind === 'representative' && others.length === 0
    ? { commissionRate: percent(first.rate) }
    : { commissions: commissions.map(({ kind, rate }) => ({ kind, rate: percent(rate) })) };
};

export const channelTo = ({ channelLink, name, active, grants }: Channel): object => ({
  channelLink,
  name,
  active,
  products: grants.map(({ productCode, commissions, plans }) => ({
    code: productCode,
    ...ratesTo(commissions),
    plans: plans.map((one) => ({ code: one.planCode, ...ratesTo(one.commissions) })),
  })),
});
