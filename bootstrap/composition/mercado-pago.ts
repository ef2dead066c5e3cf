import { ContainerModule } from 'inversify';
import { createProviderClient } from '../../adapters/kit/remote/provider-client.ts';
import { MercadoPagoGateway } from '../../adapters/payment/mercado-pago/mercado-pago-gateway.ts';
import { MercadoPagoNotices } from '../../adapters/payment/mercado-pago/mercado-pago-notices.ts';
import type { Config } from '../settings/config.ts';
import { log } from './infrastructure.ts';
import { builder } from './part.ts';
import { clock, currentRequestId, linkUrl, noticeReader, payments } from './ports.ts';

type MercadoPagoConfig = NonNullable<Config['gateways']['mercadoPago']>;

/** Its notices come to the address that each charge names, that of the group of its channel. */
export const mercadoPagoModule = ({
  url,
  token,
  webhookSecret,
}: MercadoPagoConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const build = builder(bind);
    bind(noticeReader).toConstantValue(new MercadoPagoNotices(webhookSecret));
    build(payments, { log, currentRequestId, clock, linkUrl }, (given) => {
      const headers = { Authorization: `Bearer ${token}` };
      const client = createProviderClient({ provider: 'mercadopago', url, headers, ...given });
      // Without its older notices, which carry no signature that can be verified.
      const notifyAt = `${given.linkUrl}/webhooks/payments/mercadopago?source_news=webhooks`;
      return new MercadoPagoGateway(client, given.clock, notifyAt);
    });
  });
