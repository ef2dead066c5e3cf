import Type from 'typebox';
import { MAX_SEALED_CHARACTERS } from '../../../application/terms/quote-seal.ts';
import { text } from '../contract/formats.ts';

/** The field of a sale's body that names its quote. */
export const quoteIdField = {
  quoteId: Type.Optional(
    text(MAX_SEALED_CHARACTERS, {
      title: 'QuoteId',
      description:
        'O quote_id de uma cotação do canal: a venda tem aquele preço, e o que ela diz deve ser o mesmo',
    }),
  ),
};

/** Where an endpoint shows that a sale differs from its quote. Absent: at `quoteId`. */
type QuotedParts<Field extends string> = Readonly<Record<string, Field>>;

/** The fields at which refusals of a quote are shown. */
export const quoteRefusalsAt = <Field extends string>(fields: QuotedParts<Field>) =>
  ({
    quote_unknown: 'quoteId',
    quote_expired: 'quoteId',
    quote_differs: (part: string): Field | 'quoteId' => fields[part] ?? 'quoteId',
  }) as const;
