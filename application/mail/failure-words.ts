import {
  type Cents,
  type FailedSale,
  formatReais,
  plus,
  type RefusedReason,
  refundsOf,
  ZERO,
} from '#domain';
import { DO_NOT_PAY } from './cancellation-words.ts';

const REASONS: Readonly<Record<RefusedReason, string>> = {
  declined: 'o banco ou o emissor do cartão não autorizou o pagamento',
  insufficient_funds: 'o cartão não tinha saldo ou limite suficiente',
  expired_card: 'o cartão estava vencido, segundo o emissor',
  payer_refused: 'a desistência foi feita na página de pagamento',
  gateway_refused: 'o serviço de pagamento não aceitou a cobrança',
  not_charged: 'o pagamento não pôde ser processado',
  price_over: 'o prazo do preço terminou antes do pagamento',
  payment_returned: 'o pagamento voltou a quem pagou antes de o seguro ser emitido',
  insurer_rejected: 'a seguradora não aceitou a proposta',
  premium_differs: 'o preço da seguradora passou a ser outro',
};

/** Tells why the sale ended before there was a contract. */
export const describeFailure = (sale: FailedSale, productName: string): string => {
  const why =
    sale.status === 'expired'
      ? 'o prazo para pagar terminou sem que um pagamento chegasse'
      : REASONS[sale.reason];
  return `A compra de ${productName} não foi concluída: ${why}. Não há seguro.`;
};

/** Whether the payer may still hold a link or a boleto. A card that fails at once has neither. */
const hadPage = (sale: FailedSale): boolean =>
  sale.status === 'expired' || ['payer_refused', 'price_over'].includes(sale.reason);

/** Tells what happened to the money, and what to do with a link or a boleto that is still at hand. */
export const describeMoneyOfFailure = (sale: FailedSale): string => {
  const refunds = refundsOf(sale);
  const nothing = 'Nada foi cobrado.';
  if (refunds.length === 0) return hadPage(sale) ? `${nothing} ${DO_NOT_PAY}` : nothing;

  const sumOf = (isDone: boolean): Cents =>
    plus(
      ZERO,
      ...refunds.filter(({ status }) => (status === 'done') === isDone).map(({ amount }) => amount),
    );
  const [returned, due] = [sumOf(true), sumOf(false)];
  return [
    ...(returned > 0 ? [`${formatReais(returned)} já voltaram a quem pagou.`] : []),
    ...(due > 0 ? [`${formatReais(due)} voltam a quem pagou, sem que seja preciso pedir.`] : []),
  ].join(' ');
};
