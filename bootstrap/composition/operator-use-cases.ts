import {
  type GroupDatabases,
  makeAddGroup,
  makeResealAddresses,
} from '../../application/all-groups/manage-groups.ts';
import { type GroupCopies, makeMoveGroup } from '../../application/all-groups/move-group.ts';
import { makeReconcileGateway } from '../../application/collection/reconcile-gateway.ts';
import { makeWithdrawKey } from '../../application/evidence/evidence-keys.ts';
import { makeResealCodes } from '../../application/people/reseal-codes.ts';
import { makeRebuildSearch } from '../../application/search/search-sales.ts';
import { makeRebuildTotals } from '../../application/totals/count-bookings.ts';
import { makeResealSecrets } from '../../application/webhooks/reseal-secrets.ts';
import { gateways } from './observed.ts';
import { Group, part } from './part.ts';
import {
  alerts,
  auditLog,
  bookingTotals,
  catalogue,
  clock,
  evidenceKeys,
  groups,
  identifiers,
  people,
  sales,
  searchIndex,
  secretSeal,
  timers,
  webhookEndpoints,
} from './ports.ts';

const { made, module } = new Group();

/** Use-cases that only the command line has. */
export const reconcileGateway = made(makeReconcileGateway, {
  ...{ sales, gateways, catalogue, clock, identifiers, alerts, auditLog },
});
export const withdrawKey = made(makeWithdrawKey, { evidenceKeys, clock });
export const resealSecrets = made(makeResealSecrets, { webhookEndpoints, secretSeal, clock });
export const rebuildSearch = made(makeRebuildSearch, { searchIndex });
export const rebuildTotals = made(makeRebuildTotals, { bookingTotals });
export const resealCodes = made(makeResealCodes, { people, secretSeal });

export const groupDatabases = part<GroupDatabases>('groupDatabases');
export const addGroup = made(makeAddGroup, { groups, groupDatabases, secretSeal, clock });
export const groupCopies = part<GroupCopies>('groupCopies');
export const moveGroup = made(makeMoveGroup, {
  ...{ groups, groupDatabases, groupCopies, secretSeal, clock, timers },
});
export const resealAddresses = made(makeResealAddresses, { groups, secretSeal, clock });

export { module as operatorModule };
