import { readdir, readFile } from 'node:fs/promises';
import type { Audience } from './audiences.ts';

type Values = Readonly<Record<string, unknown>>;

interface RequestExample {
  /** The text in Portuguese. */
  readonly summary: string;
  readonly path?: Values;
  readonly query?: Values;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface AnswerExample {
  /** The text in Portuguese. */
  readonly summary: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type AnswerExamples = Readonly<Record<string, AnswerExample>>;

/** The examples of an operation, as a file in `examples/` has them. */
export interface OperationExamples {
  readonly description?: string;
  readonly request?: Readonly<Record<string, RequestExample>>;
  /** The answers by status, then by name. */
  readonly answers?: Readonly<Record<string, AnswerExamples>>;
}

/** The examples by operation id. An operation without a file has none. */
export type Examples = ReadonlyMap<string, OperationExamples>;

/** The address of the service in the files. */
const EXAMPLE_URL = 'http://127.0.0.1:3000';

const FOLDER = new URL('./examples/', import.meta.url);

/** `x.admin.json` replaces `x.json` for administrators. */
const SUFFIXES: Readonly<Record<Audience, readonly string[]>> = {
  partners: ['.json'],
  administrators: ['.json', '.admin.json'],
};

/**
 * Reads the examples for an audience.
 *
 * @param publicUrl the address that they show, without `/api`
 */
export const readExamples = async (audience: Audience, publicUrl: string): Promise<Examples> => {
  const address = JSON.stringify(publicUrl).slice(1, -1);
  const files = await readdir(FOLDER).catch(explainMissingFolder);
  const examples = new Map<string, OperationExamples>();
  for (const suffix of SUFFIXES[audience])
    for (const file of files) {
      const operationId = file.slice(0, -suffix.length);
      if (!file.endsWith(suffix) || operationId.includes('.')) continue;
      const text = await readFile(new URL(file, FOLDER), 'utf8');
      examples.set(operationId, JSON.parse(text.replaceAll(EXAMPLE_URL, () => address)));
    }
  return examples;
};

const explainMissingFolder = (error: NodeJS.ErrnoException): readonly string[] => {
  if (error.code === 'ENOENT') return [];
  throw error;
};

export type Content = Readonly<Record<string, object>>;
type BodyExample = RequestExample | AnswerExample;

/**
 * Adds examples to the media types of a body: each to the one that its Content-Type names, else to
 * the first one.
 */
export const addBodyExamples = (
  content: Content,
  examples: Readonly<Record<string, BodyExample>> = {},
): Content => {
  const withBody = Object.entries(examples).filter(([, { body }]) => body !== undefined);
  const [first = ''] = Object.keys(content);
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const own = withBody.filter(([, example]) => (mediaTypeOf(example) ?? first) === type);
      const values = own.map(([name, { summary, body }]) => [name, { summary, value: body }]);
      return [type, { ...media, ...(own.length > 0 && { examples: Object.fromEntries(values) }) }];
    }),
  );
};

const mediaTypeOf = ({ headers = {} }: BodyExample): string | undefined => {
  const sent = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return sent?.[1].split(';')[0]?.trim().toLowerCase();
};
