import Type from 'typebox';
import type { ReadRequests, ShownStep } from '../../../application/requests/read-requests.ts';
import type { READINESS_STEPS } from '../../../application/requests/readiness.ts';
import { described } from '../../kit/contract/described.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { callerOf } from '../../kit/web/pipeline/context.ts';
import type { Route } from '../routes/route.ts';

interface Words {
  readonly title: string;
  /** What the partner does. */
  readonly hint: string;
}

const WORDS: Readonly<Record<(typeof READINESS_STEPS)[number], Words>> = {
  repeat: {
    title: 'Repetir uma venda sem vender de novo',
    hint: 'Envie uma venda duas vezes, com o mesmo externalSaleId ou Idempotency-Key e o mesmo conteúdo.',
  },
  handle_decline: {
    title: 'Tratar um pagamento recusado',
    hint: 'Venda com um cartão de teste que é recusado; depois faça uma venda nova, com outro nome.',
  },
  handle_422: {
    title: 'Corrigir campos com erro',
    hint: 'Envie uma venda com um campo errado (422 ou 400); depois envie-a corrigida ao mesmo endereço.',
  },
  handle_429: {
    title: 'Esperar quando o limite é excedido',
    hint: 'Exceda o limite de requisições por minuto; não envie nada durante os segundos de Retry-After, e só então venda.',
  },
  cancel: { title: 'Cancelar uma venda', hint: 'Cancele uma venda, sem preview.' },
  webhook: {
    title: 'Conferir a assinatura de webhooks',
    hint: 'Peça dois testes do mesmo webhook: primeiro um com {"wrongSignature": true}, que ele recusa com 400, 401 ou 403; depois outro sem, que ele aceita.',
  },
  feed: { title: 'Ler os eventos', hint: 'Leia GET /private/integration/events.' },
};

const wordsOf = (step: string): Words => {
  const known = Object.hasOwn(WORDS, step) ? WORDS[step as keyof typeof WORDS] : undefined;
  if (known !== undefined) return known;
  const product = step.slice('sell_'.length);
  return {
    title: `Vender ${product}`,
    hint: `Registre uma venda do produto ${product}. Vendas de um arquivo importado não contam.`,
  };
};

/** A step, as its partner sees it. */
export const shownStep = described<ShownStep>('ReadinessStep')({
  step: [Type.String(), ({ step }) => step],
  title: [Type.String(), ({ step }) => wordsOf(step).title],
  done: [Type.Boolean(), ({ proof }) => proof !== undefined],
  request_id: [
    nullableText('O X-Request-Id da requisição que o prova; de webhook, o webhook-id do teste'),
    ({ proof }) => proof?.requestId ?? null,
  ],
  at: [nullableText(), ({ proof }) => proof?.at ?? null],
  hint: [
    nullableText('O que fazer'),
    ({ step, proof }) => (proof === undefined ? wordsOf(step).hint : null),
  ],
});

const readinessAnswer = namedObject('ReadinessAnswer', {
  success: Type.Literal(true),
  data: Type.Object({
    ready: Type.Boolean(),
    done: Type.Integer(),
    total: Type.Integer(),
    steps: Type.Array(shownStep.schema),
  }),
});

export const createReadinessRoute = (readRequests: ReadRequests): Route => ({
  tag: 'Integração',
  scope: 'sales',
  partnerCredentials: true,
  method: 'get',
  operationId: 'getReadiness',
  path: '/private/integration/readiness',
  summary: 'O que falta experimentar antes de vender em produção',
  description:
    'Só no ambiente de testes. Cada passo é provado pelo que este cliente fez de verdade, e mostra a primeira requisição que o prova.',
  answers: { 200: { description: 'Os passos', schema: readinessAnswer } },
  handle: async function showReadinessToSell(ctx) {
    const { channelLink, clientId } = callerOf(ctx);
    // No channel has an empty name.
    const steps = await readRequests.readiness(channelLink ?? '', clientId);
    const done = steps.filter(({ proof }) => proof !== undefined).length;
    const total = steps.length;
    const data = { ready: done === total, done, total, steps: steps.map(shownStep.present) };
    ctx.body = { success: true, data };
  },
});
