import Type, { type Static } from 'typebox';
import {
  CERTIFICATE_EVENTS,
  EVENT_TYPES,
  type EventBodies,
  type EventType,
  type PartnerEvent,
  SALE_EVENTS,
  TEST_EVENT,
} from '../../../application/events/partner-events.ts';
import { MAIL_OCCASIONS, occasionOf } from '../../../application/mailing-name.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { foundSale, foundSaleShape } from '../generic/generic-answers.ts';

export const eventTypeShape = Type.Enum(EVENT_TYPES, { title: 'EventType' });

const saleVersion = Type.Object({
  version: Type.Integer({
    description: 'Conta as mudanças da venda: entre dois eventos, vale o da versão maior',
  }),
});

const saleData = Type.Intersect([foundSaleShape, saleVersion], { title: 'SaleEventData' });

const mailingOfSale = Type.Object({
  mailing: Type.Object({
    occasion: Type.Enum(MAIL_OCCASIONS),
    reason: nullableText(
      'Por que não foi aceito: o código e as palavras do servidor; nulo se foi enviado',
    ),
  }),
});

const certificateData = Type.Intersect([saleData, mailingOfSale], {
  title: 'CertificateEventData',
});

const testData = namedObject('TestEventData', {
  webhook_id: Type.String(),
  message: Type.String(),
});

const bodyOfType = <Types extends readonly EventType[], Data extends Type.TSchema>(
  title: string,
  types: Types,
  data: Data,
) =>
  namedObject(title, {
    id: Type.String({ description: 'O mesmo em cada entrega do evento' }),
    type: Type.Enum(types),
    timestamp: Type.String({ description: 'Quando aconteceu, em UTC' }),
    data,
  });

/** The bodies of events, without personal data: a partner that needs it asks for the sale. */
export const SALE_EVENT_BODY = bodyOfType('SaleEvent', SALE_EVENTS, saleData);
export const CERTIFICATE_EVENT_BODY = bodyOfType(
  'CertificateEvent',
  CERTIFICATE_EVENTS,
  certificateData,
);
export const TEST_EVENT_BODY = bodyOfType('TestEvent', [TEST_EVENT], testData);

type Data = Static<typeof saleData | typeof certificateData | typeof testData>;

const presentEventData = (event: PartnerEvent): Data => {
  if (event.type === TEST_EVENT)
    return { webhook_id: event.endpointId, message: 'Teste pedido pelo canal.' };

  const { sale, at } = event;
  const isMailLost = event.type === 'certificate.undelivered';
  const data = { ...foundSale.present({ sale, now: at, isMailLost }), version: sale.version };
  if (!('mailingNumber' in event)) return data;
  const occasion = occasionOf({ saleId: sale.id, number: event.mailingNumber });
  const mailing = { occasion, reason: event.reason ?? null };
  return { ...data, mailing };
};

/** An event as the feed and the webhooks tell it. */
export const presentEvent = (event: PartnerEvent) => ({
  id: event.id,
  type: event.type,
  timestamp: event.at,
  data: presentEventData(event),
});

export const eventBodies: EventBodies = { bodyOf: presentEvent };
