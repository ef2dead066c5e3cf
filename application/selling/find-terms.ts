import {
  type CalendarDate,
  type Channel,
  type CheckedOffer,
  type CoveragePeriod,
  channelTextsOf,
  checkOffer,
  dateRefusals,
  type Instant,
  isLoopbackOrigin,
  isPricedByRequest,
  isRefusal,
  type Offer,
  type Quote,
  refuse,
  refuseLateQuotes,
  type SaleTerms,
  saleTerms,
} from '#domain';
import type { AttributeSchemas } from '../catalogue/attribute-schemas.ts';
import type { Catalogue, CatalogueOfDay } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Gateways } from '../payments/gateways.ts';
import type { NotSellable } from '../sales/sale-refusals.ts';
import {
  given,
  isUnknown,
  paidOnIn,
  type SaleDraft,
  type SaleRefusal,
  type SaleRequest,
} from '../sales/sale-request.ts';
import type { OpenQuote } from './open-quote.ts';
import { nameParts } from './parts-at-fault.ts';
import {
  dueWithinPrice,
  findInstallmentRefusal,
  findPeriod,
  type PricingContext,
  priceDraft,
} from './price-and-period.ts';

interface Needs {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly checkDraft: CheckDraft;
  readonly openQuote: OpenQuote;
  readonly gateways: Pick<Gateways, 'ofChannel'>;
}

/** Finds the terms on which a request can be sold. @param at the moment of the registration */
export type FindTerms = (request: SaleRequest, at: Instant) => Promise<SaleTerms | NotSellable>;

export const makeFindTerms = ({
  catalogue,
  checkDraft,
  clock,
  openQuote,
  gateways,
}: Needs): FindTerms =>
  async function findTerms(request, at) {
    const { channelLink, client, quoteId } = request;
    if (channelLink !== client.channelLink) return NOT_OWN;
    const today = clock.dayOf(at);
    const ofDay = await catalogueFor(catalogue, request, today);
    const asked = quoteId === undefined ? undefined : await openQuote(request, quoteId, ofDay);
    const { draft, catalogue: sold, opened } = asked ?? { draft: request, catalogue: ofDay };
    const checked = checkDraft(draft, sold, today, opened);
    const { authorizesUpTo } = gateways.ofChannel(ofDay.channels.get(channelLink));
    return freezeTerms(draft, checked, sold, today, authorizesUpTo);
  };

/**
 * The catalogue that a sale gets: that of the day on which the payer paid the channel, else that of
 * today. Whether the channel may sell at all is asked of today.
 */
const catalogueFor = async (
  catalogue: Catalogue,
  draft: SaleDraft,
  today: CalendarDate,
): Promise<CatalogueOfDay> => {
  const paidOn = paidOnIn(draft);
  const now = await catalogue.on(today);
  if (paidOn === undefined || paidOn >= today) return now;
  const then = await catalogue.on(paidOn);
  const [before, channel] = [then, now].map(({ channels }) => channels.get(draft.channelLink));
  if (before === undefined || channel === undefined || before.active === channel.active)
    return then;
  const { active } = channel;
  const channels = new Map(then.channels).set(draft.channelLink, { ...before, active });
  return { ...then, channels };
};

/** Finds what the catalogue and the calendar say against a draft. Writes nothing. */
export type FindFaults = (
  draft: SaleDraft,
) => Promise<Pick<NotSellable, 'reasons' | 'attributeFaults'>>;

export const makeFindFaults = ({
  catalogue,
  checkDraft,
  clock,
  openQuote,
}: Omit<Needs, 'gateways'>): FindFaults =>
  async function findFaults(draft) {
    const today = clock.today();
    const ofDay = await catalogueFor(catalogue, draft, today);
    if (draft.quoteId === undefined) return checkDraft(draft, ofDay, today);
    const onQuote = await openQuote(draft, draft.quoteId, ofDay);
    return checkDraft(onQuote.draft, onQuote.catalogue, today, onQuote.opened);
  };

const notSellable = (
  reasons: NotSellable['reasons'],
  attributeFaults: NotSellable['attributeFaults'],
): NotSellable => ({ ...refuse('not_sellable'), reasons, attributeFaults });

