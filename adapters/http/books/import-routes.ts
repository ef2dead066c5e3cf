import { stringify } from 'csv-stringify/sync';
import Type from 'typebox';
import { CHANNEL_TEXTS } from '#domain';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import { standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { closedObject, type NestedSchemas, text } from '../../kit/contract/formats.ts';
import { callerOf, type Handler } from '../../kit/web/pipeline/context.ts';
import { compileQueryReader } from '../../kit/web/pipeline/request-query.ts';
import { saleBody } from '../generic/generic-body.ts';
import { createEndpoint } from '../generic/generic-routes.ts';
import { BY_PARTNER } from '../oauth/partner-access.ts';
import type { Route } from '../routes/route.ts';
import { importAnswer } from './import-answers.ts';
import { type ImportParts, importQuery, importSales, MAX_IMPORT_LINES } from './import-sales.ts';

export type { ImportParts } from './import-sales.ts';

export const createImportRoutes = (parts: ImportParts): readonly Route[] => [
  {
    ...BY_PARTNER,
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
    ...BY_PARTNER,
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

const templateQuery = closedObject({
  product: Type.Optional(text(50, { description: 'O code do produto, para incluir os atributos' })),
});

/** What most sales say; other fields of a sale may be columns as well. */
const COLUMNS: readonly string[] = [
  ...['externalSaleId', 'product.code', 'plan.code', 'saleDate'],
  ...['insured.name', 'insured.cpfOrCnpj', 'insured.email', 'insured.phone', 'insured.birthDate'],
  ...['coverage.startDate', 'coverage.endDate'],
  ...['amounts.insuredAmount'],
  ...['payment.status', 'payment.method', 'payment.paidAt', 'payment.installments'],
  ...CHANNEL_TEXTS,
];

/** Answers the header of a CSV of sales, as Brazilian spreadsheets open it. */
const answerTemplate = (catalogue: Catalogue): Handler => {
  const readQuery = compileQueryReader(templateQuery);

  return async function answerTemplate(ctx) {
    const { product: code } = readQuery(ctx.query, ctx);
    const { products, channels } = await catalogue.current();
    const channel = channels.get(callerOf(ctx).channelLink ?? '');
    const granted = channel?.grants.some(({ productCode }) => productCode === code);
    const product = granted ? products.find((each) => each.code === code) : undefined;
    if (code !== undefined && product === undefined) throw notFound('Produto não encontrado.');
    const { properties = {} } = (product?.attributes ?? {}) as NestedSchemas;
    const attributes = Object.keys(properties).map((name) => `attributes.${name}`);
    ctx.attachment('modelo-vendas.csv');
    ctx.type = 'text/csv; charset=utf-8; header=present';
    ctx.body = stringify([[...COLUMNS, ...attributes]], {
      bom: true,
      delimiter: ';',
      record_delimiter: 'windows',
    });
  };
};
