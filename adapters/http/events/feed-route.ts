import Type from 'typebox';
import { EVENT_TYPES, type PartnerEvents } from '../../../application/events/partner-events.ts';
import { standardError } from '../../kit/contract/answer-error.ts';
import { standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { complainOfFormat } from '../../kit/contract/complaints.ts';
import { closedObject, formatted } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { callerOf } from '../../kit/web/pipeline/context.ts';
import {
  DEFAULT_PAGE_SIZE,
  decodeCursor,
  encodeCursor,
  linkNextPage,
} from '../../kit/web/pipeline/list-answers.ts';
import { compileQueryReader } from '../../kit/web/pipeline/request-query.ts';
import type { Route } from '../routes/route.ts';
import {
  CERTIFICATE_EVENT_BODY,
  eventTypeShape,
  presentEvent,
  SALE_EVENT_BODY,
  TEST_EVENT_BODY,
} from './event-body.ts';

export interface FeedRouteParts {
  readonly partnerEvents: PartnerEvents;
}

const feedQuery = closedObject({
  after: Type.Optional(
    formatted('cursor', {
      maxLength: 300,
      description: 'next_cursor da resposta anterior; sem ele, desde o evento mais antigo',
    }),
  ),
  type: Type.Optional(
    Type.Array(eventTypeShape, {
      maxItems: EVENT_TYPES.length,
      description: 'Um ou mais: repetido, ou separados por vírgulas',
    }),
  ),
  limit: Type.Optional(
    formatted('page-limit', { description: `De 1 a 200. Padrão: ${DEFAULT_PAGE_SIZE}` }),
  ),
});

const feedAnswer = namedObject('EventList', {
  success: Type.Literal(true),
  data: Type.Array(Type.Union([SALE_EVENT_BODY, CERTIFICATE_EVENT_BODY, TEST_EVENT_BODY])),
  next_cursor: Type.String({ description: 'Para pedir o que vem depois, agora ou mais tarde' }),
  has_more: Type.Boolean({ description: 'Se já há mais eventos' }),
});

/** A place is up to 15 digits: a larger one is not exact as a number. */
const isPlace = (text: string): boolean => /^(0|[1-9]\d{0,14})$/.test(text);

const readFeedQuery = compileQueryReader(feedQuery, ({ after }) =>
  after === undefined || isPlace(decodeCursor(after))
    ? {}
    : { after: [complainOfFormat('after', 'cursor')] },
);

export const createFeedRoutes = ({ partnerEvents }: FeedRouteParts): readonly Route[] => [
  {
    tag: 'Eventos',
    scope: 'sales',
    partnerCredentials: true,
    method: 'get',
    path: '/private/integration/events',
    operationId: 'listEvents',
    summary: 'Os eventos do canal, do mais antigo ao mais novo',
    description:
      'Guarde next_cursor e peça de novo com after: nada falta e nada se repete. Os eventos ficam por 90 dias.',
    query: feedQuery,
    answers: {
      200: { description: 'Os eventos que vêm depois', schema: feedAnswer },
      410: { description: 'O cursor é antigo demais', schema: standardErrorSchema },
    },
    handle: async function followEvents(ctx) {
      const { after, type: types = EVENT_TYPES, limit } = readFeedQuery(ctx.query, ctx);
      const { channelLink } = callerOf(ctx);
      const page = await partnerEvents.read({
        // No channel has an empty name.
        channelLink: channelLink ?? '',
        after: after === undefined ? 0 : Number(decodeCursor(after)),
        types: [...new Set(types)],
        limit: Number(limit ?? DEFAULT_PAGE_SIZE),
      });
      if (page === 'deleted')
        throw standardError(
          410,
          'cursor_expired',
          'Eventos posteriores a este cursor já foram apagados. Recomece sem after, e compare as vendas com o extrato.',
        );
      ctx.state.effect = { effect: { kind: 'read_events' }, saleId: null, replayed: false };
      const next = encodeCursor(String(page.next));
      if (page.hasMore) linkNextPage(ctx, { after: next });
      ctx.body = {
        success: true,
        data: page.events.map(presentEvent),
        next_cursor: next,
        has_more: page.hasMore,
      };
    },
  },
];
