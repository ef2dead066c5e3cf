import { readFileSync } from 'node:fs';
import { LEGAL_PERIODS, SALE_STATUSES } from '#domain';
import { MAX_IMPORT_LINES } from '../../adapters/http/books/import-sales.ts';
import { MAX_LIST_LINES } from '../../adapters/http/books/reconciliation-list.ts';
import { ATTRIBUTE_LIMITS } from '../../adapters/http/sales/sale-fields.ts';
import { MAX_LISTED_FAULTS } from '../../adapters/kit/contract/complaints.ts';
import { ERROR_CODES, FIELD_CODES, NEXT_STEPS } from '../../adapters/kit/contract/error-codes.ts';
import { MAX_LEVELS, MAX_VALUES } from '../../adapters/kit/contract/validation.ts';
import type { Language } from '../../adapters/kit/web/pages/languages.ts';
import { DEFAULT_PAGE_SIZE } from '../../adapters/kit/web/pipeline/list-answers.ts';
import { MAX_FORM_KIB, MAX_PUBLIC_BODY_KIB } from '../../adapters/kit/web/pipeline/request-body.ts';
import {
  MAX_BODY_KIB,
  MAX_WAITING_REQUESTS,
} from '../../adapters/kit/web/server/request-limits.ts';
import { SANDBOX_CARDS } from '../../adapters/payment/sandbox/sandbox-cards.ts';
import { PERSONAL_DATA } from '../../adapters/persistence/schema/personal-data.ts';
import type { Tables } from '../../adapters/site/build/build-site.ts';
import { ALERT_KINDS, ALERT_MEANINGS } from '../../application/alerts/alerts.ts';
import { EVENT_TYPES } from '../../application/events/partner-events.ts';
import { MAX_FAILURES } from '../../application/identity/token-refusals.ts';
import { MOST_COPIES } from '../../application/servicing/request-second-copy.ts';
import { SCHEDULE_MS } from '../../application/webhooks/schedule.ts';
import { VARIABLES } from '../settings/variables.ts';

/** The words of the tables in a language, by the names that the code gives. */
interface Words {
  readonly error_codes?: Readonly<Record<string, string>>;
  readonly field_codes?: Readonly<Record<string, string>>;
  readonly next_steps?: Readonly<Record<string, string>>;
  /** What a state means, and what the partner does. */
  readonly states: Readonly<Record<string, readonly [string, string]>>;
  readonly events: Readonly<Record<string, string>>;
  readonly legal_periods: Readonly<Record<string, string>>;
  /** The name of each limit, and a sentence with the names of figures in braces. */
  readonly limits: readonly (readonly [string, string])[];
}

const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

const WORDS = {
  en: readJson('../../adapters/site/words/en.json') as Words,
  'pt-BR': readJson('../../adapters/site/words/pt-BR.json') as Words,
} satisfies Record<Language, Words>;

/** What an operator does about each alert, line of the log and rule of Prometheus. */
const RUNBOOK = readJson('../guide/runbook.json') as Readonly<
  Record<'alerts' | 'log_lines' | 'alert_rules', Readonly<Record<string, readonly string[]>>>
>;

/** The head of a table in each language. */
type Head = Readonly<Record<Language, readonly string[]>>;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const code = (name: string): string => `\`${name}\``;

const tableOf =
  (head: Head, rowsIn: (words: Words, language: Language) => readonly (readonly string[])[]) =>
  (language: Language): string =>
    table(head[language], rowsIn(WORDS[language], language));

/** @throws Error if there are no words for a name */
const wordsFor = <Text>(words: Readonly<Record<string, Text>>, name: string): Text => {
  const found = words[name];
  if (found === undefined) throw new Error(`there are no words for ${name}`);
  return found;
};

const FIGURES: Readonly<Record<string, number>> = {
  perMinute: Number(VARIABLES.RATE_LIMIT.default),
  failures: MAX_FAILURES,
  bodyKib: MAX_BODY_KIB,
  loginKib: MAX_PUBLIC_BODY_KIB,
  formKib: MAX_FORM_KIB,
  values: MAX_VALUES,
  levels: MAX_LEVELS,
  attributeValues: ATTRIBUTE_LIMITS.values,
  attributeLevels: ATTRIBUTE_LIMITS.levels,
  attributeText: ATTRIBUTE_LIMITS.textLength,
  faults: MAX_LISTED_FAULTS,
  page: 200,
  usualPage: DEFAULT_PAGE_SIZE,
  copies: MOST_COPIES,
  waiting: MAX_WAITING_REQUESTS,
  importLines: MAX_IMPORT_LINES,
  listLines: MAX_LIST_LINES,
};

const withFigures = (text: string, language: Language): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    wordsFor(FIGURES, name).toLocaleString(language),
  );

