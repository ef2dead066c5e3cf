import {
  type BookTotals,
  type Cents,
  formatDecimal,
  NO_LINES,
  type Refund,
  toReais,
  withLine,
} from '#domain';
import type {
  Statement,
  StatementLine,
} from '../../../application/statements/channel-statement.ts';
import { declinedCount } from '../generic/declined-offers-route.ts';
import { refund } from '../sales/money-after-sale.ts';
import { factsOf, figuresOf, pendingOf } from './statement-lines.ts';

/** A statement is for accountants: the page of the payer is in the sale alone. */
const presentWithoutPage = (each: Refund) => {
  const { url: _, ...shown } = refund.present(each);
  return shown;
};

const writeLine = (each: StatementLine): string =>
  JSON.stringify({
    ...factsOf(each),
    ...figuresOf<Cents, number>(each.booking, toReais),
    refund_pending: toReais(pendingOf(each)),
    refunds: (each.returning?.refunds ?? []).map(presentWithoutPage),
  });

/** Sums are bigint, which JSON.stringify does not write. */
const writeSums = (totals: BookTotals): string => {
  const sums = Object.entries(figuresOf<bigint, string>(totals, formatDecimal));
  return `{"lines":${totals.lines},${sums.map(([name, value]) => `"${name}":${value}`).join()}}`;
};

/** Writes a statement as JSON, line by line, with the totals of the written lines at the end. */
export async function* writeJson(
  head: { readonly channelLink: string; readonly month: string; readonly final: boolean },
  lines: AsyncIterable<StatementLine>,
  declined: Statement['declined'],
): AsyncIterable<string> {
  const totals = { sale: NO_LINES, refund: NO_LINES, all: NO_LINES };
  yield `{"success":true,"response":{"data":${JSON.stringify(head).slice(0, -1)},"lines":[`;
  for await (const each of lines) {
    yield `${totals.all.lines === 0 ? '' : ','}${writeLine(each)}`;
    totals[each.booking.kind] = withLine(totals[each.booking.kind], each.booking);
    totals.all = withLine(totals.all, each.booking);
  }
  const { sale, refund, all } = totals;
  yield `],"totals":{"sales":${writeSums(sale)},"refunds":${writeSums(refund)},"all":${writeSums(all)},` +
    `"owed_by_channel":${formatDecimal(all.owedByChannel)},"owed_to_channel":${formatDecimal(all.owedToChannel)},` +
    `"declined_offers":${JSON.stringify(declined.map(declinedCount.present))}}}}}`;
}
