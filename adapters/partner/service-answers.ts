import type { IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import type { InsuranceError } from '../client/src/errors.ts';
import { readError, silentAnswer } from '../client/src/read-error.ts';
import { CommandFailure, Temporary } from './failures.ts';

const MAX_SHOWN_FAULTS = 20;

/** Lines that a fault names. */
const MAX_SHOWN_LINES = 5;

const BUSY_STATUSES: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** The answer, if it is one of success (2xx). @throws Temporary, CommandFailure */
export const accepted = async (answer: IncomingMessage): Promise<IncomingMessage> => {
  const { statusCode: status = 0 } = answer;
  if (status >= 200 && status < 300) return answer;
  const headers = new Headers(answer.headers as Record<string, string>);
  throw failureOf(readError({ status, headers }, await text(answer), ''));
};

/** What an error of the service, or of the connection to it, means for the command. */
export const failureOf = (error: InsuranceError): Error => {
  const { status, retryAfterMs } = error;
  if (status === 0) return error;
  return BUSY_STATUSES.has(status)
    ? new Temporary(`O serviço está indisponível (${status}).`, retryAfterMs)
    : new CommandFailure(explainRefusal(error));
};

const explainRefusal = ({ status, text: said, messages }: InsuranceError): string => {
  if (said === silentAnswer(status))
    return `O serviço respondeu ${status}: confira o endereço em --url ou SALES_URL.`;

  const faults = explainFaults(messages);
  const left = faults.length - MAX_SHOWN_FAULTS;
  return [
    `O serviço recusou o pedido (${status}): ${said}`,
    ...faults.slice(0, MAX_SHOWN_FAULTS),
    ...(left > 0 ? [`  … e mais ${left}.`] : []),
  ].join('\n');
};

/** A line for each fault. Equal faults of several lines of a list are one. */
const explainFaults = (errors: InsuranceError['messages']): readonly string[] => {
  const linesBySaid = new Map<string, string[]>();
  for (const [field, messages] of Object.entries(errors))
    for (const message of messages) {
      const [, line, name = ''] = /^(\d+)?\.?(.*)$/s.exec(field) ?? [];
      const said = name === '' ? message : `${name}: ${message}`;
      const earlier = linesBySaid.get(said) ?? [];
      linesBySaid.set(said, line === undefined ? earlier : [...earlier, line]);
    }
  return [...linesBySaid].map(
    ([said, lines]) => `  ${said}${lines.length === 0 ? '' : ` (${nameLines(lines)})`}`,
  );
};

const nameLines = (lines: readonly string[]): string => {
  if (lines.length === 1) return `linha ${lines[0]}`;
  const left = lines.length - MAX_SHOWN_LINES;
  const more = left > 0 ? ` e mais ${left}` : '';
  return `linhas ${lines.slice(0, MAX_SHOWN_LINES).join(', ')}${more}`;
};

export const readJson = async <Body>(answer: IncomingMessage): Promise<Body> =>
  (await json(answer)) as Body;
