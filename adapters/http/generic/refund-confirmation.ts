import Type, { type Static } from 'typebox';
import {
  type CalendarDate,
  type Cents,
  type ChannelRefund,
  formatReais,
  isRefusal,
  REFUND_METHODS,
  refuse,
  type Sale,
  ZERO,
} from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { ConfirmRefund } from '../../../application/servicing/confirm-refund.ts';
import { invalidFields, notFound } from '../../kit/contract/answer-error.ts';
import { readCents } from '../../kit/contract/domain-values.ts';
import { type FieldFaults, faultAt } from '../../kit/contract/field-faults.ts';
import { closedObject, date, money, text } from '../../kit/contract/formats.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileValidator } from '../../kit/contract/validation.ts';
import { actorOf, type Context, type Handler } from '../../kit/web/pipeline/context.ts';
import type { FindSale } from '../sales/find-named-sale.ts';

export const refundConfirmationBody = closedObject({
  amount: money({ description: 'O valor devolvido, em reais' }),
  on: date({ description: 'O dia da devolução, até hoje' }),
  method: Type.Enum(REFUND_METHODS, { description: 'Como o dinheiro voltou' }),
  reference: Type.Optional(
    text(100, { description: 'O número da devolução no canal; sem dados pessoais' }),
  ),
});

interface Parts {
  readonly confirmRefund: ConfirmRefund;
  readonly clock: Clock;
}

/** Notes the refund that the channel has made, and answers with the sale. */
export const confirmRefundOfFoundSale = (
  { confirmRefund, clock }: Parts,
  findSale: FindSale,
  answer: (ctx: Context, sale: Sale) => void,
): Handler => {
  const validate = compileValidator(refundConfirmationBody);

  return async function confirmRefundOfFoundSale(ctx) {
    const sale = await findSale(ctx);
    const checked = validate(ctx.request.body as object);
    if (sale === undefined) throw notFound('Transação não encontrada.');
    const dayFaults = findDayFaults(checked.sound.on, sale.terms.soldOn, clock.today());
    if (!checked.ok || Object.keys(dayFaults).length > 0)
      throw invalidFields({ ...dayFaults, ...checked.faults });

    const confirmed = await confirmRefund(sale, readRefund(checked.value), actorOf(ctx));
    if (!isRefusal(confirmed)) return answer(ctx, confirmed);
    const { kind, expected = ZERO } = confirmed;
    if (kind === 'nothing_to_refund') throw refusalError(refuse(kind));
    const most = formatReais(expected as Cents);
    const message = `O campo amount não pode passar do que o canal ainda deve devolver: ${most}.`;
    throw invalidFields(faultAt('amount', 'out_of_range', message));
  };
};

const readRefund = ({
  amount,
  on,
  method,
  reference,
}: Static<typeof refundConfirmationBody>): ChannelRefund => ({
  amount: readCents(amount),
  on: on as CalendarDate,
  method,
  ...(reference !== undefined && { reference }),
});

const findDayFaults = (
  on: string | undefined,
  soldOn: CalendarDate,
  today: CalendarDate,
): FieldFaults => {
  if (on === undefined || (on >= soldOn && on <= today)) return {};
  return on > today
    ? faultAt('on', 'in_the_future', 'O campo on não pode ser futuro.')
    : faultAt('on', 'wrong_order', 'O campo on não pode ser anterior à venda.');
};
