/** The fields of an event that are shown. A later version of the service may have more types. */
export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly transaction_id?: number;
    readonly external_sale_id?: string | null;
    readonly status?: string;
    readonly version?: number;
    readonly mailing?: { readonly occasion: string; readonly reason: string | null };
    readonly webhook_id?: string;
  };
}

interface Printing {
  readonly print: (text: string) => void;
  /** Prints the bodies as they are, one per line. */
  readonly asJson: boolean;
  /** It prints so many events. */
  readonly max: number;
}

/** Events whose repetition is recognized. */
const REMEMBERED_EVENTS = 10_000;

/** Prints events, each once, and counts them. */
export class EventPrinter {
  readonly #printing: Printing;
  /** The oldest first. */
  readonly #seen = new Set<string>();
  #count = 0;

  constructor(printing: Printing) {
    this.#printing = printing;
  }

  get count(): number {
    return this.#count;
  }

  /** How many more events it prints. */
  get room(): number {
    return this.#printing.max - this.#count;
  }

  /** @returns whether the event is new: a repeated one is not printed */
  add(event: EventBody, text = JSON.stringify(event)): boolean {
    if (this.#seen.has(event.id)) return false;
    this.#seen.add(event.id);
    const [oldest = ''] = this.#seen.size > REMEMBERED_EVENTS ? this.#seen : [];
    this.#seen.delete(oldest);
    this.#count += 1;
    this.#printing.print(this.#printing.asJson ? text : describe(event));
    return true;
  }
}

const describe = ({ timestamp, type, data }: EventBody): string => {
  const { transaction_id, external_sale_id, status, version, mailing, webhook_id } = data;
  return [
    timestamp,
    type,
    ...(transaction_id === undefined ? [] : [`venda ${transaction_id}`]),
    ...(external_sale_id ? [`(${external_sale_id})`] : []),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(version === undefined ? [] : [`versão ${version}`]),
    ...(mailing?.reason ? [`motivo ${mailing.reason}`] : []),
    ...(webhook_id === undefined ? [] : [`endpoint ${webhook_id}`]),
  ].join(' ');
};
