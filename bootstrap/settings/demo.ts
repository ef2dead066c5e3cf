/** The channel of the demo catalogue. A database that has it is none of production. */
export const DEMO_CHANNEL_LINK = 'canal-demo';
