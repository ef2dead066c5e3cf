import { standardErrorSchema } from '../contract/answer-shapes.ts';
import type { Route } from '../pipeline/route.ts';
import { saleBody } from '../products/integration/integration-body.ts';
import { createEndpoint } from '../products/integration/integration-routes.ts';
import { importAnswer } from './import-answers.ts';
import { type ImportParts, importSales, MAX_IMPORT_LINES } from './import-sales.ts';

export type { ImportParts } from './import-sales.ts';

export const createImportRoutes = (parts: ImportParts): readonly Route[] => [
  {
    tag: 'Venda',
    scope: 'sales',
    partnerCredentials: true,
    method: 'post',
    path: '/private/integration/sales/import',
    operationId: 'importSales',
    summary: `Registra as vendas de um arquivo NDJSON ou CSV, até ${MAX_IMPORT_LINES} linhas`,
    description:
      'Cada linha é uma venda, como em /private/integration/sale. No CSV, os nomes das colunas são os caminhos dos campos (insured.name, coverages.0.code). Repetir o arquivo não vende duas vezes. Uma resposta sem a linha summary está incompleta: envie o arquivo de novo.',
    lines: saleBody,
    answers: {
      200: {
        description: 'Uma linha por venda, na ordem do arquivo, e o resumo',
        schema: importAnswer,
        lines: true,
      },
      400: {
        description: 'Corpo que não pode ser lido desde o início',
        schema: standardErrorSchema,
      },
      408: { description: 'O corpo parou de chegar', schema: standardErrorSchema },
    },
    steps: [importSales(parts, createEndpoint(parts.clock))],
  },
];
