import { parseExternalSaleId, type Sale } from '#domain';
import type { Sales } from '../../../application/sales/sales.ts';
import { isText } from '../contract/formats.ts';
import { callerOf, type Exchange, pathParameter } from '../pipeline/context.ts';

/** What the parameter `externalSaleId` of a path names. */
export const BY_EITHER_NAME =
  'externalSaleId: o da venda ou o seu ticket. Se um ticket é igual ao externalSaleId de outra venda, vale o externalSaleId.';

/**
 * The sale that a parameter of the path names, if it is one of the caller's channel: by its
 * `externalSaleId`, else by its ticket.
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
  const sentName = pathParameter(exchange, parameter);
  if (channelLink === null || !isText(sentName)) return undefined;

  const isOfLine = (sale: Sale | undefined): boolean =>
    sale !== undefined && (line === undefined || sale.terms.product.line === line);

  // First as sent: an earlier version stored names unnormalized, and with invisible characters.
  const names = new Set([sentName, parseExternalSaleId(sentName) ?? sentName]);
  const found = await Promise.all(
    [...names].map((name) => sales.findByEitherName(channelLink, name)),
  );
  return [...found.map(({ named }) => named), found[0]?.ticketed].find(isOfLine);
};
