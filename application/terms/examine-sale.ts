import {
  type Channel,
  type DateRefusal,
  dateRefusals,
  examineOffer,
  type OfferFindings,
  type OfferRefusal,
  type Refusal,
  refuse,
} from '#domain';
import type { AttributeFault, AttributeSchemas } from '../catalogue/attribute-schemas.ts';
import type { CurrentCatalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { paidOnIn, type SaleDraft } from '../sales/sale-request.ts';

export interface Examination extends Pick<OfferFindings, 'product' | 'plan' | 'offer' | 'alike'> {
  /** Every rule of the offer and of the dates that the draft breaks. */
  readonly reasons: readonly Refusal<OfferRefusal | DateRefusal | 'return_url_not_registered'>[];
  readonly attributeFaults: readonly AttributeFault[];
}

interface Needs {
  readonly attributeSchemas: AttributeSchemas;
  readonly clock: Clock;
}

/** Checks a draft against a catalogue and the calendar, and returns all faults. */
export type Examine = (draft: SaleDraft, catalogue: CurrentCatalogue) => Examination;

export const makeExamine = ({ attributeSchemas, clock }: Needs): Examine =>
  function examine(draft, { products, channels }) {
    const { channelLink, product, insured, insuredObject, payment } = draft;
    const { soldOn, eventOn, line, plan, coverages, isHeldToSchema } = draft;
    const dates = { soldOn, eventOn, paidOn: paidOnIn(draft), birthDate: insured?.birthDate };
    const channel = channels.get(channelLink);
    const ofDraft = [
      ...dateRefusals(dates, clock.today()),
      ...returnRefusals(payment.returnUrl, channel),
    ];
    if (product === undefined || draft.unknown?.has('product'))
      return { reasons: ofDraft, attributeFaults: [] };

    const wanted = { product, line, plan, coverages, paidTo: payment.collectedBy };
    const { refusals, ...found } = examineOffer(products, channel, wanted);
    const attributeFaults =
      found.product !== undefined && isHeldToSchema && insuredObject !== undefined
        ? attributeSchemas.faultsOf(insuredObject, found.product.attributes)
        : [];
    return { ...found, reasons: [...refusals, ...ofDraft], attributeFaults };
  };

/** A payment page leads back to registered origins only, so that it is no open redirect. */
const returnRefusals = (returnUrl: string | undefined, channel: Channel | undefined) =>
  returnUrl === undefined || channel?.returnOrigins?.includes(new URL(returnUrl).origin)
    ? []
    : [refuse('return_url_not_registered')];
