import Type, { type TObject, type TSchema } from 'typebox';
import { EVENT_TYPES, type EventType } from '../../../application/events/partner-events.ts';
import { CERTIFICATE_EVENT_BODY, SALE_EVENT_BODY, TEST_EVENT_BODY } from './event-body.ts';

const SUMMARIES: Readonly<Record<EventType, string>> = {
  'sale.registered': 'A venda foi registrada',
  'sale.awaiting_payment': 'O segurado pode pagar em payment_url',
  'sale.paid': 'A venda foi paga',
  'sale.issued': 'A seguradora emitiu a apólice',
  'sale.refused': 'O cartão, a seguradora ou o gateway recusou a venda',
  'sale.expired': 'O segurado não pagou no prazo',
  'sale.cancelled': 'A venda foi cancelada',
  'sale.refunded': 'A venda foi cancelada e tudo foi devolvido',
  'sale.disputed': 'Quem pagou contestou o pagamento no banco (chargeback)',
  'sale.dispute_closed': 'A contestação terminou: dispute diz como',
  'sale.refund_undone': 'Uma devolução pedida ou feita foi desfeita; refunds diz qual',
  'certificate.sent': 'O servidor de e-mail aceitou o bilhete ou a apólice',
  'certificate.undelivered': 'O bilhete ou a apólice não pôde ser enviado',
  'webhook.test': 'O canal pediu um teste do endpoint',
};

/** The operation id of an event's webhook: `sale.awaiting_payment` is `saleAwaitingPayment`. */
export const nameWebhook = (type: EventType): string =>
  type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());

const DESCRIPTION = 'Enviado a cada webhook do canal que pede este tipo.';

const bodyOf = (type: EventType): TSchema => {
  const bodies = [SALE_EVENT_BODY, CERTIFICATE_EVENT_BODY, TEST_EVENT_BODY];
  const body = bodies.find(({ properties }) =>
    (properties.type.enum as readonly EventType[]).includes(type),
  ) as TObject;
  const name = nameWebhook(type);
  return Type.Intersect([body, Type.Object({ type: Type.Literal(type) })], {
    title: `${name[0]?.toUpperCase()}${name.slice(1)}Event`,
  });
};

/** The headers of Standard Webhooks 1.0. */
const HEADERS = [
  ['webhook-id', 'O id do evento, o mesmo em cada tentativa: descarte o que já recebeu', {}],
  [
    'webhook-timestamp',
    'Quando foi enviado, em segundos desde 1970: recuse o que difere do seu relógio por mais de 5 minutos',
    { pattern: '^[0-9]+$' },
  ],
  [
    'webhook-signature',
    'Uma ou mais assinaturas, separadas por espaços: v1, e o HMAC-SHA256 de "webhook-id.webhook-timestamp.corpo" em base64; aceite se uma confere',
    { pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$' },
  ],
] as const;

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Segundos, ou uma data: nada é enviado antes disso, por até 24 horas',
    schema: { type: 'string' },
  },
};

const RESPONSES = {
  '2XX': {
    name: 'EventReceived',
    description: 'Recebido: a entrega está concluída. O corpo não é interpretado',
  },
  410: {
    name: 'EndpointGone',
    description: 'O endereço não existe mais: o endpoint é desativado',
  },
  429: { name: 'EventPostponed', description: 'Tentado de novo mais tarde', headers: RETRY_AFTER },
  503: { name: 'EventPostponed', description: 'Tentado de novo mais tarde', headers: RETRY_AFTER },
  default: {
    name: 'EventRetried',
    description:
      'Toda outra resposta, também um redirecionamento, e 15 s sem resposta: tentado de novo, até 10 vezes em cerca de três dias',
  },
} satisfies WebhookOperation['responses'];

/** A request by which the service sends an event. */
interface WebhookOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly object[];
  readonly body: TSchema;
  /** The answers by status, each with the name under which the document describes it once. */
  readonly responses: Readonly<
    Record<
      string,
      { readonly name: string; readonly description: string; readonly headers?: object }
    >
  >;
}

/** What the service sends to the endpoints of partners, for the OpenAPI document: a POST by type. */
export const describeWebhooks = (): Readonly<Record<EventType, WebhookOperation>> =>
  Object.fromEntries(
    EVENT_TYPES.map((type): [EventType, WebhookOperation] => [
      type,
      {
        operationId: nameWebhook(type),
        summary: SUMMARIES[type],
        description: DESCRIPTION,
        tags: ['Eventos'],
        security: [],
        parameters: HEADERS.map(([name, description, format]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string', ...format },
        })),
        body: bodyOf(type),
        responses: RESPONSES,
      },
    ]),
  ) as Record<EventType, WebhookOperation>;
