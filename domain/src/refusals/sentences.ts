import { formatReais } from '../values/decimal.ts';
import type { Cents } from '../values/money.ts';
import type { Refusal, RefusalKind } from './refusal.ts';

/** What each refusal tells people, without its right amount. */
const SENTENCES: Readonly<Record<RefusalKind, string>> = {
  product_unknown: 'Produto não encontrado entre os deste tipo de venda.',
  product_ambiguous: 'O canal vende mais de um produto deste tipo: informe qual.',
  product_not_granted: 'O produto não está liberado para este canal de venda.',
  plan_unknown: 'Plano não encontrado neste produto.',
  coverage_unknown: 'Cobertura não encontrada neste produto.',
  coverage_repeated: 'A mesma cobertura foi pedida mais de uma vez.',
  channel_inactive: 'O canal de venda está inativo.',
  payment_not_with_channel: 'Este produto é pago ao serviço, não ao parceiro.',
  payment_not_with_service: 'Este produto é pago ao parceiro, não ao serviço.',

  iof_rate_missing: 'Não há alíquota de IOF cadastrada para o produto nesta data.',
  premium_not_declared: 'O valor do prêmio deve ser informado.',
  premium_not_positive: 'O prêmio deve ser maior que zero.',
  amount_too_large: 'O valor é maior que o permitido.',
  insured_amount_missing: 'O valor segurado deve ser informado.',

  net_premium_differs: 'O prêmio líquido difere do calculado.',
  iof_differs: 'O IOF difere do calculado sobre o prêmio líquido.',
  total_differs: 'O valor total difere do calculado.',

  installments_not_offered:
    'O número de parcelas não é oferecido para este plano e esta forma de pagamento.',
  installment_below_one_cent: 'O prêmio é pequeno demais para tantas parcelas.',
  iof_rate_ends: 'Há parcela que vence quando a alíquota de IOF do prêmio já não vale.',

  paid_in_future: 'A data do pagamento não pode ser futura.',
  sold_in_future: 'A data da venda não pode ser futura.',
  sold_long_ago: 'A data da venda não pode ser de mais de um ano atrás.',
  event_before_payment: 'A data do evento não pode ser anterior à data do pagamento.',
  born_in_future: 'A data de nascimento deve estar no passado.',

  period_not_declared: 'A vigência deve ser informada.',
  period_differs: 'A vigência informada não é a deste plano.',
  period_reversed: 'O fim da vigência não pode ser anterior ao início.',
  period_over: 'A vigência já terminou: não há mais o que segurar.',

  quote_expired: 'A cotação não vale mais. Peça outra.',
  quote_differs: 'Difere da cotação.',

  cancelled_before_sale: 'A venda ainda não tinha sido feita nesta data.',
  coverage_ended: 'A vigência já terminou: não há o que cancelar.',

  too_many_corrections: 'O e-mail desta venda já foi corrigido vezes demais na última hora.',

  transition_not_possible: 'Esta mudança não é possível no estado atual.',
  payment_amount_differs: 'O valor do pagamento difere do valor da venda.',
  refund_amount_differs: 'O valor devolvido não confere com o valor recebido.',
  payment_returned: 'O pagamento já foi devolvido.',
  charge_not_named: 'A devolução deve informar de qual cobrança é.',
  quotation_expired: 'A cotação da seguradora não vale mais.',
};

/**
 * A refusal in Portuguese, with the right amount if it has one.
 *
 * @throws RangeError if the kind is not of the domain.
 */
export const sentenceOfRefusal = ({ kind, expected }: Refusal): string => {
  if (!Object.hasOwn(SENTENCES, kind)) throw new RangeError(`no message for the refusal ${kind}`);
  const right =
    expected === undefined ? '' : ` O valor correto é ${formatReais(expected as Cents)}.`;
  return `${SENTENCES[kind]}${right}`;
};
