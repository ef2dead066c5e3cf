import { ContainerModule } from 'inversify';
import { createProviderClient } from '../../adapters/kit/remote/provider-client.ts';
import { AsaasGateway } from '../../adapters/payment/asaas/asaas-gateway.ts';
import { AsaasNotices } from '../../adapters/payment/asaas/asaas-notices.ts';
import type { Config } from '../settings/config.ts';
import { log } from './infrastructure.ts';
import { builder } from './part.ts';
import { clock, currentRequestId, noticeReader, payments } from './ports.ts';

type AsaasConfig = NonNullable<Config['gateways']['asaas']>;

export const asaasModule = ({ url, key, webhookToken }: AsaasConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const build = builder(bind);
    bind(noticeReader).toConstantValue(new AsaasNotices(webhookToken));
    build(payments, { log, currentRequestId, clock }, (given) => {
      const headers = { access_token: key };
      const client = createProviderClient({ provider: 'asaas', url, headers, ...given });
      return new AsaasGateway(client, given.clock);
    });
  });
