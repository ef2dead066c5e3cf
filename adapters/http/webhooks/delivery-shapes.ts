import Type, { type Static } from 'typebox';
import { type Instant, parseInstant } from '#domain';
import { EVENT_DAYS } from '../../../application/events/partner-events.ts';
import { DELIVERY_STATUSES, type Delivery } from '../../../application/webhooks/deliveries.ts';
import { described } from '../../kit/contract/described.ts';
import { complain, type FieldFaults } from '../../kit/contract/field-faults.ts';
import {
  closedObject,
  formatted,
  moment,
  nullable,
  nullableText,
} from '../../kit/contract/formats.ts';
import { closedNamedObject, namedObject } from '../../kit/contract/named-object.ts';
import { listQuerySchema } from '../../kit/web/pipeline/list-answers.ts';
import { eventTypeShape } from '../events/event-body.ts';

/** Short pages: a delivery shows what was answered to each attempt. */
export const deliveriesQuery = closedObject({
  ...listQuerySchema({
    status: Type.Optional(
      Type.Enum(DELIVERY_STATUSES, { description: 'Só as entregas com este status' }),
    ),
  }).properties,
  limit: Type.Optional(formatted('short-page-limit', { description: 'De 1 a 50. Padrão: 50' })),
});

type Attempt = Delivery['attempts'][number];

const attempt = described<Attempt & { readonly number: number | null }>('DeliveryAttempt')({
  attempt: [
    nullable(Type.Integer(), 'O número da tentativa; nulo se foi antes do último retry'),
    ({ number }) => number,
  ],
  at: [Type.String(), ({ at }) => at],
  status: [
    nullable(Type.Integer(), 'O status HTTP da resposta; nulo se não houve resposta'),
    ({ status }) => status ?? null,
  ],
  failure: [
    nullableText('Por que não houve resposta, em código'),
    ({ failure }) => failure ?? null,
  ],
  ms: [Type.Integer({ description: 'Quanto tempo levou' }), ({ ms }) => ms],
  answer: [nullableText('O começo da resposta, até 1.000 bytes'), ({ answer }) => answer ?? null],
});

export const delivery = described<Delivery>('Delivery')({
  id: [Type.Integer(), ({ id }) => id],
  event_id: [Type.String({ description: 'O cabeçalho webhook-id' }), ({ event }) => event.id],
  event_type: [eventTypeShape, ({ event }) => event.type],
  event_at: [Type.String({ description: 'Quando o evento aconteceu' }), ({ event }) => event.at],
  status: [
    Type.Enum(DELIVERY_STATUSES, {
      description: 'undelivered: não será mais tentada, a não ser com retry',
    }),
    ({ status }) => status,
  ],
  created_at: [Type.String(), ({ createdAt }) => createdAt],
  next_attempt_at: [
    nullableText('Nulo se não espera por outra tentativa'),
    ({ nextAt }) => nextAt ?? null,
  ],
  attempts: [
    Type.Array(attempt.schema, { description: 'As últimas, da mais antiga à mais nova' }),
    ({ attempts, tries }) => {
      const earlier = attempts.length - tries;
      return attempts.map((each, index) =>
        attempt.present({ ...each, number: index < earlier ? null : index + 1 - earlier }),
      );
    },
  ],
});

export const replayBody = closedNamedObject('ReplayRequest', {
  from: moment({
    description: `A partir deste instante; os eventos ficam por ${EVENT_DAYS} dias`,
  }),
  to: Type.Optional(moment({ description: 'Antes deste instante. Padrão: agora' })),
});

export const replayShape = namedObject('Replay', {
  from: Type.String(),
  to: Type.String({ description: 'Antes deste instante' }),
});

const DAY_MS = 86_400_000;

type ReplayTime = { readonly from: Instant; readonly to: Instant };

/** The time of a body without other faults; `to` is never in the future. */
export const readReplayTime = (
  { from: sentFrom, to: sentTo }: Partial<Static<typeof replayBody>>,
  now: Instant,
): { readonly time?: ReplayTime; readonly faults: FieldFaults } => {
  const from = sentFrom === undefined ? undefined : parseInstant(sentFrom);
  const sent = sentTo === undefined ? now : (parseInstant(sentTo) ?? now);
  const to = sent < now ? sent : now;
  if (from === undefined) return { faults: {} };

  const first = new Date(Date.parse(now) - EVENT_DAYS * DAY_MS).toISOString() as Instant;
  if (from > now) return { faults: { from: [complain('in_the_future', IN_THE_FUTURE)] } };
  const faults = {
    ...(from < first && {
      from: [
        complain('out_of_range', `Os eventos ficam por ${EVENT_DAYS} dias: desde ${first} agora.`),
      ],
    }),
    ...(to <= from && { to: [complain('wrong_order', 'O campo to deve ser depois de from.')] }),
  };
  return { time: { from, to }, faults };
};

const IN_THE_FUTURE = 'O campo from não pode estar no futuro.';
