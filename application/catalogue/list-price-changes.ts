import { addDays, type CalendarDate } from '#domain';
import type { Catalogue, CatalogueOfDay } from './catalogue.ts';
import { type ComparedPlans, type ComparedPrice, comparePrices } from './compare-prices.ts';
import { catalogueByDay, firstDaysIn, timelinesOf } from './versions.ts';

/** How a plan changes on a day: before, the day before. At least one cause. */
export interface PriceChange extends ComparedPrice {
  readonly day: CalendarDate;
}

interface PriceChangeRequest extends ComparedPlans {
  /** The first and the last day, inclusive. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Finds on which days plans change, and what each change does to price and commission. */
export type ListPriceChanges = (
  request: PriceChangeRequest,
  page: {
    readonly limit: number;
    /** The place of the last change of the page before. */
    readonly after?: string | undefined;
  },
) => Promise<readonly PriceChange[]>;

/** Changes are sorted by their places. */
export const placeOfPriceChange = ({
  day,
  channelLink,
  product,
  plan,
}: Pick<PriceChange, 'day' | 'channelLink' | 'product' | 'plan'>): string =>
  [day, channelLink, product, plan].join(' ');

export const makeListPriceChanges =
  ({ catalogue }: { readonly catalogue: Catalogue }): ListPriceChanges =>
  async (request, { limit, after = '' }) => {
    const { from, to } = request;
    const state = await catalogue.load();
    const catalogueOn = catalogueByDay(state);
    const rates = catalogueOn(from).iofRates.map((rate) => rate.from);
    const days = new Set([...firstDaysIn(timelinesOf(state.versions)), ...rates]);
    const found: PriceChange[] = [];
    for (const day of [...days].filter((each) => each >= from && each <= to).sort()) {
      if (day < after.slice(0, day.length)) continue;
      for (const change of changesOn(day, catalogueOn, request)) {
        if (found.length === limit) return found;
        if (placeOfPriceChange(change) > after) found.push(change);
      }
    }
    return found;
  };

function* changesOn(
  day: CalendarDate,
  catalogueOn: (day: CalendarDate) => CatalogueOfDay,
  request: PriceChangeRequest,
): Iterable<PriceChange> {
  const eve = addDays(day, -1);
  const [before, after] = [
    { on: eve, ...catalogueOn(eve) },
    { on: day, ...catalogueOn(day) },
  ];
  for (const compared of comparePrices(before, after, request)) {
    const isSold = (compared.before ?? compared.after) !== undefined;
    if (isSold && compared.causes.length > 0) yield { day, ...compared };
  }
}
