import Type from 'typebox';
import {
  type EndedByCancellation,
  type Issuance,
  isCancelled,
  outstandingRefunds,
  type Receipt,
  type Sale,
} from '#domain';
import type { CountedCall } from '../../../application/providers/provider-calls.ts';
import type { SaleJob } from '../../../application/sales/sale-jobs.ts';
import type { InspectedSale } from '../../../application/servicing/inspect-sale.ts';
import {
  SALE_ACTS,
  SALE_MOMENTS,
  type TimelineEntry,
} from '../../../application/servicing/sale-timeline.ts';
import { described } from '../../kit/contract/described.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { documentUrlShape, foundSale, type SeenSale } from '../generic/generic-answers.ts';
import { saleCancellation } from '../sales/money-after-sale.ts';
import { amounts, type SaleSource } from '../sales/sale-answer-parts.ts';
import { alert } from './alert-routes.ts';
import { mailing } from './mailing-routes.ts';

/** A sale as its channel sees it, without data of the insured, and whose it is. */
export const transaction = described<SeenSale>('Transaction')({
  ...foundSale.fields,
  channelLink: [Type.String(), ({ sale }) => sale.terms.channelLink],
  client_id: [Type.String(), ({ sale }) => sale.terms.clientId],
});

const providerCall = described<CountedCall>('ProviderCall')({
  provider: [Type.String(), ({ provider }) => provider],
  question: [
    Type.String({ description: 'O que foi pedido: charge, find_charges, issue…' }),
    ({ question }) => question,
  ],
  answer: [
    Type.String({
      description:
        'Em palavras, valores em centavos: approved 15031, policy active; sem resposta: no answer (o pedido pode ter sido feito), its own failure, not reached (não foi feito)',
    }),
    ({ answer }) => answer,
  ],
  times: [Type.Integer({ description: 'Quantas vezes respondeu isso' }), ({ times }) => times],
  first_at: [Type.String(), ({ firstAt }) => firstAt],
  last_at: [Type.String(), ({ lastAt }) => lastAt],
  last_ms: [Type.Integer({ description: 'Quanto a última demorou' }), ({ lastMs }) => lastMs],
  request_id: [nullableText('A requisição ou tarefa da última'), ({ requestId }) => requestId],
});

const payment = described<Sale['payment']>('TransactionPayment')({
  status: [
    Type.String({
      description: 'requested, unknown (o gateway não disse), awaited, expired, declined, approved',
    }),
    ({ status }) => status,
  ],
  amount: [reaisShape(), ({ amount }) => inReais(amount)],
  gateway: [
    nullableText('O gateway da cobrança; nulo: o canal recebeu'),
    ({ gateway }) => gateway ?? null,
  ],
  charge_id: [nullableText('O id da cobrança no gateway'), ({ chargeId }) => chargeId ?? null],
  method: [
    nullableText(),
    (found) => (found.status === 'approved' ? (found.method ?? null) : null),
  ],
  paid_on: [nullableText(), (found) => (found.status === 'approved' ? found.paidOn : null)],
  until: [
    nullableText('Quando o serviço encerra a cobrança que espera o pagador'),
    (found) => (found.status === 'awaited' ? (found.until ?? null) : null),
  ],
});

const receipt = described<Receipt & SaleSource>()({
  charge_id: [nullableText('Nulo: recebido pelo canal'), ({ chargeId }) => chargeId ?? null],
  amount: [reaisShape(), ({ amount }) => inReais(amount)],
  returned: [reaisShape(), ({ returned }) => inReais(returned)],
  ordered: [
    reaisShape({ description: 'Quanto se mandou devolver; inclui o que já voltou' }),
    ({ returned, ordered = returned }) => inReais(ordered),
  ],
  refund_barred: [
    nullableText(
      'Por que o gateway não devolve agora o que se deve: dispute (contestação), paid_in_cash (recebido em dinheiro), whole_only (só devolve o todo)',
    ),
    ({ sale, chargeId }) =>
      outstandingRefunds(sale).findLast((each) => each.chargeId === chargeId)?.barred ?? null,
  ],
});

