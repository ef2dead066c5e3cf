import { ContainerModule } from 'inversify';
import type { Composed } from './compose.ts';
import * as own from './infrastructure.ts';
import * as ports from './ports.ts';

const { clients, refreshTokens, people, sessions, catalogue, counters } = ports;
const { secrets, secretSeal, accessTokens, evidenceSeal, quoteSeal, documentLinks } = ports;
const { documents, mailer, alertSenders, webhookUrls, webhookSender, eventBodies } = ports;
const { checkReady, signingKey, fingerprint, keySet, searchTerms, mailServer } = own;

/** What all groups of channels have in common: the control database, keys, and ways to send. */
const SHARED = [
  ...[clients, refreshTokens, people, sessions, catalogue, counters, checkReady],
  ...[secrets, secretSeal, accessTokens, evidenceSeal, quoteSeal, documentLinks],
  ...[signingKey, fingerprint, keySet, searchTerms],
  ...[documents, mailServer, mailer, alertSenders, webhookUrls, webhookSender, eventBodies],
];

/** Binds what the service of group 0 has and another group needs too. */
export const sharedModule = ({ get }: Pick<Composed, 'get'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    for (const each of SHARED) bind<unknown>(each).toResolvedValue(() => get<unknown>(each));
  });
