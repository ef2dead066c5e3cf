import { ContainerModule } from 'inversify';
import { HttpIssuer } from '../../adapters/issuance/http-issuer.ts';
import { type LocalFile, LocalIssuer } from '../../adapters/issuance/local-issuer.ts';
import { createProviderClient } from '../../adapters/kit/remote/provider-client.ts';
import { DatabaseRecords } from '../../adapters/persistence/operations/provider-records.ts';
import { NUMBERS_OF_GROUP } from '../../application/groups/group-numbers.ts';
import type { Config } from '../settings/config.ts';
import { database, log } from './infrastructure.ts';
import { builder } from './part.ts';
import { clock, currentRequestId, issuer } from './ports.ts';

/** The insurer that the settings name, for a group of channels. */
export const issuanceModule = ({ issuer: chosen }: Config, group: number): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const build = builder(bind);
    if (chosen.kind === 'http') {
      const headers = { Authorization: `Bearer ${chosen.token}` };
      build(issuer, { log, currentRequestId }, (given) => {
        const asked = { provider: 'insurer', url: chosen.url, headers };
        return new HttpIssuer(createProviderClient({ ...asked, ...given }));
      });
    } else
      build(issuer, { database, clock }, ({ database: opened, clock: time }) => {
        const files = new DatabaseRecords<LocalFile>(opened, 'local_policy');
        const numbers = new DatabaseRecords<number>(opened, 'local_number');
        const numbersAfter = group * NUMBERS_OF_GROUP;
        return new LocalIssuer({ files, numbers, numbersAfter, clock: time });
      });
  });
