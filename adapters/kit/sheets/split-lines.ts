/** A line of a file, without what ends it. */
export interface RawLine {
  /** The number of the line in the file, from 1. */
  readonly line: number;
  /** Undefined if the line is longer than allowed. */
  readonly bytes: Buffer | undefined;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Cuts a file, which comes in chunks, into lines. LF, CRLF and CR alone each end a line, in any mix,
 * because programs on Windows write CR CR LF and old ones write CR. It keeps at most `maxLineBytes`
 * of an unfinished line: a longer line is dropped while it comes.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #line = 1;
  #parts: Buffer[] = [];
  #length = 0;
  /** Whether the file so far ends with CR: an LF that follows belongs to it. */
  #hasReturn = false;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that end in the chunk. */
  *take(chunk: Buffer): Generator<RawLine> {
    if (chunk.length === 0) return;
    let from = this.#hasReturn && chunk[0] === LINE_FEED ? 1 : 0;
    this.#hasReturn = chunk.at(-1) === CARRIAGE_RETURN;
    let [feed, back] = [-1, -1];
    for (;;) {
      if (feed < from) feed = find(chunk, LINE_FEED, from);
      if (back < from) back = find(chunk, CARRIAGE_RETURN, from);
      const end = Math.min(feed, back);
      this.#keep(chunk.subarray(from, end));
      if (end === Infinity) return;
      yield this.#finish();
      from = (feed === back + 1 ? feed : end) + 1;
    }
  }

  /** The last line, if nothing ends it. */
  *end(): Generator<RawLine> {
    if (this.#length > 0) yield this.#finish();
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#maxLineBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #finish(): RawLine {
    const [first, ...others] = this.#parts;
    const whole = others.length === 0 ? (first ?? EMPTY) : Buffer.concat(this.#parts);
    const bytes = this.#length > this.#maxLineBytes ? undefined : whole;
    const line = this.#line;
    this.#line += 1;
    this.#parts = [];
    this.#length = 0;
    return { line, bytes };
  }
}

const EMPTY = Buffer.alloc(0);

const find = (chunk: Buffer, sign: number, from: number): number => {
  const at = chunk.indexOf(sign, from);
  return at < 0 ? Infinity : at;
};
