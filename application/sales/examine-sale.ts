import {
  type DateRefusal,
  dateRefusals,
  findOffer,
  isRefusal,
  type Offer,
  type OfferRefusal,
  type Refusal,
  refuse,
} from '#domain';
import type { AttributeFault } from '../catalogue/attribute-schemas.ts';
import type { CurrentCatalogue } from '../catalogue/catalogue.ts';
import type { Ports } from '../ports.ts';
import { catalogueAsQuoted, completeByQuote, type OpenQuote } from '../quotes/open-quote.ts';
import { paidOnIn, type SaleDraft } from './sale-request.ts';

/** A quote that gives no price. */
type QuoteFault = 'quote_unknown' | 'quote_expired';

export interface Examination {
  readonly offer: Offer | undefined;
  /** Every rule of the offer and of the dates that the draft breaks. */
  readonly reasons: readonly Refusal<OfferRefusal | DateRefusal | QuoteFault>[];
  readonly attributeFaults: readonly AttributeFault[];
}

type Needs = Pick<Ports, 'catalogue' | 'attributeSchemas' | 'clock'>;

/** Checks a draft against a catalogue and the calendar, and returns all faults. */
export type Examine = (draft: SaleDraft, catalogue: CurrentCatalogue) => Examination;

export const makeExamine = ({ attributeSchemas, clock }: Omit<Needs, 'catalogue'>): Examine =>
  function examine(draft, { products, channels }) {
    const { channelLink, product, insured, insuredObject, payment } = draft;
    const dates = { ...draft, paidOn: paidOnIn(draft), birthDate: insured?.birthDate };
    const reasons = dateRefusals(dates, clock.today());
    const none = { offer: undefined, reasons, attributeFaults: [] };
    if (product === undefined) return none;

    const wanted = { ...draft, product, paidTo: payment.collectedBy };
    const offer = findOffer(products, channels.get(channelLink), wanted);
    if (isRefusal(offer)) return { ...none, reasons: [offer, ...reasons] };
    const attributeFaults =
      draft.isHeldToSchema && insuredObject !== undefined
        ? attributeSchemas.faultsOf(insuredObject, offer.product.attributes)
        : [];
    return { offer, reasons, attributeFaults };
  };

/** Checks a draft against what is sold today. Writes nothing. */
export type ExamineSale = (draft: SaleDraft) => Promise<Examination>;

export const makeExamineSale = ({
  catalogue,
  clock,
  examine,
  openQuote,
}: Pick<Needs, 'catalogue' | 'clock'> & {
  readonly examine: Examine;
  readonly openQuote: OpenQuote;
}): ExamineSale =>
  async function examineSale(draft) {
    const { channelLink, quoteId } = draft;
    const current = await catalogue.current();
    if (quoteId === undefined) return examine(draft, current);

    const opened = await openQuote(quoteId, channelLink, current);
    if (isRefusal(opened)) return withReason(examine(draft, current), opened);
    const view = catalogueAsQuoted(current, opened);
    const examined = examine(completeByQuote(draft, opened), view);
    const isOver = clock.now() > opened.held.until;
    return isOver ? withReason(examined, refuse('quote_expired')) : examined;
  };

const withReason = (
  examined: Examination,
  reason: Examination['reasons'][number],
): Examination => ({ ...examined, reasons: [...examined.reasons, reason] });
