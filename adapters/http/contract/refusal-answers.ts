import { type Cents, formatDate, formatReais, type Refusal } from '#domain';
import type { AlertRefusal } from '../../../application/alerts/resolve-alert.ts';
import type { DocumentRefusal } from '../../../application/certificates/open-document.ts';
import type { DecisionRefusal } from '../../../application/collection/decide-payment.ts';
import type { ClientRefusal } from '../../../application/identity/manage-clients.ts';
import type { SaleRefusal, SaleRefusalKind } from '../../../application/sales/sale-request.ts';
import type { CancelRefusal } from '../../../application/servicing/cancel-sale.ts';
import type { MaillessSale } from '../../../application/servicing/correct-sale-email.ts';
import type { MailingRefusal } from '../../../application/servicing/retry-mailing.ts';
import type { WebhookRefusal } from '../../../application/webhooks/endpoints.ts';
import { MAX_ENDPOINTS } from '../../../application/webhooks/endpoints.ts';
import { type AnswerError, busyError, standardError } from './answer-error.ts';
import type { ErrorCode, FieldCode } from './error-codes.ts';
import { type Complaint, complain } from './field-faults.ts';

/** Kinds that the whole request is refused with; `SaleRefusalKind` may be shown at a field. */
type RequestRefusalKind =
  | CancelRefusal['kind']
  | ClientRefusal['kind']
  | DecisionRefusal['kind']
  | MaillessSale['kind']
  | MailingRefusal['kind']
  | AlertRefusal['kind']
  | DocumentRefusal['kind']
  | Exclude<WebhookRefusal['kind'], 'webhook_url_taken'>;

interface RefusalAnswer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** This caller may not sell it. */
interface Forbidden extends RefusalAnswer {
  readonly status: 403;
}

/** Shown as a complaint about a field. */
interface FieldRefusal extends RefusalAnswer {
  readonly status: 422;
  readonly fieldCode: FieldCode;
}

const forbidden = (code: ErrorCode, message: string): Forbidden => ({ status: 403, code, message });
const fault = (fieldCode: FieldCode, message: string): FieldRefusal => ({
  status: 422,
  code: 'validation_failed',
  fieldCode,
  message,
});
const missing = (message: string): RefusalAnswer => ({ status: 404, code: 'not_found', message });
const conflict = (code: ErrorCode, message: string): RefusalAnswer => ({
  status: 409,
  code,
  message,
});
const gone = (code: ErrorCode, message: string): RefusalAnswer => ({ status: 410, code, message });

/** The answer to each refusal of a request. The compiler checks that none is missing. */
const REQUEST_REFUSALS: Readonly<Record<RequestRefusalKind, RefusalAnswer>> = {
  sale_busy: conflict(
    'still_running',
    'A transação está sendo processada. Tente novamente em instantes.',
  ),
  sale_ended: conflict('not_cancellable', 'A transação já foi encerrada e não pode ser cancelada.'),
  nothing_to_give_up: conflict(
    'nothing_to_give_up',
    'Não há de que desistir: a venda foi emitida, já terminou ou é paga ao canal.',
  ),
  nothing_to_decide: conflict(
    'nothing_to_decide',
    'Não há o que decidir: nenhum dinheiro da venda espera por isto.',
  ),
  coverage_ended: conflict('not_cancellable', 'A vigência já terminou: não há o que cancelar.'),
  cancelled_before_sale: conflict(
    'not_cancellable',
    'A venda ainda não tinha sido feita nesta data.',
  ),
  refund_differs: conflict(
    'refund_changed',
    'A devolução já não é a que a prévia mostrou. Peça uma nova prévia.',
  ),
  client_unknown: missing('Cliente não encontrado.'),
  client_revoked: conflict('client_revoked', 'O cliente foi revogado, e isso é definitivo.'),
  client_id_taken: conflict('client_id_taken', 'Já existe um cliente com este client_id.'),
  own_client: conflict(
    'own_client',
    'Um administrador não pode desativar nem revogar as próprias credenciais.',
  ),
  sale_takes_no_mail: conflict(
    'sale_takes_no_mail',
    'A transação foi recusada ou expirou: nenhum e-mail seguirá para o segurado.',
  ),
  mailing_unknown: missing('Envio não encontrado.'),
  mailing_not_undelivered: conflict(
    'mailing_not_undelivered',
    'Este envio não falhou de vez: está à espera, foi feito ou retirado.',
  ),
  alert_unknown: missing('Alerta não encontrado.'),
  channel_unknown: missing('Canal não encontrado.'),
  webhook_unknown: missing('Webhook não encontrado.'),
  webhook_limit_reached: conflict(
    'webhook_limit_reached',
    `O canal já tem ${MAX_ENDPOINTS} webhooks. Apague um antes de cadastrar outro.`,
  ),
  webhook_disabled: conflict(
    'webhook_disabled',
    'O webhook está em pausa ou desativado. Reative-o antes, com status active.',
  ),
  delivery_unknown: missing('Entrega não encontrada.'),
  replay_running: conflict(
    'still_running',
    'Um reenvio deste webhook ainda está em curso. Tente novamente em instantes.',
  ),
  link_unknown: missing(
    'Documento não encontrado. Este endereço não abre nenhum documento. Confira se ele está completo.',
  ),
  link_expired: gone(
    'link_expired',
    'Link expirado. Este link não vale mais. Peça um novo link, ou uma segunda via, a quem vendeu o seguro.',
  ),
  contract_ended: gone(
    'contract_ended',
    'Seguro cancelado. O seguro deste documento foi cancelado, e o documento não vale mais.',
  ),
};

