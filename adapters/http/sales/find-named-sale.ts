import { parseExternalSaleId, type Sale } from '#domain';
import type { Sales } from '../../../application/sales/sales.ts';
import { isText } from '../../kit/contract/formats.ts';
import {
  type Context,
  callerOf,
  type Exchange,
  pathParameter,
} from '../../kit/web/pipeline/context.ts';
import { isSerialNumber } from '../../kit/web/pipeline/list-answers.ts';

/** What the parameter `externalSaleId` of a path names. */
export const BY_EITHER_NAME =
  'externalSaleId: o da venda ou o seu ticket. Se um ticket é igual ao externalSaleId de outra venda, vale o externalSaleId.';

/** Finds the sale that a request names. */
export type FindSale = (ctx: Context) => Promise<Sale | undefined>;

/** A ticket typed in small letters. */
const TYPED_TICKET = /^(?=.*[a-z])[0-9a-z]{26}$/i;

/**
 * The sale that a parameter of the path names, if it is one of the caller's channel: by its
 * `externalSaleId`, else by its ticket in any case.
 *
 * @param line of business; sales of other lines are not found. Absent: any line
 */
export const findNamedSale = async (
  sales: Sales,
  exchange: Pick<Exchange, 'state'>,
  parameter: string,
  line?: string,
): Promise<Sale | undefined> => {
  const { channelLink } = callerOf(exchange);
  const sentName = pathParameter(exchange, parameter).trim();
  if (channelLink === null || !isText(sentName)) return undefined;

  const isOfLine = (sale: Sale | undefined): boolean =>
    sale !== undefined && (line === undefined || sale.terms.product.line === line);

  const names = new Set([
    parseExternalSaleId(sentName) ?? sentName,
    ...(TYPED_TICKET.test(sentName) ? [sentName.toUpperCase()] : []),
  ]);
  const found = await Promise.all(
    [...names].map((name) => sales.findByEitherName(channelLink, name)),
  );
  return [...found.map(({ named }) => named), ...found.map(({ ticketed }) => ticketed)].find(
    isOfLine,
  );
};

/**
 * The same by every name that the service gave the sale: also its id and the numbers of its insurer.
 * For a status alone: a channel whose own names are numbers must not act on another of its sales.
 */
export const findSaleOfStatus = async (
  sales: Sales,
  exchange: Pick<Exchange, 'state'>,
  parameter: string,
  line: string,
): Promise<Sale | undefined> => {
  const named = await findNamedSale(sales, exchange, parameter, line);
  const { channelLink } = callerOf(exchange);
  const sent = pathParameter(exchange, parameter).trim();
  if (named !== undefined || channelLink === null || !isText(sent)) return named;
  const byId = isSerialNumber(sent) ? await sales.find(channelLink, Number(sent)) : undefined;
  if (byId?.terms.product.line === line) return byId;
  const byNumber = await sales.findByNumber(channelLink, sent);
  return byNumber?.terms.product.line === line ? byNumber : undefined;
};
