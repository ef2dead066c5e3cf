import { IOF_CLASSES } from '../pricing/iof.ts';
import type { FixedTariff, RateTariff, Tariff } from '../pricing/tariff.ts';
import type { CancellationRule } from '../rules/cancellation.ts';
import type { PeriodRule } from '../rules/period.ts';
import { attributeSchema } from './attribute-schema.ts';
import { cnpj, code, id, lines, name, oneLine } from './fields.ts';
import {
  CERTIFICATE_MAILS,
  type Coverage,
  type IncludedCoverage,
  type Insurer,
  type Plan,
  type Product,
  type SusepRegistration,
} from './product.ts';
import {
  amount,
  distinct,
  filled,
  kinded,
  list,
  oneOf,
  ppm,
  type Reader,
  type Reading,
  read,
  record,
  refined,
  type Shape,
  text,
  whole,
} from './reading.ts';

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
const described = { description: oneLine(1_000), notCovered: lines };

const WHOLE_PPM = 1_000_000;

const sumShares = (coverages: readonly Pick<Coverage, 'premiumShare'>[]): number =>
  coverages.reduce((sum, each) => sum + (each?.premiumShare ?? 0), 0);

const included = record<IncludedCoverage>(
  { name, premiumShare: ppm(0) },
  { ...limited, ...described },
);

/** The coverages of a plan: their shares are the whole price. */
const includes = refined(filled(distinct(list(included), 'name')), (found, path, note) => {
  const isPriced = found.every((each) => each?.premiumShare !== undefined);
  if (isPriced && found.length > 0 && sumShares(found) !== WHOLE_PPM)
    note(path, 'shares_not_whole');
});

const plan = record<Plan>(
  { id, code, name, tariff: planTariff, period, maxInstallments: whole(1, 60) },
  {
    ...limited,
    covers: name,
    includes,
    deductible: coverageTariff,
    waitingDays: whole(0, 1_095),
    exclusions: lines,
    claimDocuments: lines,
    claimContact: name,
  },
);

const coverageFields = record<Coverage>(
  { id, code, name, tariff: coverageTariff },
  { ...limited, ...described, premiumShare: ppm(0) },
);

/** A coverage has a price of its own, or a share of the plan's price. */
const coverage = refined(coverageFields, ({ tariff, premiumShare }, path, note) => {
  const isFree = tariff?.kind === 'fixed' && tariff.amount === 0;
  if (premiumShare !== undefined && tariff !== undefined && !isFree)
    note(`${path}.premiumShare`, 'priced_twice');
});

/** All shares may be bought together: they are the whole price at most. */
const coverages = refined(distinct(list(coverage), 'id', 'code'), (found, path, note) => {
  if (sumShares(found) > WHOLE_PPM) note(path, 'shares_above_whole');
});

const registration = record<SusepRegistration>({
  susepProcess: text(
    /^15414\.\d{6}\/\d{4}-\d{2}$/,
    '15414.NNNNNN/AAAA-DD',
    'deve ter a forma 15414.NNNNNN/AAAA-DD',
  ),
  branchCode: text(/^\d{2,4}$/, '2 to 4 digits', 'deve ter de 2 a 4 dígitos'),
  branchName: name,
  insurer: record<Insurer>(
    { name, cnpj, susepCode: text(/^\d{4,5}$/, '4 or 5 digits', 'deve ter 4 ou 5 dígitos') },
    { customerService: name, ombudsman: name },
  ),
});

export const product = record<Product>(
  {
    id,
    code,
    name,
    line: text(
      /^[a-z][a-z0-9_]{0,49}$/,
      'small letters, digits and underscores, 50 at most',
      'deve ter letras minúsculas, dígitos e sublinhado, até 50, e começar com letra',
    ),
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
    attributes: attributeSchema,
    plans: filled(distinct(list(plan), 'id', 'code')),
    coverages,
  },
  { certificateMail: oneOf(CERTIFICATE_MAILS) },
);

/**
 * Reads one product from untrusted data. Returns all faults, each with its path.
 *
 * @example readProduct({ ...product, plans: [] }).faults // [{ path: 'plans', kind: 'empty_list' }]
 */
export const readProduct = (input: unknown): Reading<Product> => read(product, input);

/** The fields of a product. */
export const PRODUCT_SHAPE: Shape = product.shape as Shape;
