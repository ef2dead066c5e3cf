/** A moment, ms since 1970, and how far the primary's log reached then, in bytes. */
export interface Mark {
  readonly at: number;
  readonly position: number;
}

/** Marks that are kept: ten minutes, at one a second. */
const MOST_MARKS = 600;

/**
 * How far the log of the primary reached at which moment. From the position up to which a standby
 * has replayed the log follows the moment up to which it has everything, without its clock, and
 * also while nothing is written.
 */
export class PrimaryMarks {
  #marks: Mark[] = [];
  #server: string | undefined;

  /** @param server changes with each failover: positions of two servers cannot be compared */
  add(mark: Mark, server: string): void {
    if (server !== this.#server) this.#marks = [];
    this.#server = server;
    this.#marks.push(mark);
    if (this.#marks.length > MOST_MARKS) this.#marks.shift();
  }

  /** The moment up to which a standby has everything; undefined: before all marks. */
  momentOf(position: number): number | undefined {
    return this.#marks.findLast((mark) => mark.position <= position)?.at;
  }

  /** How far a standby must be to have everything up to the moment; undefined: without marks. */
  positionAt(moment: number): number | undefined {
    return (this.#marks.findLast((mark) => mark.at <= moment) ?? this.#marks[0])?.position;
  }

  /** The moment of the oldest mark. */
  get since(): number | undefined {
    return this.#marks[0]?.at;
  }
}
