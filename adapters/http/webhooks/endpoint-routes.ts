import Type, { type TSchema } from 'typebox';
import { isRefusal } from '#domain';
import { HASTENED } from '../../../application/webhooks/deliveries.ts';
import { ROTATION_HOURS } from '../../../application/webhooks/endpoint-lifecycle.ts';
import type { WebhookRefusal } from '../../../application/webhooks/endpoints.ts';
import { MAX_ENDPOINTS } from '../../../application/webhooks/endpoints.ts';
import type { ManageWebhooks } from '../../../application/webhooks/manage-webhooks.ts';
import type { WebhookUrls } from '../../../application/webhooks/webhook-urls.ts';
import { type AnswerError, invalidFields } from '../contract/answer-error.ts';
import { notFoundAnswer, standardErrorSchema } from '../contract/answer-shapes.ts';
import { refusalError } from '../contract/refusal-answers.ts';
import { compileReader, compileValidator } from '../contract/validation.ts';
import { actorOf, type Handler, pathParameter } from '../pipeline/context.ts';
import type { Route } from '../pipeline/route.ts';
import {
  complainOfTakenUrl,
  emptyWebhookBody,
  endpointChangeBody,
  endpointShape,
  endpointWithSecret,
  newEndpointBody,
  presentEndpoint,
  presentWithSecret,
  readUrl,
  webhookTestBody,
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

export const answer = (
  ctx: { status: number; body: unknown },
  data: object,
  status = 200,
): void => {
  ctx.status = status;
  ctx.body = { success: true, data };
};

export const answerShape = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data });

export const webhookIdOf = (exchange: object): string => pathParameter(exchange, 'webhookId');

const create = (
  { manageWebhooks, webhookUrls }: EndpointRouteParts,
  { channelOf }: WebhookAudience,
): Handler => {
  const validate = compileValidator(newEndpointBody);

  return async function createWebhook(ctx) {
    const checked = validate(ctx.request.body as object);
    const { url, faults } = readUrl(webhookUrls, checked.sound.url);
    if (!checked.ok || url === undefined) throw invalidFields({ ...faults, ...checked.faults });
    const { events, description } = checked.value;
    const created = await manageWebhooks.create(
      channelOf(ctx),
      { url, events, description },
      actorOf(ctx),
    );
    answer(ctx, presentWithSecret(accepted(created)), 201);
  };
};

const list = ({ manageWebhooks }: EndpointRouteParts, { channelOf }: WebhookAudience): Handler =>
  async function listWebhooks(ctx) {
    const listed = accepted(await manageWebhooks.list(channelOf(ctx)));
    answer(ctx, listed.map(presentEndpoint));
  };

const show = ({ manageWebhooks }: EndpointRouteParts, { channelOf }: WebhookAudience): Handler =>
  async function showWebhook(ctx) {
    const found = await manageWebhooks.find(channelOf(ctx), webhookIdOf(ctx));
    answer(ctx, presentEndpoint(accepted(found)));
  };

const change = (
  { manageWebhooks, webhookUrls }: EndpointRouteParts,
  { channelOf }: WebhookAudience,
): Handler => {
  const validate = compileValidator(endpointChangeBody);

  return async function changeWebhook(ctx) {
    const body = ctx.request.body as { readonly description?: unknown };
    const checked = validate(body);
    const { url, faults } = readUrl(webhookUrls, checked.sound.url);
    if (!checked.ok || Object.keys(faults).length > 0)
      throw invalidFields({ ...faults, ...checked.faults });
    const {
      events,
      status,
      description = body.description === null ? null : undefined,
    } = checked.value;
    const changed = await manageWebhooks.change(
      channelOf(ctx),
      webhookIdOf(ctx),
      { url, events, status, description },
      actorOf(ctx),
    );
    answer(ctx, presentEndpoint(accepted(changed)));
  };
};

const remove = ({ manageWebhooks }: EndpointRouteParts, { channelOf }: WebhookAudience): Handler =>
  async function removeWebhook(ctx) {
    accepted(await manageWebhooks.remove(channelOf(ctx), webhookIdOf(ctx), actorOf(ctx)));
    ctx.status = 204;
  };

const rotate = (
  { manageWebhooks }: EndpointRouteParts,
  { channelOf }: WebhookAudience,
): Handler => {
  const readBody = compileReader(emptyWebhookBody, invalidFields);

  return async function rotateWebhookSecret(ctx) {
    readBody(ctx.request.body as object);
    const rotated = await manageWebhooks.rotateSecret(
      channelOf(ctx),
      webhookIdOf(ctx),
      actorOf(ctx),
    );
    answer(ctx, presentWithSecret(accepted(rotated)));
  };
};

const test = ({ manageWebhooks }: EndpointRouteParts, { channelOf }: WebhookAudience): Handler => {
  const readBody = compileReader(webhookTestBody, invalidFields);

  return async function testWebhook(ctx) {
    const { wrongSignature = false } = readBody(ctx.request.body as object);
    const signature = wrongSignature ? 'wrong' : 'right';
    const tested = await manageWebhooks.test(channelOf(ctx), webhookIdOf(ctx), signature);
    const eventId = accepted(tested);
    answer(ctx, { event_id: eventId }, 202);
  };
};

export const WEBHOOK_NOT_FOUND = notFoundAnswer('Webhook', 'Webhook não encontrado');

const NEW_SECRET = {
  200: {
    description: 'O segredo novo não será exibido de novo',
    schema: answerShape(endpointWithSecret),
  },
};

const ENDPOINT = { 200: { description: 'O webhook', schema: answerShape(endpointShape) } };

const createCollectionRoutes = (
  parts: EndpointRouteParts,
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
        schema: answerShape(endpointWithSecret),
      },
      ...notFoundAnswer('Channel', 'Canal não encontrado'),
      409: { description: 'O canal já tem webhooks demais', schema: standardErrorSchema },
    },
    handle: create(parts, audience),
  },
  {
    ...audience.shared,
    method: 'get',
    path: audience.path,
    operationId: 'listWebhooks',
    summary: 'Lista os webhooks do canal, do mais antigo ao mais novo',
    description: 'Sem os segredos. disabled_reason e failing_since dizem quais não recebem.',
    answers: {
      200: { description: 'Todos', schema: answerShape(Type.Array(endpointShape)) },
      ...notFoundAnswer('Channel', 'Canal não encontrado'),
    },
    handle: list(parts, audience),
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
      handle: show(parts, audience),
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
      handle: remove(parts, audience),
    },
    ...createActionRoutes(parts, audience),
  ];
};

const createActionRoutes = (
  parts: EndpointRouteParts,
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
      answers: { ...NEW_SECRET, ...WEBHOOK_NOT_FOUND },
      handle: rotate(parts, audience),
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
        409: {
          name: 'WebhookStopped',
          description: 'O webhook está em pausa ou desativado',
          schema: standardErrorSchema,
        },
      },
      handle: test(parts, audience),
    },
  ];
};
