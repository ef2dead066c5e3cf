import type { FindCardNeeds } from '../../../../application/selling/find-card-needs.ts';
import { refusedSaleSchema, TRANSACTION_NOT_FOUND } from '../../../kit/contract/answer-shapes.ts';
import type { Route } from '../../routes/route.ts';
import { type CreateParts, createSale, SELLING_REFUSALS } from '../../sales/create-sale.ts';
import { nameByHeaderOrBody } from '../../sales/idempotency.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { type StatusParts, showStatusByTicket } from '../../sales/status-by-ticket.ts';
import {
  answerArtistaFaults,
  artistaStatus,
  createdArtistaSale,
  presentArtistaSale,
  presentArtistaStatus,
  shapeArtistaError,
} from './artista-answers.ts';
import { artistaBody, artistaDialect } from './artista-body.ts';

const ARTISTA = { tag: 'Artista Protegido', scope: 'sales' } as const;

const LINE = 'artist';

const ENDPOINT: SaleEndpoint = {
  line: LINE,
  naming: nameByHeaderOrBody,
  dialects: [artistaDialect],
  faulty: answerArtistaFaults,
  present: presentArtistaSale,
};

export interface ArtistaRouteParts extends CreateParts, StatusParts {
  readonly findCardNeeds: FindCardNeeds;
}

export const createArtistaRoutes = (parts: ArtistaRouteParts): readonly Route[] => [
  {
    ...ARTISTA,
    method: 'post',
    path: '/seguros/artista-protegido/create',
    operationId: 'createArtistaSale',
    summary: 'Cota, propõe, cobra e emite a proteção de um artista',
    description:
      'Com cartão (modeCode 2), a apólice é emitida na hora; com boleto (modeCode 1), depois do pagamento em payment_url. premiumTaxes deve ser o IOF do prêmio líquido; se difere, o erro mostra o valor certo. Dê um nome à venda (externalSaleId ou Idempotency-Key) e, sem resposta em 60 s, repita igual, com o cartão: não se cobra duas vezes. Um cartão recusado deixa a venda como refused e gasta o nome: para outro cartão, outro nome.',
    body: artistaBody,
    idempotent: true,
    shapeError: shapeArtistaError,
    answers: {
      200: { description: 'Transação criada', schema: createdArtistaSale },
      400: {
        description: 'Campos com erro, cartão recusado ou proposta recusada',
        schema: refusedSaleSchema,
      },
      ...SELLING_REFUSALS,
    },
    handle: createSale(parts, ENDPOINT, parts.findCardNeeds),
  },
  {
    ...ARTISTA,
    method: 'get',
    path: '/seguros/artista-protegido/status/{proposalNo}',
    operationId: 'getArtistaStatus',
    summary: 'Consulta a transação pelo ticket, sincronizada com a seguradora',
    description:
      'proposalNo: qualquer nome da venda (ticket, externalSaleId, transaction_id, quotation_no, proposal_no, policy_no). A consulta atualiza a venda com a situação na seguradora. document_url é nulo antes da emissão, e vale por uma semana, se o operador não decidiu outra coisa.',
    answers: {
      200: { description: 'Status da transação', schema: artistaStatus },
      ...TRANSACTION_NOT_FOUND,
    },
    handle: showStatusByTicket(parts, LINE, 'proposalNo', presentArtistaStatus),
  },
];
