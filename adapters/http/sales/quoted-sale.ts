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
