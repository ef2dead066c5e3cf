import type { Sale } from '#domain';
import type { Sales } from '../../../application/sales/sales.ts';
import { notFound } from '../contract/answer-error.ts';
import { type Context, pathParameter } from '../pipeline/context.ts';
import { isSerialNumber } from '../pipeline/list-answers.ts';

/** The sale of any channel that the path names. */
export async function findTransaction(sales: Sales, ctx: Context): Promise<Sale | undefined> {
  const id = pathParameter(ctx, 'id');
  return isSerialNumber(id) ? sales.load(Number(id)) : undefined;
}

/** The same. @throws AnswerError 404 */
export async function findKnownTransaction(sales: Sales, ctx: Context): Promise<Sale> {
  const sale = await findTransaction(sales, ctx);
  if (sale === undefined) throw notFound('Transação não encontrada.');
  return sale;
}
