import { type Instant, toReais } from '#domain';
import {
  endOfPeriod,
  type GatewayReport,
  YOUNG_MINUTES,
} from '../../application/collection/reconcile-gateway.ts';
import { reconcileGateway } from '../composition/operator-use-cases.ts';
import { clock } from '../composition/ports.ts';
import type { AddCommands } from './add-commands.ts';
import { instant } from './command-arguments.ts';

interface ReconcileOptions {
  readonly gateway?: string;
  readonly from: Instant;
  readonly to?: Instant;
  readonly lostSince?: Instant;
  readonly apply?: true;
  readonly evenIfMany?: true;
}

/** Adds the command that compares the gateway's charges with the sales. */
export const gatewayCommands: AddCommands = (program, actor, print, withStores) => {
  program
    .command('reconcile-gateway')
    .description(
      'compare the charges at the payment gateway with the sales; says what it would do, or does it',
    )
    .option('--gateway <name>', 'the gateway; by default that of PAYMENT_GATEWAY')
    .requiredOption('--from <time>', 'sales registered from this time on', instant)
    .option('--to <time>', `and before this one; by default ${YOUNG_MINUTES} minutes ago`, instant)
    .option(
      '--lost-since <time>',
      'the moment to which the database was restored: charges of later sales that are not here may be refunded and withdrawn; without it they are only shown',
      instant,
    )
    .option('--apply', 'do it: refund, withdraw, take over')
    .option('--even-if-many', 'do it even if most charges have no sale, or most sales no charge')
    .action(async ({ gateway, from, to, lostSince, apply, evenIfMany }: ReconcileOptions) => {
      await withStores(async (service) => {
        const end = endOfPeriod(to, service.get(clock).now());
        if (from >= end) throw new Error(`--from must be before --to, which is ${end}`);
        if (lostSince !== undefined && (lostSince < from || lostSince >= end))
          throw new Error(`--lost-since must be from --from on and before --to, which is ${end}`);
        const choices = { apply: apply === true, evenIfMany: evenIfMany === true };
        const period = { gateway, from, to: end, lostSince };
        const report = await service.get(reconcileGateway)({ ...period, ...choices }, actor);
        print(presentReport(report));
        complainOf(report, choices.apply);
      }, 'gateway');
    });
};

/** @throws Error where not all that was asked for was done */
const complainOf = (report: GatewayReport, wasToApply: boolean): void => {
  if (wasToApply && !report.isApplied)
    throw new Error(
      'Nothing was done: most charges have no sale here, or most sales no charge there. Are DATABASE_URL and the key of the gateway of the same environment? If they are, add --even-if-many.',
    );
  const left = report.findings.filter(({ outcome }) => outcome === 'left').length;
  if (left > 0)
    throw new Error(
      `${left} charges have no sale here and were left alone. If the database was restored, give the moment: --lost-since.`,
    );
  const waiting = report.findings.filter(({ outcome }) => outcome === 'waiting').length;
  if (waiting > 0)
    throw new Error(`${waiting} of ${report.findings.length} are not done yet: run this again.`);
};

/** Amounts in reais. */
const presentReport = (report: GatewayReport): object => ({
  gateway: report.gateway,
  from: report.from,
  to: report.to,
  lost_since: report.lostSince ?? null,
  applied: report.isApplied,
  doubtful: report.isDoubtful,
  charges: {
    of_sales: report.charges.ofSales,
    without_sale: report.charges.withoutSale,
    of_others: report.charges.ofOthers,
  },
  sales_with_charge: report.sales,
  summary: summarize(report),
  findings: report.findings.map((each) => ({
    finding: each.kind,
    act: each.act,
    reference: each.reference,
    charge_id: each.chargeId,
    amount: toReais(each.amount),
    returned: toReais(each.returned),
    gateway: each.there,
    sale: each.here ?? null,
    ...(each.outcome !== undefined && { outcome: each.outcome }),
    ...(each.payerPage !== undefined && { payer_page: each.payerPage }),
    ...(each.error !== undefined && { error: each.error }),
  })),
});

/** Counts and amounts by finding and act. */
const summarize = ({ findings }: GatewayReport): readonly object[] =>
  [...Map.groupBy(findings, ({ kind, act }) => `${kind} ${act}`)].map(([name, group]) => {
    const [finding, act] = name.split(' ');
    const cents = group.reduce((sum, { amount, returned }) => sum + amount - returned, 0);
    return { finding, act, count: group.length, amount: cents / 100 };
  });
