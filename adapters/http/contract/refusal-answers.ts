import { type Cents, formatDate, formatReais, type Refusal } from '#domain';
import type {
  CancelRefusal,
  ClientRefusal,
  DocumentRefusal,
  MailingRefusal,
  MaillessSale,
} from '../../../application/refusals.ts';
import type { SaleRefusal, SaleRefusalKind } from '../../../application/sales/sale-request.ts';
import { type AnswerError, busyError, standardError } from './answer-error.ts';

/** Kinds that the whole request is refused with; `SaleRefusalKind` may be shown at a field. */
type RequestRefusalKind =
  | CancelRefusal['kind']
  | ClientRefusal['kind']
  | MaillessSale['kind']
  | MailingRefusal['kind']
  | DocumentRefusal['kind'];

interface RefusalAnswer<Status extends number = number> {
  readonly status: Status;
  readonly message: string;
}

/** 422: shown as a fault of a field. 403: this caller may not sell it. */
type SaleRefusalAnswer = RefusalAnswer<403 | 422>;

const fault = (message: string): SaleRefusalAnswer => ({ status: 422, message });
const forbidden = (message: string): SaleRefusalAnswer => ({ status: 403, message });
const missing = (message: string): RefusalAnswer => ({ status: 404, message });
const conflict = (message: string): RefusalAnswer => ({ status: 409, message });
const gone = (message: string): RefusalAnswer => ({ status: 410, message });

/** The answer to each refusal of a request. The compiler checks that none is missing. */
const REQUEST_REFUSALS: Readonly<Record<RequestRefusalKind, RefusalAnswer>> = {
  sale_busy: conflict('A transação está sendo processada. Tente novamente em instantes.'),
  sale_ended: conflict('A transação já foi encerrada e não pode ser cancelada.'),
  coverage_ended: conflict('A vigência já terminou: não há o que cancelar.'),
  cancelled_before_sale: conflict('A venda ainda não tinha sido feita nesta data.'),
  refund_differs: conflict('A devolução já não é a que a prévia mostrou. Peça uma nova prévia.'),
  client_unknown: missing('Cliente não encontrado.'),
  client_revoked: conflict('O cliente foi revogado, e isso é definitivo.'),
  client_id_taken: conflict('Já existe um cliente com este client_id.'),
  own_client: conflict('Um administrador não pode desativar nem revogar as próprias credenciais.'),
  sale_takes_no_mail: conflict(
    'A transação foi recusada, expirou ou foi cancelada: nenhum e-mail seguirá para o segurado.',
  ),
  mailing_unknown: missing('Envio não encontrado.'),
  mailing_not_undelivered: conflict(
    'Este envio não falhou de vez: está à espera, foi feito ou retirado.',
  ),
  link_unknown: missing(
    'Documento não encontrado. Este endereço não abre nenhum documento. Confira se ele está completo.',
  ),
  link_expired: gone(
    'Link expirado. Este link não vale mais. Peça um novo link, ou uma segunda via, a quem vendeu o seguro.',
  ),
  contract_ended: gone(
    'Seguro cancelado. O seguro deste documento foi cancelado, e o documento não vale mais.',
  ),
};

/** The answer to each refusal of a sale. The compiler checks that none is missing. */
const SALE_REFUSALS: Readonly<Record<SaleRefusalKind, SaleRefusalAnswer>> = {
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

/** The answer to each refusal. */
export const REFUSAL_ANSWERS = { ...REQUEST_REFUSALS, ...SALE_REFUSALS };

/** Turns a refusal into an error answer. */
export const refusalError = (
  { kind }: Refusal<RequestRefusalKind | SaleRefusalKind>,
  moreFields: object = {},
): AnswerError => {
  const { status, message } = REFUSAL_ANSWERS[kind];
  return kind === 'sale_busy'
    ? busyError(message, moreFields)
    : standardError(status, message, moreFields);
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
    Object.keys(SALE_REFUSALS).map((kind) => [kind, field]),
  ) as unknown as FieldOfRefusal<Field>;
