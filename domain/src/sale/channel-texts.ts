/**
 * The texts that a channel may add to a sale for its own use, by name. They are frozen with the
 * terms, and no rule depends on them. What each one is, and where it is shown, is described in
 * `adapters/http/sales/channel-texts.ts`.
 */
export const CHANNEL_TEXTS = ['sellerCode'] as const satisfies readonly string[];

export type ChannelTextName = (typeof CHANNEL_TEXTS)[number];

/** The texts that a channel sent with a sale. */
export type ChannelTexts = { readonly [Name in ChannelTextName]?: string };

/** The texts among other properties. */
export const channelTextsOf = (
  source: {
    readonly [Name in ChannelTextName]?: string | null | undefined;
  },
): ChannelTexts => {
  const texts: Partial<Record<string, string>> = {};
  for (const name of CHANNEL_TEXTS) {
    const text = source[name] ?? undefined;
    if (text !== undefined) texts[name] = text;
  }
  return texts as ChannelTexts;
};