/** The answer to each refusal of a sale. The compiler checks that none is missing. */
const SALE_REFUSALS: Readonly<Record<SaleRefusalKind, Forbidden | FieldRefusal>> = {
  channel_not_own: forbidden(
    'channel_mismatch',
    'O channelLink informado não pertence a este cliente.',
  ),
  channel_inactive: forbidden('channel_inactive', 'O canal de venda está inativo.'),
  product_not_granted: forbidden(
    'product_not_granted',
    'O produto não está liberado para este canal de venda.',
  ),
  return_url_not_registered: fault(
    'not_offered',
    'O endereço de volta não é de uma das origens cadastradas para o canal.',
  ),
  product_unknown: fault('not_offered', 'Produto não encontrado entre os deste tipo de venda.'),
  product_ambiguous: fault(
    'required',
    'O canal vende mais de um produto deste tipo: informe qual.',
  ),
  plan_unknown: fault('not_offered', 'Plano não encontrado neste produto.'),
  coverage_unknown: fault('not_offered', 'Cobertura não encontrada neste produto.'),
  coverage_repeated: fault('repeated', 'A mesma cobertura foi pedida mais de uma vez.'),
  payment_not_with_channel: fault(
    'contradicts',
    'Este produto é pago ao serviço, não ao parceiro.',
  ),
  payment_not_with_service: fault(
    'contradicts',
    'Este produto é pago ao parceiro, não ao serviço.',
  ),
  iof_rate_missing: fault(
    'no_tax_rate',
    'Não há alíquota de IOF cadastrada para o produto nesta data.',
  ),
  premium_not_declared: fault('required', 'O valor do prêmio deve ser informado.'),
  premium_not_positive: fault('out_of_range', 'O prêmio deve ser maior que zero.'),
  amount_too_large: fault('out_of_range', 'O valor é maior que o permitido.'),
  insured_amount_missing: fault('required', 'O valor segurado deve ser informado.'),
  net_premium_differs: fault('amount_differs', 'O prêmio líquido difere do calculado.'),
  iof_differs: fault('amount_differs', 'O IOF difere do calculado sobre o prêmio líquido.'),
  total_differs: fault('amount_differs', 'O valor total difere do calculado.'),
  sold_in_future: fault('in_the_future', 'A data da venda não pode ser futura.'),
  sold_long_ago: fault('in_the_past', 'A data da venda não pode ser de mais de um ano atrás.'),
  paid_in_future: fault('in_the_future', 'A data do pagamento não pode ser futura.'),
  event_before_payment: fault(
    'wrong_order',
    'A data do evento não pode ser anterior à data do pagamento.',
  ),
  born_in_future: fault('in_the_future', 'A data de nascimento deve estar no passado.'),
  period_not_declared: fault('required', 'A vigência deve ser informada.'),
  period_differs: fault('period_differs', 'A vigência informada não é a deste plano.'),
  period_over: fault('in_the_past', 'A vigência já terminou: não há mais o que segurar.'),
  period_reversed: fault('wrong_order', 'O fim da vigência não pode ser anterior ao início.'),
  installments_not_offered: fault(
    'not_offered',
    'O número de parcelas não é oferecido para este plano e esta forma de pagamento.',
  ),
  installment_below_one_cent: fault(
    'out_of_range',
    'O prêmio é pequeno demais para tantas parcelas.',
  ),
  quote_unknown: fault('not_offered', 'Cotação não encontrada entre as deste canal.'),
  quote_expired: {
    ...fault('in_the_past', 'A cotação não vale mais. Peça outra.'),
    code: 'quote_expired',
  },
  quote_differs: {
    ...fault('contradicts', 'Difere da cotação.'),
    code: 'quote_mismatch',
  },
};

