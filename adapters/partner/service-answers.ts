import type { IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { CommandFailure, Temporary } from './failures.ts';

const MAX_SHOWN_FAULTS = 20;

/** Lines that a fault names. */
const MAX_SHOWN_LINES = 5;

interface ErrorBody {
  readonly response?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

const BUSY_STATUSES: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** The answer, if it is one of success (2xx). @throws Temporary, CommandFailure */
export const accepted = async (answer: IncomingMessage): Promise<IncomingMessage> => {
  const { statusCode = 0 } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;

  if (BUSY_STATUSES.has(statusCode)) {
    answer.resume();
    throw new Temporary(
      `O serviço está indisponível (${statusCode}).`,
      retryAfterMs(answer.headers['retry-after']),
    );
  }
  throw new CommandFailure(await explainRefusal(answer));
};

/** `Retry-After` in ms, from seconds or a date (RFC 9110, section 10.2.3). */
const retryAfterMs = (header: string | undefined): number | undefined => {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};

const explainRefusal = async (answer: IncomingMessage): Promise<string> => {
  const body = await text(answer);
  const said = parseErrorBody(body);
  if (said.response === undefined)
    return `O serviço respondeu ${answer.statusCode}: confira o endereço em --url ou SALES_URL.`;

  const faults = explainFaults(said.errors ?? {});
  const left = faults.length - MAX_SHOWN_FAULTS;
  return [
    `O serviço recusou o pedido (${answer.statusCode}): ${said.response}`,
    ...faults.slice(0, MAX_SHOWN_FAULTS),
    ...(left > 0 ? [`  … e mais ${left}.`] : []),
  ].join('\n');
};

/** A line for each fault. Equal faults of several lines of a list are one. */
const explainFaults = (errors: NonNullable<ErrorBody['errors']>): readonly string[] => {
  const faults = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => {
      const [, line, name = ''] = /^(\d+)?\.?(.*)$/s.exec(field) ?? [];
      return { line, said: name === '' ? message : `${name}: ${message}` };
    }),
  );
  const bySaid = Map.groupBy(faults, ({ said }) => said);
  return [...bySaid].map(([said, group]) => {
    const lines = group.flatMap(({ line }) => line ?? []);
    return `  ${said}${lines.length === 0 ? '' : ` (${nameLines(lines)})`}`;
  });
};

const nameLines = (lines: readonly string[]): string => {
  if (lines.length === 1) return `linha ${lines[0]}`;
  const left = lines.length - MAX_SHOWN_LINES;
  const more = left > 0 ? ` e mais ${left}` : '';
  return `linhas ${lines.slice(0, MAX_SHOWN_LINES).join(', ')}${more}`;
};

const parseErrorBody = (body: string): ErrorBody => {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
};

export const readJson = async <Body>(answer: IncomingMessage): Promise<Body> =>
  (await json(answer)) as Body;