const NOT_OWN = notSellable([refuse('channel_not_own')], []);

/** The terms of a request without faults. */
const freezeTerms = (
  request: SaleRequest,
  { offer, quoted, period, reasons, attributeFaults }: CheckedDraft,
  { iofRates }: CatalogueOfDay,
  today: CalendarDate,
  authorizesUpTo: number | undefined,
): SaleTerms | NotSellable => {
  if (reasons.length > 0 || attributeFaults.length > 0)
    return notSellable(reasons, attributeFaults);
  if (offer === undefined || quoted === undefined || period === undefined)
    throw new Error('a request without faults has no terms');

  const { channelLink, client, insured, insuredObject, insuredAmount, idempotency } = request;
  const { additionalInsured, acceptance, soldOn = today } = request;
  const due = dueWithinPrice(request.payment, offer, quoted, { today, iofRates });
  const payment = offer.product.instrument === 'apolice' ? underwritten(due, authorizesUpTo) : due;
  const isByService = payment.collectedBy === 'service';
  return saleTerms(offer, quoted, {
    channelLink,
    clientId: client.clientId,
    insured,
    insuredObject,
    period,
    payment,
    soldOn,
    ...given({ insuredAmount, additionalInsured, acceptance }),
    ...channelTextsOf(request),
    ...(idempotency?.owner === 'channel' && { externalSaleId: idempotency.key }),
    ...(isByService && { iofClass: offer.product.iofClass }),
    // A card is charged at once.
    ...(isByService && payment.method !== 'credit' && given({ priceUntil: offer.until })),
  });
};

/** The payment of an `apolice`: no money before the insurer has accepted the proposal. */
const underwritten = (
  payment: SaleRequest['payment'],
  authorizesUpTo = 0,
): SaleRequest['payment'] => {
  if (payment.collectedBy === 'channel') return payment;
  const isHeld = payment.method === 'credit' && payment.installments <= authorizesUpTo;
  return { ...payment, underwriting: isHeld ? 'authorized' : 'accepted' };
};

type Reasons = Pick<NotSellable, 'reasons' | 'attributeFaults'>;

/** What is known of a draft's offer, price and period, and every reason not to sell it. */
interface CheckedDraft extends Reasons {
  readonly offer?: Offer | undefined;
  readonly quoted?: Quote | undefined;
  readonly period?: CoveragePeriod | undefined;
}

/**
 * Checks a draft. Every rule is checked whose parts are known, so that the caller learns all
 * faults at once: those of a whole request, and of a request with other faults.
 */
export type CheckDraft = (
  draft: SaleDraft,
  catalogue: CatalogueOfDay,
  today: CalendarDate,
  opened?: PricingContext['opened'],
) => CheckedDraft;

export const makeCheckDraft = ({
  attributeSchemas,
  clock,
  isTest,
}: {
  readonly attributeSchemas: AttributeSchemas;
  readonly clock: Clock;
  readonly isTest: boolean;
}): CheckDraft =>
  function checkDraft(draft, catalogue, today, opened) {
    const channel = catalogue.channels.get(draft.channelLink);
    const { refusals, ...wanted } = findWanted(draft, catalogue, channel);
    // Such a quote gives no price, whatever the draft says.
    const lateOrUnknown =
      opened && (isRefusal(opened) ? opened : refuseLateQuotes(opened.held, clock.now()));
    const reasons: readonly SaleRefusal[] = [
      ...refusals,
      ...checkDates(draft, today),
      ...checkReturnUrl(draft.payment.returnUrl, channel?.returnOrigins, isTest),
      ...(lateOrUnknown ? [lateOrUnknown] : []),
    ];
    const attributeFaults = checkAttributes(draft, wanted.product, attributeSchemas);
    const { offer, product } = wanted;
    const { sold, priced, isPlanKnown } = findPriced(draft, wanted, opened !== undefined);
    if (product === undefined || sold === undefined) return { reasons, attributeFaults };

    const { iofRates } = catalogue;
    const isLate = lateOrUnknown?.kind === 'quote_expired';
    const price = priced && priceDraft(draft, priced, { today, iofRates, opened, isLate });
    const offered = { plan: sold, product };
    const period = isPlanKnown ? findPeriod(draft, sold, today) : undefined;
    const found = [
      ...(price?.refusals ?? []),
      period,
      isPlanKnown ? findInstallmentRefusal(draft, offered, price?.quoted, today) : undefined,
    ]
      .filter((each) => isRefusal(each))
      .map((refusal) => nameParts(refusal, draft, offered))
      .filter(({ kind }) => !isSaid(kind, { reasons, attributeFaults }));
    return {
      offer,
      quoted: price?.quoted,
      period: isRefusal(period) ? undefined : period,
      reasons: found.length === 0 ? reasons : [...reasons, ...found],
      attributeFaults,
    };
  };

