import { decode } from './answers.ts';
import { type FieldCode, isApiErrorCode } from './error-codes.ts';
import { type Difference, InsuranceError } from './errors.ts';
import { LONGEST_TIMER_MS } from './waiting.ts';

type Fields = Readonly<Record<string, readonly FieldCode[]>>;
type Messages = Readonly<Record<string, readonly string[]>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isLists = (value: unknown): value is Record<string, readonly string[]> =>
  isObject(value) && Object.values(value).every(Array.isArray);

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Reads `nomeCompleto=required, cpfCnpj=invalid_tax_id`; names are percent-encoded. */
const readFieldsHeader = (header: string | null): Fields => {
  const fields = new Map<string, FieldCode[]>();
  for (const item of (header ?? '').split(', ')) {
    const [name = '', code] = item.split('=');
    if (code === undefined) continue;
    const path = decode(name);
    fields.set(path, [...(fields.get(path) ?? []), code]);
  }
  return Object.fromEntries(fields);
};

/** The messages: in `errors`, or, if the body is nothing but messages, in the body itself. */
const readMessages = (body: Record<string, unknown>): Messages => {
  if (isLists(body['errors'])) return body['errors'];
  return isLists(body) ? body : {};
};

/** Reads seconds, as the service sends them, or a date, as a proxy may. @returns ms */
const readRetryAfter = (header: string | null): number | undefined => {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_TIMER_MS);
};

const parse = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

/** The sentence for people, which has another place in the errors of Celular. */
const readSentence = (body: Record<string, unknown>, messages: Messages): string =>
  textIn(body['response']) ?? textIn(body['error']) ?? Object.values(messages)[0]?.[0] ?? '';

/** The text of an error whose answer has no sentence for people. */
export const silentAnswer = (status: number): string => `The service answered ${status}`;

/**
 * Reads an answer that is no success.
 *
 * @param requestId as it was sent, if the answer does not repeat it
 */
export const readError = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  bodyText: string,
  requestId: string,
): InsuranceError => {
  const body = parse(bodyText);
  const rawCode = headers.get('X-Error-Code') ?? textIn(body['code']) ?? '';
  const isKnown = isApiErrorCode(rawCode);
  const codes = body['error_codes'];
  const messages = readMessages(body);
  const differences = body['differences'];

  return new InsuranceError({
    code: isKnown ? rawCode : 'unknown_code',
    rawCode: isKnown ? undefined : rawCode,
    status,
    text: readSentence(body, messages) || silentAnswer(status),
    requestId: headers.get('X-Request-Id') ?? requestId,
    fields: isLists(codes) ? codes : readFieldsHeader(headers.get('X-Error-Fields')),
    messages,
    retryAfterMs: readRetryAfter(headers.get('Retry-After')),
    transactionId: numberIn(body['transaction_id']),
    differences: Array.isArray(differences) ? (differences as readonly Difference[]) : [],
    refundTotal: numberIn(body['refund_total']),
  });
};