const pauseOf = (ms: number): string => {
  if (ms === 0) return '0';
  if (ms < 60_000) return `${ms / 1_000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
};

/** A section for each name, which a link can lead to. */
const sections = (texts: readonly (readonly [string, string])[]): string =>
  texts.map(([name, text]) => `### ${name}\n\n${text}`).join('\n\n');

const defaultOf = ({ default: value }: { readonly default?: unknown }): string => {
  const isShown = ['string', 'number'].includes(typeof value);
  return isShown ? code(String(value)) : '';
};

const DELETED_BY = {
  service: 'The service deletes it.',
  operator: 'The service does not delete it: you do.',
  nothing: 'The database refuses to delete it.',
};

/** The tables of the guide, which are made from the code that they describe. */
export const TABLES: Tables = {
  'error-codes': tableOf(
    {
      en: ['code', 'status', 'meaning', 'what you do'],
      'pt-BR': ['código', 'status', 'significado', 'o que você faz'],
    },
    ({ error_codes, next_steps = NEXT_STEPS }) =>
      Object.entries(ERROR_CODES).map(([name, { status, meaning, next }]) => [
        code(name),
        status.join(', '),
        error_codes === undefined ? meaning : wordsFor(error_codes, name),
        wordsFor(next_steps, next),
      ]),
  ),
  'field-codes': tableOf(
    { en: ['code', 'meaning'], 'pt-BR': ['código', 'significado'] },
    ({ field_codes = FIELD_CODES }) =>
      Object.keys(FIELD_CODES).map((name) => [code(name), wordsFor(field_codes, name)]),
  ),
  states: tableOf(
    {
      en: ['`status_id`', '`status`', 'meaning', 'what you do'],
      'pt-BR': ['`status_id`', '`status`', 'significado', 'o que você faz'],
    },
    ({ states }) =>
      SALE_STATUSES.map((status, index) => [
        String(index + 1),
        code(status),
        ...wordsFor(states, status),
      ]),
  ),
  events: tableOf({ en: ['type', 'when'], 'pt-BR': ['tipo', 'quando'] }, ({ events }) =>
    EVENT_TYPES.map((type) => [code(type), wordsFor(events, type)]),
  ),
  limits: tableOf(
    { en: ['limit', 'value'], 'pt-BR': ['limite', 'valor'] },
    ({ limits }, language) => limits.map(([name, text]) => [name, withFigures(text, language)]),
  ),
  'legal-periods': tableOf(
    {
      en: ['until', 'days', 'contracts from', 'source'],
      'pt-BR': ['até que', 'dias', 'contratos desde', 'fonte'],
    },
    ({ legal_periods }) =>
      LEGAL_PERIODS.map(({ kind, days, from, source }) => [
        wordsFor(legal_periods, kind),
        String(days),
        from,
        source,
      ]),
  ),
  'sandbox-cards': tableOf(
    { en: ['card', 'what happens'], 'pt-BR': ['cartão', 'o que acontece'] },
    (_, language) =>
      SANDBOX_CARDS.map(({ number, english, portuguese }) => [
        code(number),
        language === 'en' ? english : portuguese,
      ]),
  ),
  'webhook-schedule': tableOf(
    { en: ['try', 'pause before it'], 'pt-BR': ['tentativa', 'pausa antes dela'] },
    () => SCHEDULE_MS.map((ms, index) => [String(index + 1), pauseOf(ms)]),
  ),
  variables: () =>
    table(
      ['variable', 'default', 'meaning'],
      Object.entries(VARIABLES).map(([name, { desc = '', ...variable }]) => [
        code(name),
        defaultOf(variable),
        desc,
      ]),
    ),
  alerts: () =>
    sections(
      ALERT_KINDS.map((kind) => [
        code(kind),
        `${ALERT_MEANINGS[kind]} ${wordsFor(RUNBOOK.alerts, kind).at(-1)}`,
      ]),
    ),
  'personal-data': () =>
    sections(
      PERSONAL_DATA.map(({ name, what, places, purpose, legalBasis, retention, deletedBy }) => [
        name,
        [
          what,
          `- Where: ${places.map(code).join(', ')}`,
          `- Why: ${purpose}; LGPD ${legalBasis}`,
          `- Kept: ${retention}. ${DELETED_BY[deletedBy]}`,
        ].join('\n'),
      ]),
    ),
  'log-lines': () =>
    sections(
      Object.entries(RUNBOOK.log_lines).map(([line, texts]) => [code(line), texts.join(' ')]),
    ),
  'alert-rules': () =>
    sections(Object.entries(RUNBOOK.alert_rules).map(([rule, texts]) => [rule, texts.join(' ')])),
};
