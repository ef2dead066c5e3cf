import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { CardNumber } from '#domain';
import { NOTICE_MANNERS, type NoticeManner } from './sandbox-gateway.ts';
import type { CardField, PageState } from './sandbox-page.ts';

const parseBody = bodyParser({
  enableTypes: ['form'],
  formLimit: '16kb',
  queryString: { parameterLimit: 64 },
} as bodyParser.Options);

export type Fields = Readonly<Record<string, unknown>>;

/** Reads the form of a request. A compressed body, or one that is not a form, is an empty form. */
export const readForm = async (ctx: Context): Promise<Fields> => {
  if (ctx.get('Content-Encoding') !== '') ctx.request.body = {};
  await parseBody(ctx as never, async () => {}).catch(() => {
    ctx.request.body = {};
  });
  return (ctx.request.body ?? {}) as Fields;
};

export const readField = (fields: Fields, name: string): string | undefined => {
  if (!Object.hasOwn(fields, name)) return undefined;
  const value = fields[name];
  // A field that was sent twice is an array, and counts as empty.
  return typeof value === 'string' ? value.trim() : '';
};

export const readNoticeManner = (text: unknown): NoticeManner =>
  NOTICE_MANNERS.find((each) => each === text) ?? 'once';

/** Finds the faults of a typed card. A test program that sends no number pays without one. */
export const findCardFaults = (fields: Fields, thisMonth: string): PageState['faults'] => {
  if (readField(fields, 'number') === undefined) return {};
  const faults: Partial<Record<CardField, string>> = {};
  const text = (name: CardField): string => readField(fields, name) ?? '';
  if (CardNumber.parse(text('number')) === undefined) faults.number = 'Confira o número do cartão.';
  if (text('holder').length < 2) faults.holder = 'Escreva o nome como está no cartão.';
  const [, month, year] = /^(0[1-9]|1[0-2])\/?(\d\d)$/.exec(text('expiry')) ?? [];
  if (month === undefined) faults.expiry = 'Escreva mês e ano, como 09/30.';
  else if (`20${year}-${month}` < thisMonth) faults.expiry = 'O cartão está vencido.';
  if (!/^\d{3,4}$/.test(text('cvv'))) faults.cvv = 'O código tem 3 ou 4 dígitos.';
  return faults;
};
