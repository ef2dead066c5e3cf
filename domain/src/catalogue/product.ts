import { IOF_CLASSES } from '../pricing/iof.ts';
import type { FixedTariff, RateTariff, Tariff } from '../pricing/premium.ts';
import type { PeriodRule } from '../rules/period.ts';
import { attributeSchema } from './attribute-schema.ts';
import { cnpj, code, id, lines, name, oneLine } from './fields.ts';
import {
  amount,
  distinct,
  filled,
  kinded,
  list,
  oneOf,
  ppm,
  type ReadBy,
  type Reader,
  type Reading,
  read,
  record,
  refined,
  text,
  whole,
} from './reading.ts';

// A field of a product is described once: its reader says its type, its unit, its limits and its
// complaint. The types follow from the readers.

const rate = { rate: ppm(1), minimum: amount(0) };

const planTariff = kinded<Tariff>({ declared: {}, fixed: { amount: amount(1) }, rate });

/**
 * What the insured bears of each loss. `fixed`: an amount (franquia; 0: nothing). `rate`: a share of
 * the loss, and at least `minimum` cents (participação obrigatória).
 */
export type Deductible = FixedTariff | RateTariff;

/** A coverage may be free: its fixed amount starts at 0. */
const coverageTariff = kinded<Deductible>({ fixed: { amount: amount(0) }, rate });

const period = kinded<PeriodRule>({
  payment_to_event: {},
  declared: {},
  months: { months: whole(1, 120) },
});

/** What the certificate says of a coverage. */
const coverageTexts = {
  /** What it pays for, in one paragraph. */
  description: oneLine(1_000),
  /** What it does not pay for, one item each: `furto simples`. */
  notCovered: lines,
};

const WHOLE_PPM = 1_000_000;

const sumShares = (coverages: readonly Pick<Coverage, 'premiumShare'>[]): number =>
  coverages.reduce((sum, each) => sum + (each?.premiumShare ?? 0), 0);

const includedCoverage = record(
  {
    name,
    /** The share of the plan's price. */
    premiumShare: ppm(0),
  },
  {
    /** Max indemnity in cents. Default: the limit of the plan. */
    limit: amount(1),
    ...coverageTexts,
  },
);

/** A coverage that everybody gets who buys the plan. */
export interface IncludedCoverage extends ReadBy<typeof includedCoverage> {}

/** The coverages of a plan: their shares are the whole price. */
const includes = refined(
  filled(distinct(list<IncludedCoverage>(includedCoverage), 'name')),
  (found, path, note) => {
    const isPriced = found.every((each) => each?.premiumShare !== undefined);
    if (isPriced && found.length > 0 && sumShares(found) !== WHOLE_PPM)
      note(path, 'shares_not_whole');
  },
);

const plan = record(
  {
    id,
    code,
    name,
    tariff: planTariff,
    period,
    /** Max number of installments. */
    maxInstallments: whole(1, 60),
  },
  {
    /** Max indemnity in cents. Default: the insured amount of the sale. */
    limit: amount(1),
    /** The risk covered, in a few words for the certificate of a plan without `includes`. */
    covers: name,
    /** The coverages with their shares of the premium, together 1,000,000 ppm. */
    includes,
    deductible: coverageTariff,
    /** Days from the start of the cover without right to an indemnity (carência); 0: none. */
    waitingDays: whole(0, 1_095),
    /** Risks that no coverage of the plan covers. */
    exclusions: lines,
    /** What the insured sends with the notice of a claim. */
    claimDocuments: lines,
    /** The contact for notices of claims, on one line. Default: the insurer's customer service. */
    claimContact: name,
  },
);

/** One way to buy a product: its price, its period and its payment terms. */
export interface Plan extends ReadBy<typeof plan> {}

const coverageFields = record(
  { id, code, name, tariff: coverageTariff },
  {
    /** Max indemnity in cents. Default: the insured amount of the sale. */
    limit: amount(1),
    ...coverageTexts,
    /** The share of the plan's price, if the coverage has no price of its own (a tariff of 0). */
    premiumShare: ppm(0),
  },
);

/** An additional coverage, bought on top of a plan and priced on the product's pricing basis. */
export interface Coverage extends ReadBy<typeof coverageFields> {}

