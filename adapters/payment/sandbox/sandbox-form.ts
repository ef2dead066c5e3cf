import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { type CalendarDate, CardNumber } from '#domain';
import { SANDBOX_CARDS } from './sandbox-cards.ts';
import { NOTICE_MANNERS, type NoticeManner } from './sandbox-gateway.ts';
import type { PageState } from './sandbox-page.ts';

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

/** The fields of the page that are shown again after a fault, as they were typed. */
export const readTyped = (fields: Fields): PageState['typed'] => ({
  holder: readField(fields, 'holder') ?? '',
  expiry: readField(fields, 'expiry') ?? '',
  amount: readField(fields, 'amount') ?? '',
});

/** Fills in a test card, and what a card needs besides where nothing was typed. */
export const fillTestCard = (fields: Fields, today: CalendarDate): PageState['typed'] => {
  const number = readField(fields, 'test_card') ?? '';
  const { holder, expiry } = readTyped(fields);
  const nextYear = Number(today.slice(2, 4)) + 1;
  return {
    number: SANDBOX_CARDS.some((card) => card.number === number) ? number : '',
    holder: holder || 'Cliente de teste',
    expiry: expiry || `12/${String(nextYear % 100).padStart(2, '0')}`,
    cvv: '123',
  };
};

/** Finds the faults of a typed card. A test program that sends no number pays without one. */
export const findCardFaults = (fields: Fields, thisMonth: string): PageState['faults'] => {
  if (readField(fields, 'number') === undefined) return {};
  const [number = '', holder = '', expiry = '', cvv = ''] = (
    ['number', 'holder', 'expiry', 'cvv'] as const
  ).map((name) => readField(fields, name));
  const [, month, year] = /^(0[1-9]|1[0-2])\/?(\d\d)$/.exec(expiry) ?? [];
  const isOver = `20${year}-${month}` < thisMonth;
  const faults: PageState['faults'] = {
    ...(CardNumber.parse(number) === undefined && {
      number: 'O número não confere: digite-o de novo.',
    }),
    ...(number === '' && { number: 'Digite o número do cartão.' }),
    ...(holder.length < 2 && { holder: 'Digite o nome como está no cartão.' }),
    ...(isOver && { expiry: 'O cartão está vencido.' }),
    ...(month === undefined && { expiry: 'Digite mês e ano, como 09/30.' }),
    ...(!/^\d{3,4}$/.test(cvv) && { cvv: 'O código tem 3 ou 4 dígitos.' }),
    ...(cvv === '' && { cvv: 'Digite o código de segurança do cartão.' }),
  };
  return faults;
};
