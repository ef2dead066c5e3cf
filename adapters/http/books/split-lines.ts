/** A line of a file, without its line feed. */
export interface RawLine {
  /** Its number in the file, from 1. */
  readonly line: number;
  /** Undefined if the line is longer than allowed. */
  readonly bytes: Buffer | undefined;
}

const LINE_FEED = 0x0a;

/**
 * Cuts a file, which comes in chunks, into lines. It keeps at most `maxLineBytes` of an unfinished
 * line: a longer line is dropped while it comes.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #line = 1;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that end in the chunk. */
  *take(chunk: Buffer): Generator<RawLine> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#keep(chunk.subarray(from, end));
      yield this.#finish();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** The last line, if no line feed ends it. */
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
