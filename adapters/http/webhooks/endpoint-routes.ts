import Type, { type TSchema } from 'typebox';
import { isRefusal } from '#domain';
import { HASTENED } from '../../../application/webhooks/deliveries.ts';
import { ROTATION_HOURS } from '../../../application/webhooks/endpoint-lifecycle.ts';
import type { WebhookRefusal } from '../../../application/webhooks/endpoints.ts';
import { MAX_ENDPOINTS } from '../../../application/webhooks/endpoints.ts';
import type { ManageWebhooks } from '../../../application/webhooks/manage-webhooks.ts';
import type { WebhookUrls } from '../../../application/webhooks/webhook-urls.ts';
import { type AnswerError, invalidFields } from '../../kit/contract/answer-error.ts';
import { notFoundAnswer, standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileReader, compileValidator } from '../../kit/contract/validation.ts';
import { actorOf, type Context, pathParameter } from '../../kit/web/pipeline/context.ts';
import type { Route } from '../routes/route.ts';
import {
  complainOfTakenUrl,
  emptyWebhookBody,
  endpointChangeBody,
  newEndpointBody,
  readEvents,
  readNewEndpoint,
  readUrl,
  webhook,
  webhookTestBody,
  webhookWithSecret,
} from './endpoint-shapes.ts';
import type { WebhookAudience } from './webhook-audience.ts';

export interface EndpointRouteParts {
  readonly manageWebhooks: ManageWebhooks;
  readonly webhookUrls: WebhookUrls;
}

/** The answer to a refusal. A URL that is taken is a fault of its field. */
const webhookError = (refusal: WebhookRefusal): AnswerError =>
  refusal.kind === 'webhook_url_taken'
    ? invalidFields(complainOfTakenUrl(refusal.endpointId))
    : refusalError(refusal);

/** @throws AnswerError for a refusal */
export const accepted = <Outcome>(outcome: Outcome | WebhookRefusal): Outcome => {
  if (isRefusal(outcome)) throw webhookError(outcome as WebhookRefusal);
  return outcome as Outcome;
};

export const answer = (ctx: Context, data: object, status = 200): void => {
  ctx.status = status;
  ctx.body = { success: true, data };
};

export const answerShape = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data });

export const webhookIdOf = (exchange: object): string => pathParameter(exchange, 'webhookId');

const validateChange = compileValidator(endpointChangeBody);
const readEmpty = compileReader(emptyWebhookBody);
const readTest = compileReader(webhookTestBody);

const change = ({ manageWebhooks, webhookUrls }: EndpointRouteParts, audience: WebhookAudience) =>
  async function changeWebhook(ctx: Context): Promise<void> {
    const body = ctx.request.body as { readonly description?: unknown };
    const checked = validateChange(body);
    const { url, faults } = readUrl(webhookUrls, checked.sound.url);
    if (!checked.ok || Object.keys(faults).length > 0)
      throw invalidFields({ ...faults, ...checked.faults });
    const { events, status, description: text } = checked.value;
    const description = body.description === null ? null : text;
    const changed = await manageWebhooks.change(
      audience.channelOf(ctx),
      webhookIdOf(ctx),
      { url, events: events && readEvents(events), status, description },
      actorOf(ctx),
    );
    answer(ctx, webhook.present(accepted(changed)));
  };

export const WEBHOOK_NOT_FOUND = notFoundAnswer('Webhook', 'Webhook não encontrado');

/** Not active: it is sent nothing. */
export const STOPPED = {
  409: {
    name: 'WebhookStopped',
    description: 'O webhook está em pausa ou desativado',
    schema: standardErrorSchema,
  },
};

const ENDPOINT = { 200: { description: 'O webhook', schema: answerShape(webhook.schema) } };

const createCollectionRoutes = (
  { manageWebhooks, webhookUrls }: EndpointRouteParts,
  audience: WebhookAudience,
): readonly Route[] => [
  {
    ...audience.shared,
    method: 'post',
    path: audience.path,
    operationId: 'createWebhook',
    summary: 'Cadastra um endereço que recebe os eventos do canal',
    description: `Até ${MAX_ENDPOINTS} por canal, cada um com outro endereço, https em produção. Guarde secret: com ele se confere a assinatura de cada entrega (Standard Webhooks). Um endereço que o canal já cadastrou é recusado, com o id do webhook que o tem.`,
    body: audience.body(newEndpointBody, 'NewWebhook'),
    answers: {
      201: {
        description: 'Cadastrado; o segredo não será exibido de novo',
        schema: answerShape(webhookWithSecret.schema),
      },
      ...notFoundAnswer('Channel', 'Canal não encontrado'),
      409: { description: 'O canal já tem webhooks demais', schema: standardErrorSchema },
    },
    handle: async function createWebhook(ctx) {
      const asked = readNewEndpoint(webhookUrls, ctx.request.body as object);
      if ('faults' in asked) throw invalidFields(asked.faults);
      const created = await manageWebhooks.create(audience.channelOf(ctx), asked, actorOf(ctx));
      answer(ctx, webhookWithSecret.present(accepted(created)), 201);
    },
  },
  {
    ...audience.shared,
    method: 'get',
    path: audience.path,
    operationId: 'listWebhooks',
    summary: 'Lista os webhooks do canal, do mais antigo ao mais novo',
    description: 'Sem os segredos. disabled_reason e failing_since dizem quais não recebem.',
    answers: {
      200: { description: 'Todos', schema: answerShape(Type.Array(webhook.schema)) },
      ...notFoundAnswer('Channel', 'Canal não encontrado'),
    },
    handle: async function listWebhooks(ctx) {
      const listed = accepted(await manageWebhooks.list(audience.channelOf(ctx)));
      answer(ctx, listed.map(webhook.present));
    },
  },
];

