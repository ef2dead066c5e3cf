/** The address that the examples show, also that of the sandbox's payment pages. */
const SHOWN_ADDRESS = 'http://127.0.0.1:3000';
const PAGES_IN_MEMORY = 'https://pay.example';

/** Fields by whose values later requests name something, or prove who sends them. */
const LEARNED: ReadonlySet<string> = new Set([
  'access_token',
  'client_id',
  'client_secret',
  'event_id',
  'evidence',
  'id',
  'next_cursor',
  'quote_id',
  'refresh_token',
  'secret',
  'ticket',
]);

/** Fields that are secret, or too long to be shown, each with the beginning of what is shown. */
const SECRET: Readonly<Record<string, string>> = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.exemplo',
  client_secret: 'segredo-de-exemplo',
  evidence: 'eyJhbGciOiJFUzI1NiIsInR5cCI6InNhbGUtZXZpZGVuY2Urand0In0.exemplo',
  quote_id: '1.20261122.cotacao-de-exemplo',
  refresh_token: 'refresh-token-de-exemplo',
  secret: 'whsec_segredo-de-exemplo',
};

/** A value that is also replaced within others: a ticket in an address. */
const ULID = /[0-9A-HJKMNP-TV-Z]{26}/;

type Visit = (name: string, shown: string, given: string) => void;

const visitTexts = (shown: unknown, given: unknown, visit: Visit, name = ''): void => {
  if (typeof given === 'string') {
    visit(name, typeof shown === 'string' ? shown : '', given);
  } else if (typeof given === 'object' && given !== null) {
    for (const [key, each] of Object.entries(given))
      visitTexts((shown as Record<string, unknown> | null)?.[key], each, visit, key);
  }
};

/** Translates between the values that examples show and those of a run of the service. */
export class ExampleValues {
  readonly #address: string;
  readonly #givenOf = new Map<string, string>();
  readonly #shownOf = new Map<string, string>();
  #disguises = 0;

  /** @param address of the service that runs */
  constructor(address: string) {
    this.#address = address;
  }

  /** Notes which values of an answer stand for which shown ones. */
  learn(shown: unknown, given: unknown): void {
    visitTexts(shown, given, (name, shownText, givenText) => {
      if (!LEARNED.has(name) || shownText === '' || this.#shownOf.has(givenText)) return;
      this.#givenOf.set(shownText, givenText);
      this.#shownOf.set(givenText, shownText);
    });
  }

  /** Invents a shown value for each secret of an answer that has none yet. */
  disguise(given: unknown): void {
    visitTexts(undefined, given, (name, _, text) => {
      const beginning = SECRET[name];
      if (beginning === undefined || this.#shownOf.has(text)) return;
      this.#disguises += 1;
      const shown = `${beginning}-${this.#disguises}`;
      this.#givenOf.set(shown, text);
      this.#shownOf.set(text, shown);
    });
  }

  /** A shown value, as this run has it. */
  toGiven<Value>(shown: Value): Value {
    return replaceTexts(shown, [[SHOWN_ADDRESS, this.#address]], this.#givenOf) as Value;
  }

  /** A value of this run, as it is shown. */
  toShown(given: unknown): unknown {
    const addresses: readonly Pair[] = [
      [this.#address, SHOWN_ADDRESS],
      [PAGES_IN_MEMORY, SHOWN_ADDRESS],
    ];
    return replaceTexts(given, addresses, this.#shownOf);
  }
}

type Pair = readonly [string, string];

const replaceTexts = (
  value: unknown,
  addresses: readonly Pair[],
  known: ReadonlyMap<string, string>,
): unknown => {
  const parts = [...known].filter(([from]) => ULID.test(from));
  const replace = (text: string): string =>
    known.get(text) ??
    [...addresses, ...parts].reduce((made, [from, to]) => made.replaceAll(from, to), text);
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each === 'string' ? replace(each) : each,
  );
};
