import Type from 'typebox';
import type { ChannelTextName, ChannelTexts } from '#domain';
import { given } from '../../../application/sales/sale-request.ts';
import { nullableText, text } from '../contract/formats.ts';

// What each text is, and its names. From here it gets into the bodies of all endpoints that sell,
// their answers, lists and filters, the events, the statement, the import, the reconciliation, the
// evidence and the reference.

const MAX_SELLER_LENGTH = 40;
const SELLER = 'Quem vendeu, na loja';

/** The fields of a sale's body. */
export const channelTextFields = {
  sellerCode: Type.Optional(text(MAX_SELLER_LENGTH, { description: SELLER })),
} satisfies Record<ChannelTextName, unknown>;

/** The parameters that filter lists and statements. */
export const channelTextFilters = {
  sellerCode: Type.Optional(
    text(MAX_SELLER_LENGTH, { description: `Só as vendas com este valor. ${SELLER}` }),
  ),
} satisfies Record<ChannelTextName, unknown>;

/** The texts of a query, as they are stored. */
export const readChannelTextFilters = ({ sellerCode }: ChannelTexts): ChannelTexts =>
  given({ sellerCode: sellerCode?.trim().normalize('NFC') });

/** The fields of an answer. */
export const channelTextsShape = {
  seller_code: nullableText(`${SELLER}; nulo se não foi enviado`),
};

export const presentChannelTexts = ({ sellerCode }: ChannelTexts) => ({
  seller_code: sellerCode ?? null,
});

/** The headers of a statement's columns in Portuguese, by the names of the columns. */
export const CHANNEL_TEXT_HEADERS = { seller_code: 'Vendedor' };
