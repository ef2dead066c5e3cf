import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { ERROR_CODES, FIELD_CODES } from '../../adapters/kit/contract/error-codes.ts';

/** An answer of 400 or above. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The whole body if it is JSON; undefined for pages and for answers to HEAD. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** One fault of a field in `X-Error-Fields`: a name with escapes, and a code. */
const FIELD_ITEM = /^[\w.%-]*=([a-z_]+)$/;

/** What is wrong with the codes of an error answer: an empty list if nothing is. */
export const findCodeFaults = ({ status, headers, body = {} }: ErrorAnswer): readonly string[] => {
  const faults: string[] = [];
  const code = headers.get('x-error-code') ?? 'none';
  const entry = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1];
  if (entry === undefined) faults.push(`X-Error-Code is ${code}`);
  else if (!entry.status.includes(status)) faults.push(`${code} does not belong to ${status}`);

  const items = headers.get('x-error-fields')?.split(', ') ?? [];
  for (const item of items)
    if (!Object.hasOwn(FIELD_CODES, FIELD_ITEM.exec(item)?.[1] ?? ''))
      faults.push(`X-Error-Fields has ${item}`);
  if (code === 'validation_failed' && items.length === 0 && Object.keys(body).length > 0)
    faults.push('X-Error-Fields is missing');

  // OAuth errors have `error`; the other bodies with a `status_code` are in house style.
  const isHouseStyle = 'status_code' in body && !('error' in body);
  if (isHouseStyle && body['code'] !== code) faults.push(`the body has the code ${body['code']}`);
  if (isHouseStyle && 'errors' in body) faults.push(...findMismatches(body));
  return faults;
};

/** The fields of `errors` without as many codes in `error_codes`. */
const findMismatches = (body: Readonly<Record<string, unknown>>): readonly string[] => {
  const { errors, error_codes: codes = {} } = body as {
    errors: Record<string, string[]>;
    error_codes?: Record<string, string[]>;
  };
  if (Object.keys(codes).join() !== Object.keys(errors).join())
    return [`the fields of error_codes are ${Object.keys(codes)}`];
  return Object.entries(errors).flatMap(([field, messages]) => {
    const own = codes[field] ?? [];
    const isRight =
      own.length === messages.length && own.every((each) => Object.hasOwn(FIELD_CODES, each));
    return isRight ? [] : [`${field} has ${messages.length} messages and the codes ${own}`];
  });
};

/** The headers of an answer, by their names in lower case. */
export const readHead = (head: string): ReadonlyMap<string, string> =>
  new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
    }),
  );

const parseBody = (chunk: unknown): ErrorAnswer['body'] => {
  const text = Buffer.isBuffer(chunk) || typeof chunk === 'string' ? String(chunk) : '';
  return text.startsWith('{') ? JSON.parse(text) : undefined;
};

const found: string[] = [];
let seen = 0;

/** Every answer of the service has this header. The doubles of other services do not set it. */
const OWN_HEADER = 'x-request-id';

interface Started {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Checks the codes of every error answer that a server in this process gives. */
export const watchErrorAnswers = (): void =>
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as Started;
    const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
    response.end = ((...given: unknown[]) => {
      const ended = end(...given);
      const head = String((response as unknown as { _header: string | null })._header ?? '');
      const headers = readHead(head);
      const { statusCode: status } = response;
      if (status < 400 || !headers.has(OWN_HEADER)) return ended;
      seen += 1;
      const answer = { status, headers, body: parseBody(given[0]) };
      for (const fault of findCodeFaults(answer))
        found.push(`${request.method} ${request.url}: ${status}: ${fault}`);
      return ended;
    }) as ServerResponse['end'];
  });

export const errorAnswersSeen = (): number => seen;

/** Takes the faults of answers to one path off the list, for a test of this check. */
export const takeFaults = (path: string): readonly string[] => {
  const taken = found.filter((each) => each.includes(` ${path}: `));
  found.splice(0, found.length, ...found.filter((each) => !taken.includes(each)));
  return taken;
};

/** @throws AssertionError that shows the error answers with a missing or wrong code */
export const expectEveryErrorCode = (): void => {
  expect(found, 'error answers without a right code').to.deep.equal([]);
};
