import Type from 'typebox';
import type { TakeNotices } from '../../../application/payments/take-notices.ts';
import { refused } from '../contract/answer-error.ts';
import { noticeBody } from '../pipeline/request-body.ts';
import { parameter, type Step } from '../pipeline/context.ts';
import { houseErrorSchema } from '../contract/answer-shapes.ts';
import type { Route } from '../pipeline/route.ts';

export interface WebhookParts {
  readonly takeNotices: TakeNotices;
  /** The name of the gateway that the service works with. */
  readonly gateway: string;
}

/** Keeps a notice and says so; what it means is worked out afterwards. */
const receiveNotice =
  ({ takeNotices, gateway }: WebhookParts): Step =>
  async (ctx) => {
    if (parameter(ctx, 'gateway') !== gateway)
      throw refused(404, 'Gateway de pagamento desconhecido.');
    const received = await takeNotices.receive(ctx.headers, String(ctx.request.rawBody ?? ''));
    if (received === 'forged') throw refused(401, 'Assinatura ou token do aviso inválido.');
    // A gateway answers for what it sends: its notices are not limited with its network.
    ctx.state.clientId = `gateway ${gateway}`;
    if (received === 'unreadable') throw refused(400, 'Aviso ilegível.');
    ctx.body = { success: true };
  };

export const webhookRoutes = (parts: WebhookParts): readonly Route[] => [
  {
    method: 'post',
    path: '/webhooks/payments/{gateway}',
    alsoAtRoot: true,
    summary: 'Recebe um aviso do gateway de pagamento',
    description:
      'Guardado antes da resposta e processado uma vez, ainda que chegue repetido ou fora de ordem.',
    tag: 'Avisos',
    body: Type.Object({}, { title: 'Aviso', description: 'Como o gateway o escreve' }),
    answers: {
      200: { description: 'Guardado', schema: Type.Object({ success: Type.Literal(true) }) },
      401: { description: 'Não veio do gateway', schema: houseErrorSchema },
      404: { description: 'Gateway desconhecido', schema: houseErrorSchema },
    },
    steps: [...noticeBody, receiveNotice(parts)],
  },
];
