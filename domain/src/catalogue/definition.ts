import type { Rate } from '../money/money.ts';
import { COMMISSION_KINDS, type CommissionRate } from '../pricing/commission.ts';
import { IOF_CLASSES } from '../pricing/iof.ts';
import type { FixedTariff, RateTariff, Tariff } from '../pricing/tariff.ts';
import type { CancellationRule } from '../sale/cancellation.ts';
import type { PeriodRule } from '../sale/period.ts';
import { type Cnpj, parseCnpj } from '../values/tax-id.ts';
import {
  CERTIFICATE_MAILS,
  type Channel,
  type Coverage,
  type Grant,
  type Insurer,
  type Plan,
  type Product,
  type SusepRegistration,
} from './product.ts';
import {
  amount,
  distinct,
  filled,
  flag,
  jsonObject,
  kinded,
  list,
  type Note,
  noteRepeated,
  oneOf,
  ppm,
  type Reader,
  type Reading,
  read,
  record,
  text,
  whole,
} from './reading.ts';

/** An integration code. Its characters need no escaping in a URL or a file name. */
const code = text(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/,
  'letters, digits, dots, underscores and hyphens, 50 at most',
);
/** One line of up to 200 characters, without leading or trailing spaces. */
export const oneLine = text(
  /^(?=.{1,200}$)(?=.*(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}])[^\s\p{Cc}]+(?: [^\s\p{Cc}]+)*$/u,
  'one line without blanks around, 200 characters at most',
);
const name = oneLine;
const id = whole(1, 2_147_483_647);

const fixedTariff = (least: number): Reader<FixedTariff> =>
  record<FixedTariff>({ kind: oneOf(['fixed']), amount: amount(least) });
const rateTariff = record<RateTariff>({ kind: oneOf(['rate']), rate: ppm(1), minimum: amount(0) });

const planTariff = kinded<Tariff>({
  declared: record({ kind: oneOf(['declared']) }),
  fixed: fixedTariff(1),
  rate: rateTariff,
});

/** A coverage may be free: its fixed amount starts at 0. */
const coverageTariff = kinded<FixedTariff | RateTariff>({
  fixed: fixedTariff(0),
  rate: rateTariff,
});

const period = kinded<PeriodRule>({
  payment_to_event: record({ kind: oneOf(['payment_to_event']) }),
  declared: record({ kind: oneOf(['declared']) }),
  months: record<Extract<PeriodRule, { kind: 'months' }>>({
    kind: oneOf(['months']),
    months: whole(1, 120),
  }),
});

const limited = { limit: amount(1) };

const plan = record<Plan>(
  { id, code, name, tariff: planTariff, period, maxInstallments: whole(1, 60) },
  { ...limited, covers: name },
);

const coverage = record<Coverage>({ id, code, name, tariff: coverageTariff }, limited);

const cnpj: Reader<Cnpj> = text<Cnpj>(
  { test: (given) => parseCnpj(given) === given },
  'a CNPJ without punctuation',
);

const registration = record<SusepRegistration>({
  susepProcess: text(/^15414\.\d{6}\/\d{4}-\d{2}$/, '15414.NNNNNN/AAAA-DD'),
  branchCode: text(/^\d{2,4}$/, '2 to 4 digits'),
  branchName: name,
  insurer: record<Insurer>(
    { name, cnpj, susepCode: text(/^\d{4,5}$/, '4 or 5 digits') },
    { customerService: name, ombudsman: name },
  ),
});

const product = record<Product>(
  {
    id,
    code,
    name,
    line: text(/^[a-z][a-z0-9_]{0,49}$/, 'small letters, digits and underscores, 50 at most'),
    pricingBasis: oneOf(['net', 'gross']),
    rounding: oneOf(['half-up', 'half-even']),
    iofClass: oneOf(IOF_CLASSES),
    collectedBy: oneOf(['channel', 'service', 'either']),
    commissionCap: ppm(0),
    cancellation: record<CancellationRule>({
      kind: oneOf(['pro_rata', 'short_period']),
      iof: oneOf(['retained', 'refunded']),
    }),
    registration,
    attributes: jsonObject,
    plans: filled(distinct(list(plan), 'id', 'code')),
    coverages: distinct(list(coverage), 'id', 'code'),
  },
  { certificateMail: oneOf(CERTIFICATE_MAILS) },
);

