import type { Instant } from '#domain';
import type { Context } from '../pipeline/context.ts';

/** Characters that are sent together. */
const CHUNK_CHARACTERS = 32_768;

/** Joins short texts, because each text of a streamed answer costs a write. */
export async function* joinIntoChunks(texts: AsyncIterable<string>): AsyncIterable<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Waits for the first item, so that an error in reading it is still answered with its status. */
export const waitForFirst = async <Item>(
  items: AsyncIterable<Item>,
): Promise<AsyncIterable<Item>> => {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* allItems() {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
};

/** Tells the caller from when on stored sales and refunds may be missing, if any may. */
export const setAsOf = (ctx: Context, asOf: Instant | undefined): void => {
  if (asOf !== undefined) ctx.set('X-Data-As-Of', asOf);
};
