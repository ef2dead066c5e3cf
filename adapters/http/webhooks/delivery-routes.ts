import Type from 'typebox';
import { refuse } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { ManageDeliveries } from '../../../application/webhooks/manage-deliveries.ts';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import { standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { compileReader, compileValidator } from '../../kit/contract/validation.ts';
import { actorOf, pathParameter } from '../../kit/web/pipeline/context.ts';
import { answerList, isSerialNumber } from '../../kit/web/pipeline/list-answers.ts';
import type { Route } from '../routes/route.ts';
import {
  deliveriesQuery,
  delivery,
  readReplayTime,
  replayBody,
  replayShape,
} from './delivery-shapes.ts';
import {
  accepted,
  answer,
  answerShape,
  STOPPED,
  WEBHOOK_NOT_FOUND,
  webhookIdOf,
} from './endpoint-routes.ts';
import { emptyWebhookBody } from './endpoint-shapes.ts';
import type { WebhookAudience } from './webhook-audience.ts';

export interface DeliveryRouteParts {
  readonly manageDeliveries: ManageDeliveries;
  readonly clock: Clock;
}

const readEmpty = compileReader(emptyWebhookBody);
const validateReplay = compileValidator(replayBody);

const deliveryList = namedObject('DeliveryList', {
  success: Type.Literal(true),
  data: Type.Array(delivery.schema),
  next_cursor: nullableText('Nulo na última página'),
});

/** The routes of what was sent to an endpoint, and is to be sent again. */
export const createDeliveryRoutes = (
  parts: DeliveryRouteParts,
  audience: WebhookAudience,
): readonly Route[] => {
  const { manageDeliveries } = parts;
  const path = `${audience.path}/{webhookId}`;
  return [
    {
      ...audience.shared,
      method: 'get',
      path: `${path}/deliveries`,
      operationId: 'listWebhookDeliveries',
      summary: 'Lista as entregas a um webhook, com suas tentativas, da mais nova à mais antiga',
      description:
        'Cada uma com as últimas 20 tentativas: hora, status, milissegundos e os primeiros 1.000 bytes da resposta. Use status=undelivered para ver o que falhou de vez. As entregas ficam por 90 dias.',
      query: deliveriesQuery,
      answers: {
        200: { description: 'Uma página', schema: deliveryList },
        ...WEBHOOK_NOT_FOUND,
      },
      handle: answerList(deliveriesQuery, {
        read: async ({ query: { status }, after, limit }, ctx) => {
          const before = after === undefined ? undefined : Number(after);
          const page = { endpointId: webhookIdOf(ctx), status, before, limit };
          return accepted(await manageDeliveries.list(audience.channelOf(ctx), page));
        },
        placeOfItem: ({ id }) => String(id),
        isPlace: isSerialNumber,
        present: delivery.present,
        wrap: (page) => ({ success: true, ...page }),
      }),
    },
    {
      ...audience.shared,
      method: 'post',
      path: `${path}/deliveries/{deliveryId}/retry`,
      operationId: 'retryWebhookDelivery',
      summary: 'Tenta agora uma entrega, desde o começo da sequência de tentativas',
      description:
        'Também a que já foi entregue, e a que espera por outra tentativa. Encerra a pausa depois de falhas (paused_until).',
      body: audience.body(emptyWebhookBody, 'PartnerCredentials'),
      answers: {
        202: { description: 'Será tentada em instantes', schema: answerShape(delivery.schema) },
        404: { description: 'Webhook ou entrega não encontrados', schema: standardErrorSchema },
        ...STOPPED,
      },
      handle: async function retryDelivery(ctx) {
        readEmpty(ctx.request.body as object);
        const id = pathParameter(ctx, 'deliveryId');
        const outcome = isSerialNumber(id)
          ? await manageDeliveries.retry(audience.channelOf(ctx), webhookIdOf(ctx), Number(id))
          : refuse('delivery_unknown');
        answer(ctx, delivery.present(accepted(outcome)), 202);
      },
    },
    createReplayRoute(parts, audience),
  ];
};

const createReplayRoute = (
  { manageDeliveries, clock }: DeliveryRouteParts,
  audience: WebhookAudience,
): Route => ({
  ...audience.shared,
  method: 'post',
  path: `${audience.path}/{webhookId}/replay`,
  operationId: 'replayWebhookEvents',
  summary: 'Envia de novo os eventos de um período, dos tipos do webhook',
  description:
    'Em segundo plano, um pedido de cada vez por webhook. Testes, e o que já espera por ser enviado, ficam de fora.',
  body: audience.body(replayBody, 'ReplayRequest'),
  answers: {
    202: { description: 'Será feito em segundo plano', schema: answerShape(replayShape) },
    ...WEBHOOK_NOT_FOUND,
    409: { description: 'Outro reenvio ainda está em curso', schema: standardErrorSchema },
  },
  handle: async function replayEvents(ctx) {
    const checked = validateReplay(ctx.request.body as object);
    const { time, faults } = readReplayTime(checked.sound, clock.now());
    const all = { ...faults, ...checked.faults };
    if (time === undefined || Object.keys(all).length > 0) throw invalidFields(all);
    const channelLink = audience.channelOf(ctx);
    accepted(await manageDeliveries.replay(channelLink, webhookIdOf(ctx), time, actorOf(ctx)));
    answer(ctx, time, 202);
  },
});
