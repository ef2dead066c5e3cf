import type { Answer, Api } from './api.ts';
import { ExampleValues } from './example-values.ts';
import {
  type Example,
  type ExampleRequest,
  type Examples,
  listExamples,
  readExamples,
} from './examples.ts';
import { type Operation, readOperations } from './operations.ts';

/** Headers of an answer that its examples show. */
const SHOWN_HEADERS = [
  'Idempotent-Replayed',
  'X-Error-Code',
  'X-Error-Fields',
  'X-Ignored-Fields',
  'Retry-After',
];

type HeaderValues = Readonly<Record<string, string>>;

/** What the service answered to an example, with the values that the example shows. */
export interface Played {
  readonly operation: string;
  readonly example: Example;
  readonly status: string;
  readonly headers: HeaderValues;
  readonly body: unknown;
}

/** Sends examples to a service, each once, in the order of a scenario. */
export class ExampleRunner {
  readonly api: Api;
  readonly played: Played[] = [];
  readonly operations: ReadonlyMap<string, Operation>;
  /** The examples of operations by the names of their files. Those of events are not sent. */
  readonly files: ReadonlyMap<string, Examples>;
  readonly #values: ExampleValues;
  readonly #isRecording: boolean;
  /** The headers by which callers of a scope prove who they are. */
  readonly callers: Record<string, HeaderValues> = {};

  private constructor(api: Api, operations: ReadonlyMap<string, Operation>, isRecording: boolean) {
    this.api = api;
    this.operations = operations;
    const files = [...readExamples()];
    this.files = new Map(files.filter(([, { answers }]) => answers !== undefined));
    this.#values = new ExampleValues(api.url);
    this.#isRecording = isRecording;
  }

  /** @param isRecording whether answers become those that the examples show */
  static async start(api: Api, isRecording: boolean): Promise<ExampleRunner> {
    return new ExampleRunner(api, await readOperations(api), isRecording);
  }

  /** Sends the examples of the operations that were not called yet: they need nothing before them. */
  async playOthers(): Promise<void> {
    const played = new Set(this.played.map(({ operation }) => operation));
    for (const name of this.files.keys()) if (!played.has(name)) await this.play(name);
  }

  /**
   * Sends examples, a second apart.
   *
   * @param named `operation`: those that were not sent yet; `operation.example`: one of them
   * @param signed headers that depend on the body
   */
  async play(named: string, signed: (body: string) => HeaderValues = () => ({})): Promise<void> {
    const operations = [...this.files.keys()].filter((each) => `${named}.`.startsWith(`${each}.`));
    const operation = operations.sort((one, other) => other.length - one.length)[0];
    const file = operation === undefined ? undefined : this.files.get(operation);
    if (operation === undefined || file === undefined) throw new Error(`no examples: ${named}`);

    const one = named === operation ? undefined : named.slice(operation.length + 1);
    const examples = listExamples(file).filter((example) => {
      return one === undefined ? !this.#isPlayed(operation, example) : example.name === one;
    });
    if (examples.length === 0) throw new Error(`nothing to send: ${named}`);
    for (const example of examples) {
      this.api.memory.clock.advance(1);
      await this.#send(operation, example, signed);
    }
  }

  #isPlayed(operation: string, { name, status }: Example): boolean {
    return this.played.some(({ operation: other, example }) => {
      return operation === other && example.name === name && example.status === status;
    });
  }

  async #send(
    operation: string,
    example: Example,
    signed: (body: string) => HeaderValues,
  ): Promise<void> {
    const { status, headers, body } = await this.#call(operation, example.request, signed);
    this.#values.learn(example.answer.body, body);
    if (this.#isRecording) this.#values.disguise(body);

    this.played.push({
      operation,
      example,
      status: String(status),
      headers: shownHeadersOf(headers),
      body: this.#values.toShown(body),
    });
  }

  async #call(
    name: string,
    shown: ExampleRequest,
    signed: (body: string) => HeaderValues,
  ): Promise<Answer> {
    const operation = this.operations.get(name);
    if (operation === undefined) throw new Error(`no operation: ${name}`);
    const { path = {}, query, headers, body } = this.#values.toGiven(shown);

    const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, each: string) => {
      return encodeURIComponent(path[each] ?? '');
    });
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    const type = headers?.['Content-Type'] ?? JSON_TYPE;
    const text = body === undefined ? undefined : write(type, body);
    const response = await fetch(`${this.api.url}/api${filled}${search}`, {
      method: operation.method.toUpperCase(),
      headers: {
        ...(text !== undefined && { 'Content-Type': type }),
        ...this.callers[operation.scope ?? ''],
        ...headers,
        ...(text !== undefined && signed(text)),
      },
      ...(text !== undefined && { body: text }),
    });
    return { status: response.status, headers: response.headers, body: await read(response) };
  }
}

const JSON_TYPE = 'application/json';

const shownHeadersOf = (headers: Answer['headers']): HeaderValues => {
  const type = headers.get('Content-Type')?.split(';')[0] ?? JSON_TYPE;
  const shown = SHOWN_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(type === JSON_TYPE ? shown : [['Content-Type', type], ...shown]);
};

const write = (type: string, body: unknown): string => {
  if (typeof body === 'string') return body;
  if (type === 'application/x-www-form-urlencoded')
    return new URLSearchParams(body as Record<string, string>).toString();
  return JSON.stringify(body);
};

/** A JSON body as a value, any other as a text, and undefined if it is empty. */
const read = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  if (text === '') return undefined;
  return response.headers.get('Content-Type')?.startsWith(JSON_TYPE) ? JSON.parse(text) : text;
};
