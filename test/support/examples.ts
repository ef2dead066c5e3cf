import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const FOLDER = new URL('../../adapters/http/reference/examples/', import.meta.url);

/** A request as the document shows it. */
export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is. */
  readonly body?: unknown;
}

export interface ExampleAnswer {
  readonly summary: string;
  /** The headers that matter; `Content-Type` only if the body is not JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What is sent for this answer. Absent: the request of the same name. */
  readonly request?: ExampleRequest;
}

/** The examples of an operation. Those of events have no answers. */
export interface Examples {
  readonly request: Readonly<Record<string, ExampleRequest & { readonly summary: string }>>;
  /** By status, then by name. */
  readonly answers?: Record<string, Record<string, ExampleAnswer>>;
}

/** A request and the answer that is shown for it. */
export interface Example {
  readonly name: string;
  readonly status: string;
  readonly request: ExampleRequest;
  readonly answer: ExampleAnswer;
}

/** The examples of all operations, also of those by which the service sends events, by the name of their file without `.json`. */
export const readExamples = (): ReadonlyMap<string, Examples> =>
  new Map(
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.json'))
      .map((file) => [
        file.slice(0, -'.json'.length),
        JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
      ]),
  );

/** Stores the examples of an operation; `npx biome check --write` formats the file. */
export const writeExamples = (operation: string, examples: Examples): void =>
  writeFileSync(new URL(`${operation}.json`, FOLDER), `${JSON.stringify(examples)}\n`);

/** The answers of an operation, each with what is sent for it. */
export const listExamples = ({ request, answers = {} }: Examples): readonly Example[] =>
  Object.entries(answers).flatMap(([status, named]) =>
    Object.entries(named).map(([name, answer]) => ({
      name,
      status,
      request: answer.request ?? request[name] ?? {},
      answer,
    })),
  );
