import { formatDate, formatReais, type RefundStatus, type UnbookedMoney } from '#domain';
import type { CancellationNotice } from './mailer.ts';

/** Who ended the contract, or the purchase before it, for the insured: the letters differ. */
export type Ending = 'insured' | 'insurer' | 'not_concluded' | 'payment_returned' | 'payment_lost';

export const endingOf = ({ figures: { reason, by } }: CancellationNotice): Ending => {
  if (reason === 'charged_back') return 'payment_returned';
  if (reason === 'payment_lost') return reason;
  return by === 'insurer' && reason !== 'cancellation' ? 'not_concluded' : by;
};

/** What ended, when, and who ended it. */
export const describeCancellation = (notice: CancellationNotice): string => {
  const { figures, productName, channelName, insurer } = notice;
  const { reason } = figures;
  const on = formatDate(figures.on);
  const ending = endingOf(notice);
  if (ending === 'payment_returned')
    return `O pagamento de ${productName} voltou inteiro a quem pagou, por meio do banco ou do serviço de pagamento. Como o seguro deixou de estar pago, o contrato terminou em ${on}.`;
  if (ending === 'payment_lost')
    return `O pagamento de ${productName} não está mais completo: o serviço de pagamento deixou de mostrar o valor, ou uma parte dele voltou a quem pagou. Como o seguro deixou de estar pago, o contrato terminou em ${on}.`;
  if (ending === 'insurer')
    return `A seguradora, ${insurer.name}, encerrou em ${on} o contrato de ${productName}. A decisão foi da seguradora, e não um pedido seu.`;
  if (ending === 'not_concluded')
    return `A compra de ${productName} não pôde ser concluída e terminou em ${on}: a seguradora, ${insurer.name}, não emitiu o contrato, e não há cobertura. Isso não foi um pedido seu.`;
  const what =
    reason === 'not_paid' || reason === 'not_issued'
      ? `A compra de ${productName} foi cancelada em ${on}`
      : `${productName} foi cancelado em ${on}`;
  const when: Readonly<Record<typeof reason, string>> = {
    not_paid: ', antes do pagamento',
    not_issued: ', antes da emissão da apólice',
    withdrawal: `, dentro do prazo de arrependimento de ${notice.withdrawalDays} dias`,
    cancellation: '',
    charged_back: '',
    payment_lost: '',
  };
  return `${what}${when[reason]}, a seu pedido, registrado por ${channelName}.`;
};

export const DO_NOT_PAY =
  'Se você tem um boleto ou um link de pagamento desta compra, não o pague. Se um pagamento já feito chegar depois desta mensagem, ele volta inteiro.';

/** What is known of the money if no payment was booked. */
const writeUnbooked = (
  { kind, received }: UnbookedMoney,
  { figures, refundStatus }: CancellationNotice,
  way: string,
): string => {
  const came =
    figures.paid.total > 0
      ? `Chegou um pagamento de ${formatReais(received)}, menor que o preço, que não pagou o seguro.`
      : `Um pagamento de ${formatReais(received)} chegou depois do fim da compra.`;
  const back =
    refundStatus === 'done'
      ? 'Ele já foi devolvido.'
      : 'A devolução de todo o valor é pedida sem demora.';
  const texts: Readonly<Record<UnbookedMoney['kind'], string>> = {
    not_charged: 'Nada foi cobrado, por isso não há o que devolver.',
    not_paid: `Nenhum pagamento chegou, por isso não há o que devolver. ${DO_NOT_PAY}`,
    unknown: `O serviço de pagamento ainda não informou se houve uma cobrança. Se houve, o valor volta inteiro, sem que você precise pedir. ${DO_NOT_PAY}`,
    received: `${came} ${back} ${way}`,
  };
  return texts[kind];
};