/** What the draft names in the catalogue. */
const findWanted = (
  { product, line, plan, coverages, payment, unknown }: SaleDraft,
  { products }: CatalogueOfDay,
  channel: Channel | undefined,
): CheckedOffer =>
  product === undefined || unknown?.has('product')
    ? NOTHING_WANTED
    : checkOffer(products, channel, {
        ...{ product, line, plan, coverages },
        paidTo: payment.collectedBy,
      });

const NOTHING_WANTED: CheckedOffer = { refusals: [] };

const checkDates = (draft: SaleDraft, today: CalendarDate) => {
  const { soldOn, eventOn, insured } = draft;
  const dates = { soldOn, eventOn, paidOn: paidOnIn(draft), birthDate: insured?.birthDate };
  return dateRefusals(dates, today);
};

/**
 * A payment page leads back to registered origins only, so that it is no open redirect; in the test
 * environment also to the partner's own machine.
 */
const checkReturnUrl = (
  returnUrl: string | undefined,
  origins: readonly string[] = [],
  isTest: boolean,
): readonly SaleRefusal[] => {
  if (returnUrl === undefined) return [];
  const { origin } = new URL(returnUrl);
  if (origins.includes(origin) || (isTest && isLoopbackOrigin(origin))) return [];
  return [{ ...refuse('return_url_not_registered'), origins }];
};

/** The faults of the attributes, if the draft is held to the product's schema. */
export const checkAttributes = (
  { isHeldToSchema, insuredObject }: SaleDraft,
  product: CheckedOffer['product'],
  schemas: AttributeSchemas,
): Reasons['attributeFaults'] =>
  product !== undefined && isHeldToSchema && insuredObject !== undefined
    ? schemas.faultsOf(insuredObject, product.attributes)
    : [];

/** The plan to be sold, and the offer whose price can be judged: perhaps one that costs the same. */
const findPriced = (
  draft: SaleDraft,
  { product, plan, offer, alike }: Omit<CheckedOffer, 'refusals'>,
  isOnQuote: boolean,
) => {
  const isPlanKnown = plan !== undefined && !isUnknown(draft, 'plan');
  const isJudged = product !== undefined && (isPlanKnown || isPricedByRequest(product));
  // Without its plan or coverages, a sale by a quote has no price that could be judged.
  const priced = isJudged ? (offer ?? (isOnQuote ? undefined : alike)) : undefined;
  return { isPlanKnown, priced, sold: plan ?? priced?.plan };
};

/**
 * Skip a refusal that follows from another fault: an event before its payment also reverses the
 * period, an invalid event date leaves no period, the cover of a sale of long ago is over, and a
 * sale that the channel has to collect has no installments.
 */
const isSaid = (kind: SaleRefusal['kind'], { reasons, attributeFaults }: Reasons): boolean => {
  const isReason = (other: SaleRefusal['kind']) => reasons.some((each) => each.kind === other);
  return (
    (kind === 'period_reversed' && isReason('event_before_payment')) ||
    (kind === 'period_over' && isReason('sold_long_ago')) ||
    (kind === 'period_not_declared' && attributeFaults.some(({ path }) => path === 'eventDate')) ||
    (kind === 'installments_not_offered' && isReason('payment_not_with_service'))
  );
};
