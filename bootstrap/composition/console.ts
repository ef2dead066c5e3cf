import { createConsole } from '../../adapters/console/console.ts';
import { OpenIdProvider } from '../../adapters/console/openid.ts';
import { gatewayComparison } from '../../adapters/http/admin/gateway-route.ts';
import { inspectedTransaction } from '../../adapters/http/admin/transaction-shapes.ts';
import { MEDIA_TYPES } from '../../adapters/http/books/statement-answer.ts';
import { writeCsv } from '../../adapters/http/books/statement-csv.ts';
import { writeXlsx } from '../../adapters/http/books/statement-xlsx.ts';
import { evidenceContent } from '../../adapters/http/generic/evidence-answer.ts';
import type { Step } from '../../adapters/kit/web/pipeline/context.ts';
import { makeActOnSale } from '../../application/approvals/act-on-sale.ts';
import { makeListSales } from '../../application/sales/list-sales.ts';
import type { Statement } from '../../application/statements/channel-statement.ts';
import type { ConsoleNeeds } from './console-needs.ts';
import { oneTimeCodes } from './infrastructure.ts';
import { composePeople, join, keepSessions, managePeople, signIn } from './people.ts';

/** As the API gives them, in Portuguese. */
const STATEMENT_FILES = {
  csv: {
    type: MEDIA_TYPES.csv,
    write: (lines: Statement['lines']) => writeCsv(lines, 'pt-BR'),
  },
  xlsx: {
    type: MEDIA_TYPES.xlsx,
    write: (lines: Statement['lines'], month: string) =>
      writeXlsx(lines, { month, locale: 'pt-BR' }),
  },
};

const PARTS = { keepSessions, signIn, join, managePeople, oneTimeCodes };

/** Builds the console over what the service has. */
export const openConsole = (given: ConsoleNeeds): Promise<Step> => {
  const { consoleOpenId, publicUrl } = given;
  const openId =
    consoleOpenId && new OpenIdProvider(consoleOpenId, `${publicUrl}/console/openid-answer`);
  const built = composePeople(given).pick(PARTS);
  return createConsole({
    ...{ ...given, ...built, openId, actOnSale: makeActOnSale(given) },
    listSales: makeListSales(given),
    statementFiles: STATEMENT_FILES,
    presentEvidence: evidenceContent.present,
    presentComparison: gatewayComparison.present,
    presentSale: (inspected) => inspectedTransaction.present({ ...inspected, publicUrl }),
  });
};
