import { createConsole } from '../../adapters/console/console.ts';
import { OpenIdProvider } from '../../adapters/console/openid.ts';
import type { PageParts } from '../../adapters/console/pages/all-pages.ts';
import type { Step } from '../../adapters/kit/web/pipeline/context.ts';
import { makeActOnSale } from '../../application/approvals/act-on-sale.ts';
import { apiAnswers } from './console-answers.ts';
import { CONSOLE_GROUP_NEEDS, type ConsoleNeeds } from './console-needs.ts';
import { oneTimeCodes } from './infrastructure.ts';
import { composePeople, join, keepSessions, managePeople, signIn } from './people.ts';

const PARTS = { keepSessions, signIn, join, managePeople, oneTimeCodes };

/** Builds the console over what the service has. */
export const openConsole = (given: ConsoleNeeds): Promise<Step> => {
  const { consoleOpenId, publicUrl, openGroups } = given;
  const openId =
    consoleOpenId && new OpenIdProvider(consoleOpenId, `${publicUrl}/console/openid-answer`);
  const built = composePeople(given).pick(PARTS);
  const partsOf = (own: ConsoleNeeds): PageParts => ({
    ...{ ...own, ...built, openId, actOnSale: makeActOnSale(own) },
    ...apiAnswers(own),
  });
  /** By the service of a group: one that was opened again has other parts. */
  const known = new WeakMap<object, PageParts>();
  const partsOfGroup = (group: number): PageParts => {
    const { service } = openGroups.get(group);
    const parts = known.get(service) ?? partsOf({ ...given, ...service.pick(CONSOLE_GROUP_NEEDS) });
    known.set(service, parts);
    return parts;
  };
  return createConsole({
    ...{ ...partsOf(given), secretSeal: given.secretSeal, keepSessions: built.keepSessions },
    groups: { current: () => openGroups.current(), partsOf: partsOfGroup },
  });
};
