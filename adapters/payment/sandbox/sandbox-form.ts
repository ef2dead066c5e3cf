import { type CalendarDate, CardNumber } from '#domain';
import type { Form } from '../../kit/web/pipeline/form.ts';
import { SANDBOX_CARDS } from './sandbox-cards.ts';
import { NOTICE_MANNERS, type NoticeManner } from './sandbox-gateway.ts';
import type { PageState } from './sandbox-page.ts';

export const readNoticeManner = (text: unknown): NoticeManner =>
  NOTICE_MANNERS.find((each) => each === text) ?? 'once';

/** The fields of the page that are shown again after a fault, as they were typed. */
export const readTyped = (form: Form): PageState['typed'] => ({
  holder: form.one('holder') ?? '',
  expiry: form.one('expiry') ?? '',
  amount: form.one('amount') ?? '',
});

/** Fills in a test card, and what a card needs besides where nothing was typed. */
export const fillTestCard = (form: Form, today: CalendarDate): PageState['typed'] => {
  const number = form.one('test_card') ?? '';
  const { holder, expiry } = readTyped(form);
  const nextYear = Number(today.slice(2, 4)) + 1;
  return {
    number: SANDBOX_CARDS.some((card) => card.number === number) ? number : '',
    holder: holder || 'Cliente de teste',
    expiry: expiry || `12/${String(nextYear % 100).padStart(2, '0')}`,
    cvv: '123',
  };
};

/** Finds the faults of a typed card. A test program that sends no number pays without one. */
export const findCardFaults = (form: Form, thisMonth: string): PageState['faults'] => {
  if (form.one('number') === undefined) return {};
  const [number = '', holder = '', expiry = '', cvv = ''] = (
    ['number', 'holder', 'expiry', 'cvv'] as const
  ).map((name) => form.one(name));
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