const commissions = distinct(
  list(record<CommissionRate>({ kind: oneOf(COMMISSION_KINDS), rate: ppm(0) })),
  'kind',
);

const channel = record<Channel>({
  channelLink: text(
    /^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$/,
    'letters, digits, dots, underscores, tildes and hyphens, 100 at most',
  ),
  name,
  active: flag,
  grants: distinct(
    list(
      record<Grant>({
        productCode: code,
        commissions,
        plans: distinct(
          list(record<Grant['plans'][number]>({ planCode: code, commissions })),
          'planCode',
        ),
      }),
    ),
    'productCode',
  ),
});

/** Reads one product from untrusted data. Returns all faults, each with its path. */
export const readProduct = (input: unknown): Reading<Product> => read(product, input);

/** Reads one channel. Only `readCatalogue` checks its grants against the products. */
export const readChannel = (input: unknown): Reading<Channel> => read(channel, input);

/** All products, and the channels that sell them. */
export interface CatalogueData {
  readonly products: readonly Product[];
  readonly channels: readonly Channel[];
}

const checkCommissions = (
  rates: readonly CommissionRate[],
  cap: Rate,
  path: string,
  note: Note,
): void => {
  const sum = rates.reduce((before, { rate }) => before + rate, 0);
  if (sum > cap) note(`${path}.commissions`, 'above_cap', `${cap} at most, all together`);
};

const checkGrants = (
  { grants }: Channel,
  products: readonly Product[],
  path: string,
  note: Note,
): void => {
  for (const [index, grant] of grants.entries()) {
    const place = `${path}.grants.${index}`;
    const granted = products.find((each) => each.code === grant.productCode);
    if (granted === undefined) note(`${place}.productCode`, 'not_found');
    else checkGrant(grant, granted, place, note);
  }
};

const checkGrant = (grant: Grant, granted: Product, path: string, note: Note): void => {
  checkCommissions(grant.commissions, granted.commissionCap, path, note);
  for (const [index, { planCode, commissions: ofPlan }] of grant.plans.entries()) {
    const place = `${path}.plans.${index}`;
    if (!granted.plans.some((each) => each.code === planCode))
      note(`${place}.planCode`, 'not_found');
    checkCommissions(ofPlan, granted.commissionCap, place, note);
  }
};

/** An id is unique among products and plans together: a sale may name either by its id alone. */
const checkNumbers = (products: readonly Product[], note: Note): void => {
  const numbered = products.flatMap((each, index) => [
    { name: each.id, place: `products.${index}.id` },
    ...each.plans.map((ofProduct, planIndex) => ({
      name: ofProduct.id,
      place: `products.${index}.plans.${planIndex}.id`,
    })),
  ]);
  noteRepeated(numbered, note);
};

const shapes = record<CatalogueData>({
  products: distinct(list(product), 'code'),
  channels: distinct(list(channel), 'channelLink'),
});

const catalogue: Reader<CatalogueData> = (input, path, note) => {
  let sound = true;
  const found = shapes(input, path, (...fault) => {
    sound = false;
    note(...fault);
  });
  if (!sound) return found;
  checkNumbers(found.products, note);
  for (const [index, each] of found.channels.entries())
    checkGrants(each, found.products, `channels.${index}`, note);
  return found;
};

/**
 * Reads products and channels together.
 *
 * Checks each product and channel first. If these have no faults, checks across them: ids of
 * products and plans are distinct, each grant names an existing product and existing plans, and
 * the commissions of a grant stay within the product's cap.
 */
export const readCatalogue = (input: unknown): Reading<CatalogueData> => read(catalogue, input);
