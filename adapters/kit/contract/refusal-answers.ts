import { messageOf, type Refusal, type RefusalKind, refuse } from '#domain';
import type { AlertRefusal } from '../../../application/alerts/resolve-alert.ts';
import type { DocumentRefusal } from '../../../application/certificates/document-links.ts';
import type { DecisionRefusal } from '../../../application/collection/decide-payment.ts';
import type { ClientRefusal } from '../../../application/identity/manage-clients.ts';
import type { SaleRefusalKind } from '../../../application/sales/sale-request.ts';
import type { CancelRefusal } from '../../../application/servicing/cancel-sale.ts';
import type { ConfirmRefusal } from '../../../application/servicing/confirm-refund.ts';
import type { MaillessSale } from '../../../application/servicing/correct-sale-email.ts';
import type { MailingRefusal } from '../../../application/servicing/retry-mailing.ts';
import { MAX_ENDPOINTS, type WebhookRefusal } from '../../../application/webhooks/endpoints.ts';
import { type AnswerError, busyError, standardError } from './answer-error.ts';
import type { ErrorCode } from './error-codes.ts';

/** Refusals of a sale that are of the caller; all others are shown at fields of the body. */
export type ForbiddenKind = 'channel_not_own' | 'channel_inactive' | 'product_not_granted';

/** Kinds that the whole request is refused with. */
export type RequestRefusalKind =
  | ForbiddenKind
  | CancelRefusal['kind']
  | ClientRefusal['kind']
  | DecisionRefusal['kind']
  | Exclude<ConfirmRefusal['kind'], 'refund_too_large'>
  | MaillessSale['kind']
  | MailingRefusal['kind']
  | AlertRefusal['kind']
  | DocumentRefusal['kind']
  | Exclude<WebhookRefusal['kind'], 'webhook_url_taken'>;

type AnsweredKind = RequestRefusalKind | SaleRefusalKind;

/** The refusals that the domain has no sentence for. The compiler checks that none is missing. */
const SENTENCES: Readonly<Record<Exclude<AnsweredKind, RefusalKind>, string>> = {
  sale_busy: 'A transação está sendo processada. Tente novamente em instantes.',
  sale_ended: 'A transação já foi encerrada e não pode ser cancelada.',
  nothing_to_give_up:
    'Não há de que desistir: a venda foi emitida, já terminou ou é paga ao canal.',
  nothing_to_decide: 'Não há o que decidir: nenhum dinheiro da venda espera por isto.',
  sale_changed:
    'A venda mudou desde que esta página foi aberta. Confira de novo o que vai acontecer.',
  nothing_to_refund: 'Não há devolução que o canal deva fazer nesta venda.',
  refund_differs: 'A devolução já não é a que a prévia mostrou. Peça uma nova prévia.',
  client_unknown: 'Cliente não encontrado.',
  client_revoked: 'O cliente foi revogado, e isso é definitivo.',
  client_id_taken: 'Já existe um cliente com este client_id.',
  own_client: 'Um administrador não pode desativar nem revogar as próprias credenciais.',
  sale_takes_no_mail: 'A transação foi recusada ou expirou: nenhum e-mail seguirá para o segurado.',
  mailing_unknown: 'Envio não encontrado.',
  mailing_not_undelivered: 'Este envio não falhou de vez: está à espera, foi feito ou retirado.',
  alert_unknown: 'Alerta não encontrado.',
  channel_unknown: 'Canal não encontrado.',
  webhook_unknown: 'Webhook não encontrado.',
  webhook_limit_reached: `O canal já tem ${MAX_ENDPOINTS} webhooks. Apague um antes de cadastrar outro.`,
  webhook_disabled: 'O webhook está em pausa ou desativado. Reative-o antes, com status active.',
  delivery_unknown: 'Entrega não encontrada.',
  replay_running: 'Um reenvio deste webhook ainda está em curso. Tente novamente em instantes.',
  link_unknown:
    'Documento não encontrado. Este endereço não abre nenhum documento. Confira se ele está completo.',
  link_expired:
    'Link expirado. Este link não vale mais. Peça um novo link, ou uma segunda via, a quem vendeu o seguro.',
  contract_ended:
    'Seguro cancelado. O seguro deste documento foi cancelado, e o documento não vale mais.',
  channel_not_own: 'O channelLink informado não pertence a este cliente.',
  return_url_not_registered:
    'O endereço de volta não é de uma das origens cadastradas para o canal.',
  quote_unknown: 'Cotação não encontrada entre as deste canal.',
};

const isOwn = (kind: AnsweredKind): kind is keyof typeof SENTENCES =>
  Object.hasOwn(SENTENCES, kind);

/** A refusal in Portuguese: the domain's sentence, with the right amount, or one of this table. */
export const sentenceOf = ({ kind, expected }: Refusal<AnsweredKind>): string =>
  isOwn(kind) ? SENTENCES[kind] : messageOf(refuse(kind, expected), 'pt-BR');

interface RefusalAnswer {
  readonly status: number;
  readonly code: ErrorCode;
}

const forbidden = (code: ErrorCode): RefusalAnswer => ({ status: 403, code });
const missing: RefusalAnswer = { status: 404, code: 'not_found' };
const conflict = (code: ErrorCode): RefusalAnswer => ({ status: 409, code });
const gone = (code: ErrorCode): RefusalAnswer => ({ status: 410, code });

/** The answer to each refusal of a request. The compiler checks that none is missing. */
const ANSWERS: Readonly<Record<RequestRefusalKind, RefusalAnswer>> = {
  channel_not_own: forbidden('channel_mismatch'),
  channel_inactive: forbidden('channel_inactive'),
  product_not_granted: forbidden('product_not_granted'),
  sale_busy: conflict('still_running'),
  sale_ended: conflict('not_cancellable'),
  nothing_to_give_up: conflict('nothing_to_give_up'),
  nothing_to_decide: conflict('nothing_to_decide'),
  sale_changed: conflict('refund_changed'),
  coverage_ended: conflict('not_cancellable'),
  cancelled_before_sale: conflict('not_cancellable'),
  nothing_to_refund: conflict('nothing_to_refund'),
  refund_differs: conflict('refund_changed'),
  client_unknown: missing,
  client_revoked: conflict('client_revoked'),
  client_id_taken: conflict('client_id_taken'),
  own_client: conflict('own_client'),
  sale_takes_no_mail: conflict('sale_takes_no_mail'),
  mailing_unknown: missing,
  mailing_not_undelivered: conflict('mailing_not_undelivered'),
  alert_unknown: missing,
  channel_unknown: missing,
  webhook_unknown: missing,
  webhook_limit_reached: conflict('webhook_limit_reached'),
  webhook_disabled: conflict('webhook_disabled'),
  delivery_unknown: missing,
  replay_running: conflict('still_running'),
  link_unknown: missing,
  link_expired: gone('link_expired'),
  contract_ended: gone('contract_ended'),
};

/** The status and code that answer a refusal, and the sentence for people. */
export const answerOf = (refusal: Refusal<RequestRefusalKind>) => ({
  ...ANSWERS[refusal.kind],
  message: sentenceOf(refusal),
});

/** Turns a refusal into an error answer. */
export const refusalError = (
  refusal: Refusal<RequestRefusalKind>,
  moreFields: object = {},
): AnswerError => {
  const { status, code, message } = answerOf(refusal);
  return refusal.kind === 'sale_busy' || refusal.kind === 'replay_running'
    ? busyError(message, moreFields)
    : standardError(status, code, message, moreFields);
};
