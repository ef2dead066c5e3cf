import Type from 'typebox';
import type { TakeNotices } from '../../../application/collection/take-notices.ts';
import type { NoticeReader } from '../../../application/payments/notices.ts';
import { notFound, standardError } from '../contract/answer-error.ts';
import { standardErrorSchema } from '../contract/answer-shapes.ts';
import { type Handler, pathParameter } from '../pipeline/context.ts';
import type { Route } from '../pipeline/route.ts';
import { readNotice } from './notice-body.ts';

export interface WebhookParts {
  readonly takeNotices: TakeNotices;
  /** Its gateway is the one that the service is configured for. */
  readonly noticeReader: Pick<NoticeReader, 'gateway'>;
}

/** Stores a notice of the payment gateway and answers. A job processes it later. */
const receiveNotice = ({ takeNotices, noticeReader: { gateway } }: WebhookParts): Handler =>
  async function receiveNotice(ctx) {
    await readNotice(ctx);
    if (pathParameter(ctx, 'gateway') !== gateway)
      throw notFound('Gateway de pagamento desconhecido.');
    const received = await takeNotices.receive(ctx.headers, String(ctx.request.rawBody ?? ''));
    if (received === 'forged')
      throw standardError(401, 'invalid_signature', 'Assinatura ou token do aviso inválido.');
    // The notice is authentic: it does not count against the network of the gateway.
    ctx.state.clientId = `gateway ${gateway}`;
    ctx.body = { success: true };
  };

export const createWebhookRoutes = (parts: WebhookParts): readonly Route[] => [
  {
    method: 'post',
    path: '/webhooks/payments/{gateway}',
    alsoAtRoot: true,
    operationId: 'receivePaymentNotice',
    summary: 'Recebe um aviso do gateway de pagamento',
    description:
      'Guardado antes da resposta e processado uma vez, ainda que chegue repetido ou fora de ordem. Um aviso autêntico que não se entende também é guardado, e respondido com 200.',
    tag: 'Avisos',
    body: Type.Object(
      {},
      {
        title: 'PaymentNotice',
        description: 'Como o gateway o escreve',
        additionalProperties: true,
      },
    ),
    answers: {
      200: { description: 'Guardado', schema: Type.Object({ success: Type.Literal(true) }) },
      401: { description: 'Não veio do gateway', schema: standardErrorSchema },
      404: { description: 'Gateway desconhecido', schema: standardErrorSchema },
    },
    reads: 'itself',
    handle: receiveNotice(parts),
  },
];
