import { ContainerModule } from 'inversify';
import type { Composed } from './compose.ts';
import * as own from './infrastructure.ts';
import * as ports from './ports.ts';

const { clients, refreshTokens, catalogue, groups, counters } = ports;
const { people, sessions, evidenceKeys } = ports;
const { secrets, secretSeal, accessTokens, evidenceSeal, quoteSeal, documentLinks } = ports;
const { documents, mailer, alertSenders, webhookUrls, webhookSender, eventBodies } = ports;
const { signingKey, fingerprint, searchTerms } = own;

/** What all groups of channels have in common: the control database, keys, and ways to send. */
const SHARED = [
  ...[clients, refreshTokens, catalogue, groups, counters, people, sessions, evidenceKeys],
  ...[secrets, secretSeal, accessTokens, evidenceSeal, quoteSeal, documentLinks],
  ...[signingKey, fingerprint, searchTerms],
  ...[documents, mailer, alertSenders, webhookUrls, webhookSender, eventBodies],
];

/** Binds what the service of group 0 has and another group needs too. */
export const sharedModule = ({ get }: Pick<Composed, 'get'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    for (const each of SHARED) bind<unknown>(each).toResolvedValue(() => get<unknown>(each));
  });
