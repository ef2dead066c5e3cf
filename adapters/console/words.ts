import { businessDay, formatDate, type Instant } from '#domain';
import { later } from '../../application/clock.ts';
import type { Role } from '../../application/people/roles.ts';
import type { Session } from '../../application/people/sessions.ts';

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  admin: 'Administração',
  support: 'Atendimento',
  finance: 'Financeiro',
  partner: 'Parceiro',
};

export const WAY_WORDS: Readonly<Record<Session['way'], string>> = {
  passphrase: 'senha e código',
  openid: 'conta da empresa',
  link: 'link de teste',
};

/** The words of a name that an address or a form says; undefined for any that is not in the table. */
export const wordsIn = (
  table: Readonly<Record<string, string>>,
  name: string | undefined,
): string | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** A rate, in percent, as people write it: `7,38 %`. */
export const sayPercent = (percent: number): string => `${String(percent).replace('.', ',')} %`;

const TIME = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  hour: '2-digit',
  minute: '2-digit',
});

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The time in São Paulo, in words where it is near: `hoje 14:32`, `20/11/2026 14:32`. */
export const whenOf = (at: Instant, now: Instant): string => {
  const near: Readonly<Record<string, string>> = {
    [businessDay(later(now, -DAY_MS))]: 'ontem',
    [businessDay(now)]: 'hoje',
    [businessDay(later(now, DAY_MS))]: 'amanhã',
  };
  const day = near[businessDay(at)];
  return day ? `${day} ${TIME.format(new Date(at))}` : momentOnPaper(at);
};

/** The time in São Paulo, on paper: `20/11/2026 14:32`. */
export const momentOnPaper = (at: Instant): string =>
  `${formatDate(businessDay(at))} ${TIME.format(new Date(at))}`;

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** What a browser says of itself, in two words. It may lie. */
export const browserOf = (userAgent: string | null): string => {
  const find = (names: typeof BROWSERS) => names.find(([form]) => form.test(userAgent ?? ''))?.[1];
  return [find(BROWSERS) ?? 'Navegador desconhecido', find(SYSTEMS)].filter(Boolean).join(' em ');
};
