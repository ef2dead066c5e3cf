import { jsonBody } from '../../pipeline/request-body.ts';
import { houseErrorSchema } from '../../contract/answer-shapes.ts';
import type { Route } from '../../pipeline/route.ts';
import { type CreateParts, createSale, SELLING_REFUSALS } from '../../sales/create-sale.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { BY_HEADER } from '../../sales/idempotency.ts';
import { type StatusParts, statusByTicket } from '../../sales/status-by-ticket.ts';
import { artistBody, artistDialect } from './artista-body.ts';
import {
  artistErrorSchema,
  artistFaults,
  artistStatus,
  createdArtistSale,
  presentArtistSale,
  presentArtistStatus,
} from './artista-answers.ts';

const tag = 'Artista Protegido';

const endpoint = {
  naming: BY_HEADER,
  line: 'artist',
  dialects: [artistDialect],
  dialectOf: () => artistDialect,
  faulty: artistFaults,
  present: presentArtistSale,
} satisfies SaleEndpoint;

export type ArtistRouteParts = CreateParts & StatusParts;

export const artistRoutes = (parts: ArtistRouteParts): readonly Route[] => [
  {
    method: 'post',
    path: '/seguros/artista-protegido/create',
    summary: 'Cota, propõe, cobra e emite a proteção de um artista',
    description:
      'Com cartão, a apólice é emitida na hora; com boleto, quando o pagamento é confirmado.',
    tag,
    scope: 'sales',
    body: artistBody,
    idempotent: true,
    answers: {
      200: { description: 'Transação criada', schema: createdArtistSale },
      400: {
        description: 'Campos com erro, cartão recusado ou proposta recusada',
        schema: artistErrorSchema,
      },
      ...SELLING_REFUSALS,
    },
    steps: [jsonBody, createSale(parts, endpoint)],
  },
  {
    method: 'get',
    path: '/seguros/artista-protegido/status/{proposalNo}',
    summary: 'Consulta a transação pelo ticket, sincronizada com a seguradora',
    tag,
    scope: 'sales',
    answers: {
      200: { description: 'Status da transação', schema: artistStatus },
      404: { description: 'Transação não encontrada', schema: houseErrorSchema },
    },
    steps: [statusByTicket(parts, endpoint.line, 'proposalNo', presentArtistStatus)],
  },
];
