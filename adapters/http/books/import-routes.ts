import { standardErrorSchema } from '../contract/answer-shapes.ts';
import type { Route } from '../pipeline/route.ts';
import { saleBody } from '../products/integration/integration-body.ts';
import { createEndpoint } from '../products/integration/integration-routes.ts';
import { importAnswer } from './import-answers.ts';
import { type ImportParts, importQuery, importSales, MAX_IMPORT_LINES } from './import-sales.ts';
import { answerTemplate, templateQuery } from './import-template.ts';

export type { ImportParts } from './import-sales.ts';

const IMPORT = { tag: 'Venda', scope: 'sales', partnerCredentials: true } as const;

export const createImportRoutes = (parts: ImportParts): readonly Route[] => [
  {
    ...IMPORT,
    method: 'get',
    path: '/private/integration/sales/import/template',
    operationId: 'getImportTemplate',
    summary: 'Modelo de CSV para registrar vendas, com o cabeçalho pronto',
    description:
      'Para planilhas brasileiras: ponto e vírgula, UTF-8 com BOM. Com product, inclui os atributos do produto. Apague as colunas opcionais que não usar.',
    query: templateQuery,
    answers: {
      200: { description: 'O cabeçalho', files: ['text/csv'] },
      404: { description: 'Produto não encontrado', schema: standardErrorSchema },
    },
    handle: answerTemplate(parts.catalogue),
  },
  {
    ...IMPORT,
    method: 'post',
    path: '/private/integration/sales/import',
    operationId: 'importSales',
    summary: `Registra as vendas de um arquivo NDJSON ou CSV, até ${MAX_IMPORT_LINES} linhas`,
    description:
      'Cada linha é uma venda, como em /private/integration/sale. No CSV, os nomes das colunas são os caminhos dos campos (insured.name, coverages.0.code), em qualquer caixa; vale também como o Excel brasileiro o grava: ponto e vírgula, R$ 1.234,56, dd/mm/aaaa, windows-1252. Com dry_run=true, cada linha é conferida e nada é registrado. Repetir o arquivo não vende duas vezes. Uma resposta sem a linha summary está incompleta: envie o arquivo de novo.',
    query: importQuery,
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
    handle: importSales(parts, createEndpoint(parts.clock)),
  },
];
