/** A line of a file, without what ends it; of CRLF, the CR is still there. */
export interface RawLine {
  /** Its number in the file, from 1. */
  readonly line: number;
  /** Undefined if the line is longer than allowed. */
  readonly bytes: Buffer | undefined;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Cuts a file, which comes in chunks, into lines. It keeps at most `maxLineBytes` of an unfinished
 * line: a longer line is dropped while it comes. Lines end with LF or CRLF or, where the first one
 * does, with CR alone, as old programs write them.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #line = 1;
  #parts: Buffer[] = [];
  #length = 0;
  /** Undefined until the first line has ended. */
  #end: number | undefined;
  /** Whether the file so far ends with CR, while it is not known what ends its lines. */
  #hasReturn = false;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that end in the chunk. */
  *take(chunk: Buffer): Generator<RawLine> {
    if (this.#end === undefined) yield* this.#findEnd(chunk);
    else yield* this.#cut(chunk, this.#end);
  }

  /** The last line, if nothing ends it. */
  *end(): Generator<RawLine> {
    if (this.#hasReturn) yield* this.#cut(RETURN, CARRIAGE_RETURN);
    if (this.#length > 0) yield this.#finish();
  }

  /** A CR at the end of a chunk is kept back, because LF may follow it. */
  *#findEnd(chunk: Buffer): Generator<RawLine> {
    const bytes = this.#hasReturn ? Buffer.concat([RETURN, chunk]) : chunk;
    const [feed, back] = [bytes.indexOf(LINE_FEED), bytes.indexOf(CARRIAGE_RETURN)];
    this.#hasReturn = back >= 0 && back === bytes.length - 1;
    const known = this.#hasReturn ? bytes.subarray(0, back) : bytes;
    const isAlone = back >= 0 && !this.#hasReturn && feed !== back + 1 && (feed < 0 || back < feed);
    if (isAlone) this.#end = CARRIAGE_RETURN;
    else if (feed >= 0) this.#end = LINE_FEED;
    if (this.#end === undefined) return this.#keep(known);
    this.#hasReturn = false;
    yield* this.#cut(bytes, this.#end);
  }

  *#cut(chunk: Buffer, sign: number): Generator<RawLine> {
    let from = 0;
    for (let end = chunk.indexOf(sign); end >= 0; end = chunk.indexOf(sign, from)) {
      this.#keep(chunk.subarray(from, end));
      yield this.#finish();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
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
const RETURN = Buffer.from('\r');