/** What goes back, when, and by which way. */
export const describeRefund = (notice: CancellationNotice): string => {
  const { figures, unbooked, collectedBy, channelName } = notice;
  const { reason, refund } = figures;
  const amount = formatReais(refund.total);
  const way = WAYS[notice.method ?? 'other'];
  if (reason === 'charged_back')
    return `Os ${amount} já voltaram pela mesma forma em que foram pagos; não há outro valor a devolver.`;
  if (reason === 'payment_lost')
    return notice.refundStatus === undefined || notice.refundStatus === 'done'
      ? 'Não há outro valor a devolver. Se o valor que faltou aparecer, ele volta inteiro.'
      : `O que ficou do pagamento volta inteiro, sem demora. ${way}`;
  if (unbooked !== undefined) return writeUnbooked(unbooked, notice, way);
  if (refund.total === 0) return 'Pelas regras do contrato, não há valor a devolver.';
  if (collectedBy === 'channel')
    return `Quem recebeu o pagamento e o devolve é ${channelName}: ${amount}, ${URGENCY[reason]}, pela mesma forma em que foram pagos. Se o valor não chegar, procure ${channelName} e informe o protocolo.`;
  if (notice.barred === 'dispute')
    return `Este pagamento está contestado no banco. Se o banco o devolver, não há outro valor a receber; se não, a devolução de ${amount} é pedida em seguida, sem que você precise fazer nada.`;
  if (notice.barred !== undefined)
    return `A devolução de ${amount} é feita à parte, sem demora. Se o valor não chegar, procure ${channelName} e informe o protocolo.`;
  const isAtAccount = notice.method === 'boleto' && notice.refundStatus === 'done';
  return `${ORDERS[notice.refundStatus ?? 'due'](amount)} ${isAtAccount ? TO_ACCOUNT : way}`;
};

/** How the refund that the gateway makes stands. */
const ORDERS: Readonly<Record<RefundStatus, (amount: string) => string>> = {
  done: (amount) => `A devolução de ${amount} foi feita.`,
  ordered: (amount) => `A devolução de ${amount} foi pedida, e está a caminho.`,
  waiting_payer: (amount) => `A devolução de ${amount} foi pedida.`,
  due: (amount) => `A devolução de ${amount} é pedida sem demora.`,
  barred: (amount) => `A devolução de ${amount} é feita sem demora.`,
  undone: (amount) => `A devolução de ${amount} não pôde ser feita, e é pedida de novo.`,
};

/** The refund of a withdrawal is immediate (Lei 8.078/1990, CDC, art. 49, sole paragraph). */
const URGENCY = {
  withdrawal: 'de imediato, como manda o Código de Defesa do Consumidor (art. 49)',
  cancellation: 'sem demora',
  not_issued: 'sem demora',
  not_paid: 'sem demora',
} as const;

/** When a refund that has not left is with the payer. */
export const describeWhenBack = ({
  figures,
  collectedBy,
  method,
  barred,
}: CancellationNotice): string => {
  if (barred === 'dispute') return 'depois da decisão do banco sobre a contestação';
  if (collectedBy === 'channel')
    return figures.reason === 'withdrawal' ? 'de imediato' : 'sem demora';
  return TIMES[method ?? 'other'];
};

const ON_INVOICE = 'na fatura atual do cartão ou na seguinte';

const TIMES = {
  credit: ON_INVOICE,
  debit: ON_INVOICE,
  pix: 'em geral no mesmo dia',
  boleto: 'depois que você informar a conta que recebe o valor',
  other: 'sem demora',
} as const;

const CARD =
  'Ela volta ao cartão que pagou, como crédito na fatura atual ou na seguinte; o dia depende do emissor do cartão.';

/** The way of a boleto's refund that is done. */
const TO_ACCOUNT = 'Ela foi para a conta que você informou.';

const WAYS = {
  credit: CARD,
  debit: CARD,
  pix: 'Ela volta à conta de onde saiu o Pix, em geral no mesmo dia.',
  boleto:
    'Um boleto não tem conta de origem: outra mensagem traz a página em que você informa uma conta em seu nome, que recebe o valor.',
  other: 'Ela volta pela mesma forma em que foi paga.',
} as const;
