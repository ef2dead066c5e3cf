import { errorCodeSchema } from '../../kit/contract/answer-shapes.ts';
import type { Route } from '../routes/route.ts';

interface Header {
  readonly description: string;
  readonly schema: object;
}

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

/** The headers of answers, each with the schema of its value. */
const HEADERS = {
  'X-Request-Id': {
    description:
      'O identificador da requisição: o do chamador, se for aceitável, ou um novo. Informe-o ao suporte.',
    schema: TEXT,
  },
  RateLimit: {
    description: 'O limite por minuto: r requisições restantes, t segundos até o próximo minuto.',
    schema: TEXT,
  },
  'RateLimit-Limit': { description: 'Requisições por minuto.', schema: COUNT },
  'RateLimit-Remaining': { description: 'Requisições restantes neste minuto.', schema: COUNT },
  'RateLimit-Reset': { description: 'Segundos até o próximo minuto.', schema: COUNT },
  Link: {
    description: 'rel="next": o endereço da página seguinte; ausente na última página (RFC 8288).',
    schema: TEXT,
  },
  'Retry-After': { description: 'Segundos até a próxima tentativa.', schema: COUNT },
  'Idempotent-Replayed': {
    description: 'true quando a resposta é a de uma requisição anterior.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Ignored-Fields': {
    description: 'Os campos desconhecidos que foram ignorados, só em produção.',
    schema: TEXT,
  },
  'X-Data-As-Of': {
    description:
      'Até quando o extrato está completo, em UTC: o que foi registrado ou devolvido depois pode faltar. Ausente: nada falta.',
    schema: { type: 'string', format: 'date-time' },
  },
  'X-Error-Code': { description: 'O código do erro.', schema: errorCodeSchema },
  'X-Error-Fields': {
    description:
      'Os campos com erro e seus códigos: campo=código, campo=código; até 1.000 caracteres.',
    schema: TEXT,
  },
} as const satisfies Readonly<Record<string, Header>>;

type HeaderName = keyof typeof HEADERS;

const RATE_LIMIT: readonly HeaderName[] = [
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

const mayReplay = ({ idempotent, replays }: Route): boolean =>
  idempotent === true || replays === true;

/** Whether an answer may have a next page. */
const isList = ({ query }: Route): boolean =>
  query !== undefined && ('cursor' in query.properties || 'after' in query.properties);

/** The headers that answers of the routes have, by name. */
export const headersUsedBy = (routes: readonly Route[]): readonly [string, Header][] =>
  Object.entries(HEADERS).filter(
    ([name]) =>
      (name !== 'Idempotent-Replayed' || routes.some(mayReplay)) &&
      (name !== 'X-Ignored-Fields' || routes.some(({ idempotent }) => idempotent)) &&
      (name !== 'Link' || routes.some(isList)) &&
      (name !== 'X-Data-As-Of' || routes.some(({ tellsAsOf }) => tellsAsOf)),
  );

/**
 * The names of the headers of an answer. Every answer announces the rate limit; the document says
 * so where it matters, with the answers that succeed and with the refusal.
 */
const headerNamesOf = (status: number, route: Route): readonly HeaderName[] => {
  const names: HeaderName[] = ['X-Request-Id'];
  if (status < 400 || status === 429) names.push(...RATE_LIMIT);
  if (status === 200 && mayReplay(route)) names.push('Idempotent-Replayed');
  if (status === 200 && route.idempotent) names.push('X-Ignored-Fields');
  if (status === 200 && route.tellsAsOf) names.push('X-Data-As-Of');
  if (status === 200 && isList(route)) names.push('Link');
  if (status >= 400) names.push('X-Error-Code');
  if (status === 400 || status === 422) names.push('X-Error-Fields');
  if (status === 429 || status === 503) names.push('Retry-After');
  return names;
};

/** The headers of an answer, as references to the components. */
export const headersOf = (status: number, route: Route): object =>
  Object.fromEntries(
    headerNamesOf(status, route).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
