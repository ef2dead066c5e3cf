import type { AlertKind } from '../../application/alerts/alerts.ts';
import type { TimelineEntry } from '../../application/servicing/sale-timeline.ts';
import { ACTION_WORDS } from './action-words.ts';
import { STATUS_WORDS } from './sale-words.ts';

/** What happens to a sale. */
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  ...ACTION_WORDS,
  registered: 'registrada',
  paid: 'pagamento registrado',
  issued: 'documento emitido',
  refused: 'recusada',
  expired: 'vencida sem pagamento',
  cancelled: 'cancelada',
  refund_ordered: 'devolução pedida',
  refund_left: 'devolução feita',
  dispute_opened: 'pagamento contestado no banco',
  mail_requested: 'e-mail pedido',
  mail_sent: 'e-mail enviado',
  mail_undelivered: 'e-mail não entregue',
  mail_withdrawn: 'e-mail retirado',
  alert_raised: 'alerta aberto',
  alert_resolved: 'alerta encerrado',
} satisfies Readonly<Record<TimelineEntry['event'], string>>;

/** What needs a person. */
export const ALERT_WORDS: Readonly<Record<AlertKind, string>> = {
  provider_contradicts: 'provedor contradiz o que disse',
  status_unknown: 'seguradora usa um status desconhecido',
  premium_differs: 'seguradora deu outro preço',
  period_differs: 'seguradora deu outra vigência',
  payment_amount_differs: 'pagamento de outro valor',
  payment_unconfirmed: 'gateway não mostra mais um pagamento',
  dispute_opened: 'pagamento contestado no banco',
  dispute_lost: 'contestação perdida',
  refund_barred: 'devolução impedida',
  refund_refused: 'gateway recusa a devolução',
  refund_undone: 'devolução desfeita',
  refund_waits_for_payer: 'devolução espera o pagador',
  receipt_undone: 'pagamento em dinheiro desfeito',
  reference_missing: 'cobrança sem a nossa referência',
  balance_blocked: 'saldo bloqueado no gateway',
  papers_gone: 'papéis da seguradora sumiram',
  charge_missing: 'cobrança que o gateway não conhece',
  sale_stuck: 'venda parada',
  policy_overdue: 'apólice atrasada',
  certificate_overdue: 'bilhete ou apólice não enviado no prazo',
  refund_unconfirmed: 'devolução que a loja não confirmou',
  mail_undelivered: 'e-mail não entregue',
  notice_unreadable: 'aviso do gateway que não se lê',
  notice_differs: 'dois avisos do gateway com o mesmo número',
  notice_of_nothing: 'aviso do gateway sobre venda nenhuma',
  webhook_disabled: 'webhook desativado',
  webhook_undelivered: 'webhook não entregue',
  webhook_secret_unreadable: 'segredo de webhook que não se abre',
  group_unavailable: 'grupo de canais fora de alcance',
};

/** The words for codes that people meet every day. */
export const VALUE_WORDS: Readonly<Record<string, string>> = {
  ...ALERT_WORDS,
  ...STATUS_WORDS,
  ...{ approved: 'aprovado', awaited: 'esperado', declined: 'recusado', unknown: 'desconhecida' },
  ...{ sent: 'enviado', waiting: 'espera o envio', undelivered: 'não entregue' },
  ...{ withdrawn: 'retirado', open: 'aberto', resolved: 'resolvido' },
  ...{ issue: 'emissão', second_copy: 'segunda via', cancellation: 'cancelamento' },
  ...{ credit: 'cartão de crédito', debit: 'cartão de débito', pix: 'Pix', boleto: 'boleto' },
  ...{
    operator: 'nós',
    await: 'esperar',
    active: 'em vigor',
    accept: 'aceitar',
    return: 'devolver',
    charge_not_wanted: 'cobrança que a venda não espera',
    payment_differs: 'valores diferentes',
  },
  ...{ withdraw: 'retirar a cobrança' },
  ...{ refund: 'devolver', take_over: 'a venda segue o gateway', alert: 'uma pessoa decide' },
  ...{ wait: 'esperar o gateway' },
  ...{ due: 'a devolver', ordered: 'pedida', waiting_payer: 'espera o pagador' },
  ...{ barred: 'impedida', undone: 'desfeita, é pedida de novo', done: 'feita' },
  ...{ insured: 'segurado', plan: 'plano', coverage: 'cobertura', brokerage: 'corretagem' },
  ...{ agency: 'agenciamento', pro_labore: 'pró-labore', withdrawal: 'arrependimento' },
  ...{ not_issued: 'não emitida', event_cancelled: 'evento cancelado', duplicate: 'duplicada' },
  ...{ customer_request: 'pedido do cliente', other: 'outro' },
  ...{ channel: 'loja', service: 'serviço', payer: 'pagador', insurer: 'seguradora' },
};
