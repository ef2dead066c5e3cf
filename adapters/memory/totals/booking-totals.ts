import {
  type BookedAmounts,
  type Booking,
  bookingsOf,
  businessDay,
  type Cents,
  type Instant,
  owedByChannel,
  owedToChannel,
  plus,
  type Sale,
} from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { RebuildStep } from '../../../application/rebuild.ts';
import type {
  BookingTotals,
  SummedBookings,
  SummedOffers,
  TotalKey,
  Totals,
  TotalsQuery,
} from '../../../application/totals/booking-totals.ts';
import { type CountedOffer, offersOf } from '../../../application/totals/counted-offers.ts';
import type { MemoryPartnerEvents } from '../events/partner-events.ts';
import type { MemorySales } from '../sales/sales.ts';

interface Counted {
  readonly sale: Sale;
  readonly booking: Booking;
}

interface Offered {
  readonly sale: Sale;
  readonly offer: CountedOffer;
}

const placeOf = ({ key, kind }: SummedOffers): string => `${key} ${kind === 'taken_up' ? 0 : 1}`;

const KEYS: Readonly<Record<TotalKey, (counted: Counted) => string>> = {
  day: ({ booking }) => businessDay(booking.at),
  channel: ({ sale }) => sale.terms.channelLink,
  product: ({ sale }) => sale.terms.product.code,
};

export class MemoryBookingTotals implements BookingTotals {
  readonly #sales: MemorySales;
  readonly #clock: Clock;
  readonly #events: MemoryPartnerEvents;
  #place = 0;
  readonly #counted = new Map<string, Counted>();
  readonly #offers = new Map<string, Offered>();
  #asOf: Instant | null = null;

  constructor(sales: MemorySales, events: MemoryPartnerEvents, clock: Clock) {
    this.#sales = sales;
    this.#events = events;
    this.#clock = clock;
  }

  async follow(limit: number): Promise<'done' | 'more'> {
    const news = this.#events.after(this.#place, limit + 1);
    const next = news.slice(0, limit);
    this.#place = next.at(-1)?.place ?? this.#place;
    for (const event of next)
      if ('sale' in event) this.#count(await this.#sales.load(event.sale.id));
    if (news.length > next.length) return 'more';
    this.#asOf = this.#clock.now();
    return 'done';
  }

  async read({ from, to, by, channelLink, productCode }: TotalsQuery): Promise<Totals> {
    const fits = ({ sale: { terms }, booking }: Counted): boolean => {
      const day = businessDay(booking.at);
      const isOfChannel = channelLink === undefined || terms.channelLink === channelLink;
      const isOfProduct = productCode === undefined || terms.product.code === productCode;
      return day >= from && day <= to && isOfChannel && isOfProduct;
    };
    const groups = Map.groupBy([...this.#counted.values()].filter(fits), (each) =>
      JSON.stringify([KEYS[by](each), each.booking.kind]),
    );
    const sums = [...groups].map(([name, all]) => sumOf(JSON.parse(name), all));
    const order = ({ key, kind }: SummedBookings) => `${key} ${kind === 'sale' ? 0 : 1}`;
    sums.sort((one, other) => (order(one) < order(other) ? -1 : 1));
    const days = [
      ...[...this.#counted.values()].map(({ booking }) => businessDay(booking.at)),
      ...[...this.#offers.values()].map(({ offer }) => offer.day),
    ];
    const offers = this.#offersOf({ from, to, by, channelLink, productCode });
    return { asOf: this.#asOf, since: days.sort()[0] ?? null, sums, offers };
  }

  async empty(): Promise<void> {
    this.#counted.clear();
    this.#offers.clear();
  }

  async rebuild(before: number, limit: number): Promise<RebuildStep> {
    const listed = await this.#sales.list({ before, limit });
    for (const sale of listed) this.#count(sale);
    return { entered: listed.length, next: Math.min(before, ...listed.map(({ id }) => id)) };
  }

  #count(sale: Sale | undefined): void {
    if (sale === undefined) return;
    for (const booking of bookingsOf(sale))
      this.#counted.set(`${sale.id} ${booking.kind}`, { sale, booking });
    for (const offer of offersOf(sale))
      this.#offers.set(`${sale.id} ${offer.kind}`, { sale, offer });
  }

  #offersOf({ from, to, by, channelLink, productCode }: TotalsQuery): readonly SummedOffers[] {
    const keyOf = ({ sale: { terms }, offer }: Offered): string =>
      ({ day: offer.day, channel: terms.channelLink, product: terms.product.code })[by];
    const fitting = [...this.#offers.values()].filter(
      ({ sale: { terms }, offer: { day } }) =>
        day >= from &&
        day <= to &&
        terms.channelLink === (channelLink ?? terms.channelLink) &&
        terms.product.code === (productCode ?? terms.product.code),
    );
    const groups = Map.groupBy(fitting, (each) => JSON.stringify([keyOf(each), each.offer.kind]));
    return [...groups]
      .map(([name, all]): SummedOffers => {
        const [key, kind] = JSON.parse(name);
        return {
          key,
          kind,
          lines: all.length,
          total: plus(...all.map(({ offer }) => offer.total)),
        };
      })
      .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  }
}

const sumOf = (
  [key, kind]: readonly [string, Booking['kind']],
  all: readonly Counted[],
): SummedBookings => {
  const of = (amountOf: (booking: Booking) => Cents): Cents =>
    plus(...all.map(({ booking }) => amountOf(booking)));
  const sum = (name: keyof BookedAmounts): Cents => of((booking) => booking[name]);
  return {
    ...{ key, kind, lines: all.length, net: sum('net'), iof: sum('iof'), total: sum('total') },
    ...{ commission: sum('commission'), netAmount: sum('netAmount') },
    ...{ owedByChannel: of(owedByChannel), owedToChannel: of(owedToChannel) },
  };
};
