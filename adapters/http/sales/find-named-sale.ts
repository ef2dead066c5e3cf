import { parseExternalSaleId, type Sale } from '#domain';
import type { Sales } from '../../../application/sales/sales.ts';
import { isText } from '../contract/formats.ts';
import { callerOf, type Exchange, pathParameter } from '../pipeline/context.ts';
import { isSerialNumber } from '../pipeline/list-answers.ts';

/** What the parameter `externalSaleId` of a path names. */
export const BY_EITHER_NAME =
  'externalSaleId: o da venda, o seu ticket, o transaction_id ou um número da seguradora (quotation_no, proposal_no, policy_no). Se um nome é também o externalSaleId de outra venda, vale o externalSaleId.';

/** A ticket that somebody typed in small letters. */
const TYPED_TICKET = /^(?=.*[a-z])[0-9a-z]{26}$/i;

/**
 * The sale that a parameter of the path names, if it is one of the caller's channel: by its
 * `externalSaleId`, else by its ticket in any case, its id, or a number of its insurer.
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

  // First as sent: an earlier version stored names unnormalized, and with invisible characters.
  const names = new Set([
    sentName,
    parseExternalSaleId(sentName) ?? sentName,
    ...(TYPED_TICKET.test(sentName) ? [sentName.toUpperCase()] : []),
  ]);
  const found = await Promise.all(
    [...names].map((name) => sales.findByEitherName(channelLink, name)),
  );
  const byName = [
    ...found.map(({ named }) => named),
    ...found.map(({ ticketed }) => ticketed),
  ].find(isOfLine);
  if (byName !== undefined) return byName;

  const byId = isSerialNumber(sentName)
    ? await sales.find(channelLink, Number(sentName))
    : undefined;
  if (isOfLine(byId)) return byId;
  const byNumber = await sales.findByNumber(channelLink, sentName);
  return isOfLine(byNumber) ? byNumber : undefined;
};
