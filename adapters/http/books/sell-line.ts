import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { parseExternalSaleId } from '#domain';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import type { LineRecord, ReadLine } from '../../kit/sheets/read-line.ts';
import { answerTo, unavailableError } from '../../kit/web/pipeline/answers.ts';
import type { Exchange, State } from '../../kit/web/pipeline/context.ts';
import {
  type LineAnswer,
  type NamedLine,
  presentFaultyLine,
  presentRefusedLine,
  presentSoldLine,
} from './import-answers.ts';
import { Outage } from './outage.ts';
import { bodyOfCells, externalIdOfCell } from './sale-cells.ts';

export interface LineSalesParts {
  readonly catalogue: Catalogue;
  readonly log: Logger;
  /** Answers a single sale. */
  readonly sell: (exchange: Exchange) => Promise<void>;
}

/** A line as the request of a single sale. It has no headers of its own. */
class LineExchange implements Exchange {
  readonly state: State;
  readonly headers: IncomingHttpHeaders = {};
  readonly params = {};
  readonly request: Exchange['request'];
  status = 200;
  body: unknown;

  constructor(state: State, body: object) {
    this.state = { ...state };
    this.request = { body };
  }

  set(): void {}
}

/** Sells the lines of one import. Lines with the same `externalSaleId` wait for each other. */
export class LineSales {
  readonly #parts: LineSalesParts;
  readonly #state: State;
  readonly #outage = new Outage();
  /** The last line of each `externalSaleId` among those without an answer. */
  readonly #running = new Map<string, Promise<LineAnswer>>();

  constructor(parts: LineSalesParts, state: State) {
    this.#parts = parts;
    this.#state = state;
  }

  /** The answer to a line. Never rejects. */
  async answer(read: ReadLine): Promise<LineAnswer> {
    const { line } = read;
    if (read.fault !== undefined) return presentFaultyLine(line, read.fault);

    const id = externalIdIn(read);
    const named = { line, external_sale_id: id ?? null };
    if (id === undefined) return this.#sell(named, read);

    const name = parseExternalSaleId(id) ?? id;
    const earlier = this.#running.get(name);
    const answer =
      earlier === undefined ? this.#sell(named, read) : earlier.then(() => this.#sell(named, read));
    this.#running.set(name, answer);
    const answered = await answer;
    if (this.#running.get(name) === answer) this.#running.delete(name);
    return answered;
  }

  async #sell(named: NamedLine, read: LineRecord): Promise<LineAnswer> {
    if (this.#outage.isOn && !(await this.#outage.mayTry()))
      return presentRefusedLine(named, unavailableError());
    const answered = await this.#try(named, read);
    this.#outage.note(answered.status);
    return answered;
  }

  async #try(named: NamedLine, read: LineRecord): Promise<LineAnswer> {
    const { sell, log } = this.#parts;
    try {
      const body = read.separator === undefined ? read.record : await this.#bodyOfCells(read);
      const exchange = new LineExchange(this.#state, body);
      await sell(exchange);
      return presentSoldLine(named, exchange.status, exchange.body as never);
    } catch (error) {
      return presentRefusedLine(named, answerTo(error, this.#state, log));
    }
  }

  async #bodyOfCells(read: LineRecord): Promise<object> {
    const { 'product.id': id, 'product.code': code } = read.record;
    const { products } = await this.#parts.catalogue.current();
    const product = products.find((each) => each.code === code || String(each.id) === id);
    return bodyOfCells(read, product?.attributes);
  }
}

/** The longest that a sale may have is shorter. */
const MAX_SHOWN_LENGTH = 200;

const externalIdIn = ({ record, separator }: LineRecord): string | undefined => {
  const { externalSaleId: sent } = record;
  if (typeof sent !== 'string' || sent.length > MAX_SHOWN_LENGTH) return undefined;
  return separator === undefined ? sent : externalIdOfCell(sent);
};
