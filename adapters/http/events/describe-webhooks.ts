import Type, { type TObject } from 'typebox';
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
  'certificate.sent': 'O servidor de e-mail aceitou o bilhete ou a apólice',
  'certificate.undelivered': 'O bilhete ou a apólice não pôde ser enviado',
  'webhook.test': 'O canal pediu um teste do endpoint',
};

const bodyOf = (type: EventType): TObject => {
  const bodies = [SALE_EVENT_BODY, CERTIFICATE_EVENT_BODY, TEST_EVENT_BODY];
  const { properties } = bodies.find((each) =>
    (each.properties.type.enum as readonly EventType[]).includes(type),
  ) as TObject;
  return Type.Object({ ...properties, type: Type.Literal(type) });
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
  '2XX': { description: 'Recebido: a entrega está concluída. O corpo não é interpretado' },
  410: { description: 'O endereço não existe mais: o endpoint é desativado' },
  429: { description: 'Tentado de novo mais tarde', headers: RETRY_AFTER },
  503: { description: 'Tentado de novo mais tarde', headers: RETRY_AFTER },
  default: {
    description:
      'Toda outra resposta, também um redirecionamento, e 15 s sem resposta: tentado de novo, até 10 vezes em cerca de três dias',
  },
};

/** What the service sends to the endpoints of partners, for the OpenAPI document: a POST by type. */
export const describeWebhooks = (): Readonly<Record<EventType, object>> =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          summary: SUMMARIES[type],
          tags: ['Eventos'],
          operationId: type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
          security: [],
          parameters: HEADERS.map(([name, description, format]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string', ...format },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: bodyOf(type) } },
          },
          responses: RESPONSES,
        },
      },
    ]),
  ) as Record<EventType, object>;
