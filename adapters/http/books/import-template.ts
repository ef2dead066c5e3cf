import { stringify } from 'csv-stringify/sync';
import Type from 'typebox';
import { CHANNEL_TEXTS } from '#domain';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import { notFound } from '../contract/answer-error.ts';
import type { NestedSchemas } from '../contract/formats.ts';
import { closedObject, text } from '../contract/formats.ts';
import { callerOf, type Handler } from '../pipeline/context.ts';
import { compileQueryReader } from '../pipeline/request-query.ts';

export const templateQuery = closedObject({
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
export const answerTemplate = (catalogue: Catalogue): Handler => {
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
