import { createConsole } from '../../adapters/console/console.ts';
import { OpenIdProvider } from '../../adapters/console/openid.ts';
import type { Step } from '../../adapters/kit/web/pipeline/context.ts';
import { makeActOnSale } from '../../application/approvals/act-on-sale.ts';
import { makeListSales } from '../../application/sales/list-sales.ts';
import { apiAnswers } from './console-answers.ts';
import type { ConsoleNeeds } from './console-needs.ts';
import { oneTimeCodes } from './infrastructure.ts';
import { composePeople, join, keepSessions, managePeople, signIn } from './people.ts';

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
    ...apiAnswers(given),
  });
};
