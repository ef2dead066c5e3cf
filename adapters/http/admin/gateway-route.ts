import Type from 'typebox';
import type {
  CompareWithGateway,
  GatewayComparison,
  ShownCharge,
} from '../../../application/collection/compare-with-gateway.ts';
import {
  FINDING_ACTS,
  FINDING_KINDS,
  type Finding,
} from '../../../application/collection/gateway-findings.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import { answerData, dataAnswer, TRANSACTION_NOT_FOUND } from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';
import { findKnownTransaction } from './transaction-routes.ts';

const shownCharge = described<ShownCharge>('ShownCharge')({
  charge_id: [Type.String(), ({ chargeId }) => chargeId],
  amount: [reaisShape(), ({ amount }) => inReais(amount)],
  returned: [reaisShape(), ({ returned }) => inReais(returned)],
  shown: [
    Type.String({ description: 'Como o gateway a mostra: approved, dispute opened' }),
    ({ there }) => there,
  ],
});

/** The sale is known: it is asked for by its number. */
const KINDS: Finding['kind'][] = FINDING_KINDS.filter((kind) => kind !== 'charge_without_sale');

const difference = described<Finding>('GatewayDifference')({
  kind: [
    Type.Enum(KINDS, {
      description:
        'charge_not_wanted: uma cobrança pode ser paga, e a venda não a espera; payment_differs: pagamento ou devolução diferente, ou resposta que não se lê; charge_missing: o gateway não conhece a cobrança',
    }),
    ({ kind }) => kind,
  ],
  act: [
    Type.Enum([...FINDING_ACTS], {
      description:
        'O que resolve: withdraw, retirar a cobrança; refund, devolver; take_over, a venda segue o gateway; alert, uma pessoa decide; wait, o gateway ainda não sabe',
    }),
    ({ act }) => act,
  ],
  ...shownCharge.fields,
  charge_id: [
    nullableText('Nulo: a venda ainda não sabe de nenhuma'),
    ({ chargeId }) => chargeId || null,
  ],
});

export const gatewayComparison = described<GatewayComparison>('GatewayComparison')({
  asked_at: [Type.String(), ({ at }) => at],
  charges: [Type.Array(shownCharge.schema), ({ charges }) => charges.map(shownCharge.present)],
  differences: [
    Type.Array(difference.schema, { description: 'Vazia: gateway e venda dizem o mesmo' }),
    ({ findings }) => findings.map(difference.present),
  ],
});

interface GatewayRouteParts {
  readonly sales: Sales;
  readonly compareWithGateway: CompareWithGateway;
}

/** What the gateway says of a sale's money now. */
export const createGatewayRoute = ({
  sales,
  compareWithGateway,
}: GatewayRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/transactions/{id}/gateway',
    operationId: 'compareWithGateway',
    summary: 'Pergunta agora ao gateway pelas cobranças de uma venda, e mostra o que difere',
    description:
      'Não muda nada: o que difere, o serviço segue por si, e já com retry. De uma venda paga ao canal, as listas são vazias.',
    answers: {
      200: { description: 'A comparação', schema: dataAnswer(gatewayComparison.schema) },
      ...TRANSACTION_NOT_FOUND,
    },
    handle: async function showComparison(ctx) {
      const sale = await findKnownTransaction(sales, ctx);
      answerData(ctx, gatewayComparison.present(await compareWithGateway(sale)));
    },
  },
];
