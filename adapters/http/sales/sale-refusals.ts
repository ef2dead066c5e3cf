import { type Cents, formatDate, formatReais } from '#domain';
import type { SaleRefusal, SaleRefusalKind } from '../../../application/sales/sale-request.ts';

interface RefusalAnswer {
  /** 422: shown as a fault of a field. 403: this caller may not sell it. */
  readonly status: 403 | 422;
  readonly message: string;
}

const fault = (message: string): RefusalAnswer => ({ status: 422, message });
const forbidden = (message: string): RefusalAnswer => ({ status: 403, message });

/** The answer to each refusal. */
export const REFUSAL_ANSWERS: Readonly<Record<SaleRefusalKind, RefusalAnswer>> = {
  channel_not_own: forbidden('O channelLink informado não pertence a este cliente.'),
  channel_inactive: forbidden('O canal de venda está inativo.'),
  product_not_granted: forbidden('O produto não está liberado para este canal de venda.'),
  product_unknown: fault('Produto não encontrado entre os deste tipo de venda.'),
  product_ambiguous: fault('O canal vende mais de um produto deste tipo: informe qual.'),
  plan_unknown: fault('Plano não encontrado neste produto.'),
  coverage_unknown: fault('Cobertura não encontrada neste produto.'),
  coverage_repeated: fault('A mesma cobertura foi pedida mais de uma vez.'),
  payment_not_with_channel: fault('Este produto é pago ao serviço, não ao parceiro.'),
  payment_not_with_service: fault('Este produto é pago ao parceiro, não ao serviço.'),
  iof_rate_missing: fault('Não há alíquota de IOF cadastrada para o produto nesta data.'),
  premium_not_declared: fault('O valor do prêmio deve ser informado.'),
  premium_not_positive: fault('O prêmio deve ser maior que zero.'),
  amount_too_large: fault('O valor é maior que o permitido.'),
  insured_amount_missing: fault('O valor segurado deve ser informado.'),
  net_premium_differs: fault('O prêmio líquido difere do calculado.'),
  iof_differs: fault('O IOF difere do calculado sobre o prêmio líquido.'),
  total_differs: fault('O valor total difere do calculado.'),
  sold_in_future: fault('A data da venda não pode ser futura.'),
  paid_in_future: fault('A data do pagamento não pode ser futura.'),
  event_before_payment: fault('A data do evento não pode ser anterior à data do pagamento.'),
  born_in_future: fault('A data de nascimento deve estar no passado.'),
  period_not_declared: fault('A vigência deve ser informada.'),
  period_differs: fault('A vigência informada não é a deste plano.'),
  period_over: fault('A vigência já terminou: não há mais o que segurar.'),
  period_reversed: fault('O fim da vigência não pode ser anterior ao início.'),
  installments_not_offered: fault(
    'O número de parcelas não é oferecido para este plano e esta forma de pagamento.',
  ),
  installment_below_one_cent: fault('O prêmio é pequeno demais para tantas parcelas.'),
};

/** The message for a refusal, with the correct amount or period if there is one. */
export const describeRefusal = (
  { kind, expected, period }: SaleRefusal,
  messages: Partial<Record<SaleRefusalKind, string>> = {},
): string => {
  const message = messages[kind] ?? REFUSAL_ANSWERS[kind].message;
  if (period !== undefined)
    return `${message} A correta é de ${formatDate(period.start)} a ${formatDate(period.end)}.`;
  return expected === undefined
    ? message
    : `${message} O valor correto é ${formatReais(expected as Cents)}.`;
};

/** The field at which an endpoint shows each refusal. */
export type FieldOfRefusal<Field extends string> = Readonly<Record<SaleRefusalKind, Field>>;

/** Shows all refusals at one field. A dialect overrides those that belong to other fields. */
export const showRefusalsAt = <Field extends string>(field: Field): FieldOfRefusal<Field> =>
  Object.fromEntries(
    Object.keys(REFUSAL_ANSWERS).map((kind) => [kind, field]),
  ) as unknown as FieldOfRefusal<Field>;
