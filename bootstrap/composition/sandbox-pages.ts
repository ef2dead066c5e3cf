import { ContainerModule } from 'inversify';
import { readBearerToken } from '../../adapters/kit/web/pipeline/context.ts';
import { createSandboxRoutes } from '../../adapters/payment/sandbox/sandbox-routes.ts';
import { makeDescribePurchase } from '../../application/servicing/describe-purchase.ts';
import { authenticate } from './channel-use-cases.ts';
import { linkPages, sandbox } from './infrastructure.ts';
import { builder } from './part.ts';
import { catalogue, clock, mailings, publicUrl, sales } from './ports.ts';

/** The pages on which payers pay at the sandbox gateway. */
export const sandboxPagesModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  build(
    linkPages,
    { gateway: sandbox, clock, publicUrl, sales, authenticate, catalogue, mailings },
    (given) => {
      const mayRead = async (authorization: string, saleId: number) => {
        const caller = await given.authenticate(readBearerToken(authorization) ?? '');
        if (caller === undefined || caller.channelLink === null)
          return caller?.scopes.includes('admin');
        return saleId > 0 && (await given.sales.find(caller.channelLink, saleId)) !== undefined;
      };
      const describePurchase = makeDescribePurchase(given);
      return createSandboxRoutes({ ...given, describePurchase, mayRead });
    },
  );
});