/** What the channel is shown of a cancellation, and its figures. */
const ending = described<EndedByCancellation>('TransactionEnd')({
  ...saleCancellation.fields,
  on: [Type.String(), ({ cancellation: { on } }) => on],
  paid: [amounts.schema, ({ cancellation: { paid } }) => amounts.present(paid)],
  kept: [amounts.schema, ({ cancellation: { kept } }) => amounts.present(kept)],
  refund: [amounts.schema, ({ cancellation: { refund } }) => amounts.present(refund)],
});

const saleJob = described<SaleJob>(
  'TransactionJob',
  'A tarefa que continua a venda',
)({
  tries: [Type.Integer({ description: 'Tentativas até agora' }), ({ tries }) => tries],
  next_try_at: [nullableText('Nulo: está sendo tentada agora'), ({ nextAt }) => nextAt],
});

const insurerDocuments = described<Issuance>(
  'InsurerPapers',
  'Os papéis que a seguradora mostrou',
)({
  quotation: [Type.String(), ({ quotation }) => quotation.status],
  proposal: [nullableText(), ({ proposal }) => proposal?.status ?? null],
  policy: [nullableText(), ({ policy }) => policy ?? null],
});

const timelineEntry = described<TimelineEntry>('TimelineEntry')({
  at: [Type.String(), ({ at }) => at],
  event: [
    Type.Enum([...SALE_MOMENTS, ...SALE_ACTS], {
      description: 'O que aconteceu por si, ou, com ponto, o que alguém fez',
    }),
    ({ event }) => event,
  ],
  by: [nullableText('Quem fez: como no registro de auditoria'), ({ by }) => by ?? null],
  amount: [
    nullable(reaisShape(), 'O que entrou, ou volta'),
    ({ amount }) => (amount === undefined ? null : inReais(amount)),
  ],
  about: [
    nullableText('O número do documento, o tipo do alerta, o motivo do e-mail ou a decisão'),
    ({ about }) => about ?? null,
  ],
});

interface InspectedSource extends InspectedSale {
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
}

/** A sale with all that tells why it does not go on, without data of the insured. */
export const inspectedTransaction = described<InspectedSource>('InspectedTransaction')({
  ...transaction.fields,
  steps: [
    Type.Array(Type.String(), {
      description: 'O que o serviço faz a seguir; await: esperar o pagador ou o gateway',
    }),
    ({ steps }) => steps,
  ],
  attempts: [
    Type.Array(Type.Object({ step: Type.String(), since: Type.String() }), {
      description: 'Passos pedidos a um provedor cujo resultado não se sabe',
    }),
    ({ sale: { attempts = [] } }) => attempts.map(({ step, since }) => ({ step, since })),
  ],
  job: [nullable(saleJob.schema), ({ job }) => (job === undefined ? null : saleJob.present(job))],
  insurer: [
    nullable(insurerDocuments.schema),
    ({ sale: { issuance } }) =>
      issuance === undefined ? null : insurerDocuments.present(issuance),
  ],
  payment: [payment.schema, ({ sale }) => payment.present(sale.payment)],
  receipts: [
    Type.Array(receipt.schema, {
      title: 'TransactionReceipts',
      description: 'O que entrou por cada cobrança, e quanto voltou',
    }),
    ({ sale }) => sale.receipts.map((each) => receipt.present({ ...each, sale })),
  ],
  cancellation: [
    nullable(ending.schema),
    ({ sale }) => (isCancelled(sale) ? ending.present(sale) : null),
  ],
  provider_calls: [
    Type.Array(providerCall.schema, {
      description: 'O que se perguntou a gateway e seguradora; as respostas mais novas primeiro',
    }),
    ({ calls }) => calls.map(providerCall.present),
  ],
  alerts: [
    Type.Array(alert.schema, {
      description: 'Os alertas desta venda, também os resolvidos; os mais novos primeiro',
    }),
    ({ alerts, publicUrl }) => alerts.map((record) => alert.present({ record, publicUrl })),
  ],
  mails: [
    Type.Array(mailing.schema, { description: 'Os últimos envios; os mais novos primeiro' }),
    ({ mails }) => mails.map(mailing.present),
  ],
  document_url: [documentUrlShape, ({ documentUrl }) => documentUrl],
  timeline: [
    Type.Array(timelineEntry.schema, { description: 'O que aconteceu; o mais novo primeiro' }),
    ({ timeline }) => timeline.map(timelineEntry.present),
  ],
});