/** A coverage has a price of its own, or a share of the plan's price. */
const coverage = refined<Coverage>(coverageFields, ({ tariff, premiumShare }, path, note) => {
  const isFree = tariff?.kind === 'fixed' && tariff.amount === 0;
  if (premiumShare !== undefined && tariff !== undefined && !isFree)
    note(`${path}.premiumShare`, 'priced_twice');
});

/** All shares may be bought together: they are the whole price at most. */
const coverages = refined(distinct(list(coverage), 'id', 'code'), (found, path, note) => {
  if (sumShares(found) > WHOLE_PPM) note(path, 'shares_above_whole');
});

const insurer = record(
  {
    name,
    cnpj,
    susepCode: text(5, /^\d{4,5}$/, '4 or 5 digits', 'deve ter 4 ou 5 dígitos'),
  },
  {
    /** Telephone, address or hours of customer service (SAC, Decreto 11.034/2022), on one line. */
    customerService: name,
    /** The same for the ombudsman (ouvidoria, Resolução CNSP 445/2022). */
    ombudsman: name,
  },
);

/** The company that bears the risk, and its contacts. */
export interface Insurer extends ReadBy<typeof insurer> {}

const registration = record({
  susepProcess: text(
    20,
    /^15414\.\d{6}\/\d{4}-\d{2}$/,
    '15414.NNNNNN/AAAA-DD',
    'deve ter a forma 15414.NNNNNN/AAAA-DD',
  ),
  branchCode: text(4, /^\d{2,4}$/, '2 to 4 digits', 'deve ter de 2 a 4 dígitos'),
  branchName: name,
  insurer,
});

/** The product's registration with the regulator (SUSEP). */
export interface SusepRegistration extends ReadBy<typeof registration> {}

const productFields = record(
  {
    id,
    code,
    name,
    /** Line of business. An endpoint sells one line: `event_ticket`, `artist`, `mobile_phone`… */
    line: text(
      50,
      /^[a-z][a-z0-9_]{0,49}$/,
      'small letters, digits and underscores, 50 at most',
      'deve ter letras minúsculas, dígitos e sublinhado, até 50, e começar com letra',
    ),
    pricingBasis: oneOf(['net', 'gross']),
    rounding: oneOf(['half-up', 'half-even']),
    iofClass: oneOf(IOF_CLASSES),
    /** `either`: each sale names its collector. */
    collectedBy: oneOf(['channel', 'service', 'either']),
    /** Max sum of all commissions of a sale, as a share of its net premium. */
    commissionCap: ppm(0),
    /** How much premium is refunded when the insured cancels after the withdrawal period. */
    cancellation: record({
      kind: oneOf(['pro_rata', 'short_period']),
      iof: oneOf(['retained', 'refunded']),
    }),
    registration,
    /** JSON Schema (draft 2020-12) of the insured object. `{}` accepts any object. */
    attributes: attributeSchema,
    /** The first one is the default. */
    plans: filled(distinct(list<Plan>(plan), 'id', 'code')),
    coverages,
  },
  {
    /** When to mail the certificate to the insured. Default: `on_issue`. */
    certificateMail: oneOf(['on_issue', 'on_request']),
    /**
     * The document of the contract. Of an `apolice` no money is taken before the insurer has accepted
     * the proposal (Lei 15.040/2024, art. 19, § 2º). Default: `bilhete`.
     */
    instrument: oneOf(['bilhete', 'apolice']),
  },
);

/** A product is data: a new product is a new row, not a new class. */
export interface Product extends ReadBy<typeof productFields> {}

/** Who collects the premium: the channel, before it registers the sale, or the service. */
export type Collector = Exclude<Product['collectedBy'], 'either'>;

export const product: Reader<Product> = productFields;

/**
 * Reads one product from untrusted data. Returns all faults, each with its path.
 *
 * @example readProduct({ ...product, plans: [] }).faults // [{ path: 'plans', kind: 'empty_list' }]
 */
export const readProduct = (input: unknown): Reading<Product> => read(product, input);

/** The fields of a product. */
export const PRODUCT_SHAPE = product.shape;
