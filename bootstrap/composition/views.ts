import { ContainerModule } from 'inversify';
import type { RequestNotes } from '../../application/requests/request-notes.ts';
import { listSales, requestNotes, searchSales } from './channel-use-cases.ts';
import { OpenGroups } from './open-groups.ts';
import { builder, part } from './part.ts';
import * as ports from './ports.ts';

const { sales, mailings, alertRecords, auditLog, bookingTotals, approvalRequests } = ports;

/** What administrators look at in a group. */
export const GROUP_VIEW = {
  ...{ sales, mailings, alertRecords, auditLog, approvalRequests },
  ...{ listSales, searchSales, bookingTotals, webhookEndpoints: ports.webhookEndpoints },
};

/** The groups of channels beside group 0. */
export const openGroups = part<OpenGroups>('openGroups');

/** Notes the answers to requests, each in the group of its channel. */
export const notesInGroups = part<Pick<RequestNotes, 'note'>>('notesInGroups');

/**
 * What all groups together show, and how a request reaches its group.
 *
 * @param groups the others beside this one; none in the composition of another group than 0
 */
export const viewsModule = (group: number, groups = new OpenGroups()): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const build = builder(bind);
    build(notesInGroups, { requestNotes }, (own) => groups.notesOf(own.requestNotes));
    build(openGroups, { known: ports.groups }, (given) => groups.on(given.known));
    build(ports.groupViews, GROUP_VIEW, (own) => () => new Map([[group, own], ...groups.views()]));
  });
