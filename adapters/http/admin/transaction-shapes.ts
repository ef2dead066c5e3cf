import Type, { type Static } from 'typebox';
import { type Instant, outstandingRefunds, type Sale } from '#domain';
import type { CountedCall } from '../../../application/providers/provider-calls.ts';
import type { InspectedSale } from '../../../application/servicing/inspect-sale.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { documentUrlShape, foundSaleFields, presentFoundSale } from '../generic/generic-answers.ts';
import { amountsShape, presentAmounts, presentEndReason } from '../sales/sale-answer-parts.ts';
import { alert, presentAlert } from './alert-routes.ts';
import { mailing, presentMailing } from './mailing-routes.ts';

export const transactionShape = namedObject('Transaction', {
  ...foundSaleFields,
  channelLink: Type.String(),
  client_id: Type.String(),
});

/** A sale as its channel sees it, without data of the insured, and whose it is. */
export const presentTransaction = (
  sale: Sale,
  now: Instant,
  isMailLost: boolean,
): Static<typeof transactionShape> => ({
  ...presentFoundSale(sale, now, isMailLost),
  channelLink: sale.terms.channelLink,
  client_id: sale.terms.clientId,
});

const providerCallShape = namedObject('ProviderCall', {
  provider: Type.String(),
  question: Type.String({ description: 'O que foi pedido: charge, find_charges, issue…' }),
  answer: Type.String({
    description:
      'Em palavras, valores em centavos: approved 15031, policy active; sem resposta: no answer (o pedido pode ter sido feito), its own failure, not reached (não foi feito)',
  }),
  times: Type.Integer({ description: 'Quantas vezes respondeu isso' }),
  first_at: Type.String(),
  last_at: Type.String(),
  last_ms: Type.Integer({ description: 'Quanto a última demorou' }),
  request_id: nullableText('A requisição ou tarefa da última'),
});

const presentCall = (call: CountedCall): Static<typeof providerCallShape> => ({
  provider: call.provider,
  question: call.question,
  answer: call.answer,
  times: call.times,
  first_at: call.firstAt,
  last_at: call.lastAt,
  last_ms: call.lastMs,
  request_id: call.requestId,
});

const paymentShape = namedObject('TransactionPayment', {
  status: Type.String({
    description: 'requested, unknown (o gateway não disse), awaited, expired, declined, approved',
  }),
  amount: reaisShape(),
  charge_id: nullableText('O id da cobrança no gateway'),
  method: nullableText(),
  paid_on: nullableText(),
  until: nullableText('Quando o serviço encerra a cobrança que espera o pagador'),
});

const receiptsShape = Type.Array(
  Type.Object({
    charge_id: nullableText('Nulo: recebido pelo canal'),
    amount: reaisShape(),
    returned: reaisShape(),
    ordered: reaisShape({ description: 'Quanto se mandou devolver; inclui o que já voltou' }),
    refund_barred: nullableText(
      'Por que o gateway não devolve agora o que se deve: dispute (contestação), paid_in_cash (recebido em dinheiro), whole_only (só devolve o todo)',
    ),
  }),
  { title: 'TransactionReceipts', description: 'O que entrou por cada cobrança, e quanto voltou' },
);

const endShape = namedObject('TransactionEnd', {
  reason: Type.String(),
  by: Type.String(),
  on: Type.String(),
  paid: amountsShape,
  kept: amountsShape,
  refund: amountsShape,
});

const jobShape = Type.Object(
  {
    tries: Type.Integer({ description: 'Tentativas até agora' }),
    next_try_at: nullableText('Nulo: está sendo tentada agora'),
  },
  { title: 'TransactionJob', description: 'A tarefa que continua a venda' },
);

const insurerDocumentsShape = Type.Object(
  { quotation: Type.String(), proposal: nullableText(), policy: nullableText() },
  { title: 'InsurerPapers', description: 'Os papéis que a seguradora mostrou' },
);

/** The money of a sale in figures. */
const presentMoney = (sale: Sale) => {
  const { payment, receipts } = sale;
  const bars = new Map(outstandingRefunds(sale).map(({ chargeId, barred }) => [chargeId, barred]));
  return {
    payment: {
      status: payment.status,
      amount: inReais(payment.amount),
      charge_id: payment.chargeId ?? null,
      method: payment.status === 'approved' ? (payment.method ?? null) : null,
      paid_on: payment.status === 'approved' ? payment.paidOn : null,
      until: payment.status === 'awaited' ? (payment.until ?? null) : null,
    },
    receipts: receipts.map(({ chargeId, amount, returned, ordered = returned }) => ({
      charge_id: chargeId ?? null,
      amount: inReais(amount),
      returned: inReais(returned),
      ordered: inReais(ordered),
      refund_barred: bars.get(chargeId) ?? null,
    })),
    cancellation: presentCancelled(sale),
  };
};

const presentCancelled = (sale: Sale) => {
  if (!('cancellation' in sale)) return null;
  const { reason, by, on, paid, kept, refund } = sale.cancellation;
  const figures = { paid: presentAmounts(paid), kept: presentAmounts(kept) };
  return { reason: presentEndReason(reason), by, on, ...figures, refund: presentAmounts(refund) };
};

/** A sale with all that tells why it does not go on. */
export const inspectedTransactionShape = namedObject('InspectedTransaction', {
  ...transactionShape.properties,
  steps: Type.Array(Type.String(), {
    description: 'O que o serviço faz a seguir; await: esperar o pagador ou o gateway',
  }),
  attempts: Type.Array(Type.Object({ step: Type.String(), since: Type.String() }), {
    description: 'Passos pedidos a um provedor cujo resultado não se sabe',
  }),
  job: nullable(jobShape),
  insurer: nullable(insurerDocumentsShape),
  payment: paymentShape,
  receipts: receiptsShape,
  cancellation: nullable(endShape),
  provider_calls: Type.Array(providerCallShape, {
    description: 'O que se perguntou a gateway e seguradora; as respostas mais novas primeiro',
  }),
  alerts: Type.Array(alert, {
    description: 'Os alertas desta venda, também os resolvidos; os mais novos primeiro',
  }),
  mails: Type.Array(mailing, { description: 'Os últimos envios; os mais novos primeiro' }),
  document_url: documentUrlShape,
});

/** The fields beside those of a list, without data of the insured. */
export const presentInspected = (
  inspected: InspectedSale,
  publicUrl: string,
): Static<typeof inspectedTransactionShape> => {
  const { sale, now, steps, job, calls, alerts, mails, isMailLost } = inspected;
  const { issuance, attempts = [] } = sale;
  return {
    ...presentTransaction(sale, now, isMailLost),
    steps: [...steps],
    attempts: attempts.map(({ step, since }) => ({ step, since })),
    job: job === undefined ? null : { tries: job.tries, next_try_at: job.nextAt },
    insurer:
      issuance === undefined
        ? null
        : {
            quotation: issuance.quotation.status,
            proposal: issuance.proposal?.status ?? null,
            policy: issuance.policy ?? null,
          },
    ...presentMoney(sale),
    provider_calls: calls.map(presentCall),
    alerts: alerts.map((each) => presentAlert(each, publicUrl)),
    mails: mails.map(presentMailing),
    document_url: inspected.documentUrl,
  };
};