/** The routes of endpoints. */
export const createEndpointRoutes = (
  parts: EndpointRouteParts,
  audience: WebhookAudience,
): readonly Route[] => {
  const path = `${audience.path}/{webhookId}`;
  return [
    ...createCollectionRoutes(parts, audience),
    {
      ...audience.shared,
      method: 'get',
      path,
      operationId: 'getWebhook',
      summary: 'Consulta um webhook',
      description:
        'Sem o segredo. status, disabled_reason, failing_since e paused_until dizem se ele recebe.',
      answers: { ...ENDPOINT, ...WEBHOOK_NOT_FOUND },
      handle: async function showWebhook(ctx) {
        const found = await parts.manageWebhooks.find(audience.channelOf(ctx), webhookIdOf(ctx));
        answer(ctx, webhook.present(accepted(found)));
      },
    },
    {
      ...audience.shared,
      method: 'patch',
      path,
      operationId: 'changeWebhook',
      summary: 'Muda um webhook: endereço, eventos, descrição, pausa',
      description: `Só muda o que vier. Reativado, ou com outro endereço, o webhook recomeça sem falhas. Reativado, até ${HASTENED} entregas à espera saem logo; as outras, no seu horário. O que aconteceu enquanto esteve paused ou disabled não é enviado: peça um replay.`,
      body: audience.body(endpointChangeBody, 'WebhookChange'),
      answers: { ...ENDPOINT, ...WEBHOOK_NOT_FOUND },
      handle: change(parts, audience),
    },
    {
      ...audience.shared,
      method: 'delete',
      path,
      operationId: 'deleteWebhook',
      summary: 'Apaga um webhook: nada mais é enviado a ele',
      description:
        'As entregas deixam de ser vistas, e são apagadas com seus eventos, em até 90 dias.',
      answers: { 204: { description: 'Apagado' }, ...WEBHOOK_NOT_FOUND },
      handle: async function removeWebhook(ctx) {
        const channelLink = audience.channelOf(ctx);
        accepted(await parts.manageWebhooks.remove(channelLink, webhookIdOf(ctx), actorOf(ctx)));
        ctx.status = 204;
      },
    },
    ...createActionRoutes(parts, audience),
  ];
};

const createActionRoutes = (
  { manageWebhooks }: EndpointRouteParts,
  audience: WebhookAudience,
): readonly Route[] => {
  const path = `${audience.path}/{webhookId}`;
  return [
    {
      ...audience.shared,
      method: 'post',
      path: `${path}/rotate-secret`,
      operationId: 'rotateWebhookSecret',
      summary: `Dá um segredo novo a um webhook; o anterior também assina por ${ROTATION_HOURS} horas`,
      description:
        'Com outra troca nesse tempo, só os dois mais novos assinam: o mais antigo deixa de valer.',
      body: audience.body(emptyWebhookBody, 'PartnerCredentials'),
      answers: {
        200: {
          description: 'O segredo novo não será exibido de novo',
          schema: answerShape(webhookWithSecret.schema),
        },
        ...WEBHOOK_NOT_FOUND,
      },
      handle: async function rotateWebhookSecret(ctx) {
        readEmpty(ctx.request.body as object);
        const channelLink = audience.channelOf(ctx);
        const id = webhookIdOf(ctx);
        const rotated = await manageWebhooks.rotateSecret(channelLink, id, actorOf(ctx));
        answer(ctx, webhookWithSecret.present(accepted(rotated)));
      },
    },
    {
      ...audience.shared,
      method: 'post',
      path: `${path}/test`,
      operationId: 'testWebhook',
      summary: 'Envia um evento webhook.test a um webhook',
      description:
        'Também encerra a pausa depois de falhas (paused_until). Com wrongSignature, o evento vai uma vez só, com uma assinatura que o endpoint deve recusar (400, 401 ou 403): recusado, a entrega está delivered.',
      body: audience.body(webhookTestBody, 'WebhookTest'),
      answers: {
        202: {
          description: 'O evento será enviado em instantes',
          schema: answerShape(Type.Object({ event_id: Type.String() })),
        },
        ...WEBHOOK_NOT_FOUND,
        ...STOPPED,
      },
      handle: async function testWebhook(ctx) {
        const { wrongSignature = false } = readTest(ctx.request.body as object);
        const signature = wrongSignature ? 'wrong' : 'right';
        const channelLink = audience.channelOf(ctx);
        const tested = await manageWebhooks.test(channelLink, webhookIdOf(ctx), signature);
        answer(ctx, { event_id: accepted(tested) }, 202);
      },
    },
  ];
};
