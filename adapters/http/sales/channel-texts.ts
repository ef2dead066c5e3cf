import Type, { type TNull, type TOptional, type TSchema, type TString, type TUnion } from 'typebox';
import { CHANNEL_TEXTS, type ChannelTextName, type ChannelTexts } from '#domain';
import { described, type Fields } from '../../kit/contract/described.ts';
import { nullableText, text } from '../../kit/contract/formats.ts';

interface ChannelText {
  /** The name of the text in answers. */
  readonly answered: string;
  /** The header of its column in Portuguese. */
  readonly header: string;
  readonly maxLength: number;
  readonly description: string;
}

/**
 * The one description of each text. From here it gets into the bodies of all endpoints that sell,
 * their answers, lists and filters, the events, the statement, the import, the reconciliation, the
 * evidence and the reference.
 */
const DESCRIBED = {
  sellerCode: {
    answered: 'seller_code',
    header: 'Vendedor',
    maxLength: 40,
    description: 'Quem vendeu, na loja',
  },
} as const satisfies Readonly<Record<ChannelTextName, ChannelText>>;

type Described = typeof DESCRIBED;

type Answered<Value> = {
  readonly [Name in ChannelTextName as Described[Name]['answered']]: Value;
};

const entries = CHANNEL_TEXTS.map((name) => [name, DESCRIBED[name]] as const);

/** An object with an entry for each text. */
const forEach = <Result>(
  entryOf: (name: ChannelTextName, described: ChannelText) => readonly [string, unknown],
): Result =>
  Object.fromEntries(entries.map(([name, described]) => entryOf(name, described))) as Result;

type TextFields = { readonly [Name in ChannelTextName]: TOptional<TString> };

/** The fields of a sale's body. */
export const channelTextFields = forEach<TextFields>((name, { maxLength, description }) => [
  name,
  Type.Optional(text(maxLength, { description })),
]);

/** The parameters that filter lists and statements. */
export const channelTextFilters = forEach<TextFields>((name, { maxLength, description }) => [
  name,
  Type.Optional(text(maxLength, { description: `Só as vendas com este valor. ${description}` })),
]);

/** The fields of an answer. */
export const channelTexts = described<ChannelTexts>()(
  forEach<Fields<ChannelTexts, Answered<TUnion<[TString, TNull]>> & Record<string, TSchema>>>(
    (name, { answered, description }) => [
      answered,
      [
        nullableText(`${description}; nulo se não foi enviado`),
        (texts: ChannelTexts) => texts[name] ?? null,
      ],
    ],
  ),
);

/** The headers of a statement's columns, by the names of the columns. */
export const CHANNEL_TEXT_HEADERS = forEach<Answered<string>>((_, { answered, header }) => [
  answered,
  header,
]);

/** The texts of a query, as they are stored. */
export const readChannelTextFilters = (query: object): ChannelTexts => {
  const sent = query as Readonly<Partial<Record<string, string>>>;
  return forEach((name) => [name, sent[name]?.trim().normalize('NFC')]);
};
