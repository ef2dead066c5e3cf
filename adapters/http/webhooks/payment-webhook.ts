import type { IncomingMessage } from 'node:http';
import Type from 'typebox';
import type { TakeNotices } from '../../../application/collection/take-notices.ts';
import { notFound, standardError } from '../../kit/contract/answer-error.ts';
import { standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { type Context, type Handler, pathParameter } from '../../kit/web/pipeline/context.ts';
import type { Route } from '../routes/route.ts';

export interface WebhookParts {
  readonly takeNotices: TakeNotices;
}

/** Stores a notice of a payment gateway and answers. A job processes it later. */
const receiveNotice = ({ takeNotices }: WebhookParts): Handler =>
  async function receiveNotice(ctx) {
    await readNotice(ctx);
    const gateway = pathParameter(ctx, 'gateway');
    const body = String(ctx.request.rawBody ?? '');
    const received = await takeNotices.receive(gateway, ctx.headers, body);
    if (received === 'unknown_gateway') throw notFound('Gateway de pagamento desconhecido.');
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

/** How much of a notice is read, and how much more is received and dropped, bytes. */
const MAX_NOTICE_BYTES = 64 * 1024;
const MAX_RECEIVED_BYTES = 1024 * 1024;

interface ReadStart {
  readonly bytes: Buffer;
  /** Whether the body was received to its end. */
  readonly isComplete: boolean;
}

/** Rejects with a 400 if the connection ends before the body does. */
const readStart = (request: IncomingMessage): Promise<ReadStart> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const finish = (isComplete: boolean): void => {
      request.off('data', take);
      resolve({ bytes: Buffer.concat(chunks), isComplete });
    };
    const take = (chunk: Buffer): void => {
      const room = MAX_NOTICE_BYTES - received;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      received += chunk.length;
      if (received > MAX_RECEIVED_BYTES) finish(false);
    };
    request.on('data', take);
    request.on('end', () => finish(true));
    request.on('error', () =>
      reject(standardError(400, 'invalid_request', 'O aviso não chegou inteiro.')),
    );
  });

/**
 * Reads the start of a notice of a payment gateway, whatever its media type and encoding. The
 * gateway is authenticated before the text is understood: a gateway stops its notices after a few
 * answers that are not 200.
 */
const readNotice = async (ctx: Context): Promise<void> => {
  const { bytes, isComplete } = await readStart(ctx.req);
  ctx.request.rawBody = bytes.toString().replace(/^\uFEFF/, '');
  // The rest of the body stays unread, so no further request can be read from this connection.
  if (!isComplete) ctx.set('Connection', 'close');
};