/** The answer to each refusal. */
export const REFUSAL_ANSWERS = { ...REQUEST_REFUSALS, ...SALE_REFUSALS };

/** Turns a refusal into an error answer. */
export const refusalError = (
  { kind }: Refusal<RequestRefusalKind | SaleRefusalKind>,
  moreFields: object = {},
): AnswerError => {
  const { status, code, message } = REFUSAL_ANSWERS[kind];
  return kind === 'sale_busy' || kind === 'replay_running'
    ? busyError(message, moreFields)
    : standardError(status, code, message, moreFields);
};

/** Whether the refusal is of the caller: it is not a fault of a field. */
export const isForbidden = ({ kind }: SaleRefusal): boolean => SALE_REFUSALS[kind].status === 403;

/** The code of an answer that shows refusals at fields: a quote must be mended first. */
export const codeOfRefusals = (refusals: readonly SaleRefusal[]): ErrorCode => {
  const ofFields = refusals
    .filter((each) => !isForbidden(each))
    .map(({ kind }) => SALE_REFUSALS[kind].code);
  return ofFields.find((code) => code !== 'validation_failed') ?? 'validation_failed';
};

/**
 * The complaint about the field of a refusal, with the correct amount or period if there is one.
 * Undefined for a refusal of the caller.
 *
 * @param own complaints that replace the common ones
 */
export const complainOfRefusal = (
  { kind, expected, period, offered = [] }: SaleRefusal,
  own: Partial<Record<SaleRefusalKind, Complaint>> = {},
): Complaint | undefined => {
  const answer = SALE_REFUSALS[kind];
  if (answer.status === 403) return undefined;

  const { code, message } = own[kind] ?? complain(answer.fieldCode, answer.message);
  if (period !== undefined) {
    const days = `de ${formatDate(period.start)} a ${formatDate(period.end)}`;
    return complain(code, `${message} A correta é ${days}.`);
  }
  if (offered.length > 0) return complain(code, `${message} ${listOffered(offered)}`);
  const right =
    expected === undefined ? '' : ` O valor correto é ${formatReais(expected as Cents)}.`;
  return complain(code, `${message}${right}`);
};

/** Entries of the catalogue in a message, at most. */
const MAX_LISTED = 20;

const listOffered = (offered: NonNullable<SaleRefusal['offered']>): string => {
  const names = offered.slice(0, MAX_LISTED).map(({ id, code }) => `${code} (id ${id})`);
  const more = offered.length > MAX_LISTED ? '…' : '';
  return `Oferecido: ${names.join(', ')}${more}.`;
};

/** A field; or the field for the part of the request that the refusal names in `at`. */
type RefusedField<Field extends string> = Field | ((part: string) => Field);

/** The field at which an endpoint shows each refusal. */
export type FieldOfRefusal<Field extends string> = Readonly<
  Record<SaleRefusalKind, RefusedField<Field>>
>;

/** The fields at which a refusal is shown: one for each part that it names. */
export const fieldsOfRefusal = <Field extends string>(
  { kind, at = [''] }: SaleRefusal,
  fieldOf: FieldOfRefusal<Field>,
): readonly Field[] => {
  const field = fieldOf[kind];
  return typeof field === 'function' ? at.map(field) : [field];
};

/** Shows all refusals at one field. A dialect overrides those that belong to other fields. */
export const showRefusalsAt = <Field extends string>(
  field: Field,
): Record<SaleRefusalKind, Field> =>
  Object.fromEntries(Object.keys(SALE_REFUSALS).map((kind) => [kind, field])) as Record<
    SaleRefusalKind,
    Field
  >;
