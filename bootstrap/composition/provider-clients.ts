import type { Logger } from 'pino';
import { type Ask, createProviderClient } from '../../adapters/remote/provider-client.ts';

/** Sent to gateway and insurer with each request. */
const USER_AGENT = 'insurance-sales/1.0';

const REFUSED = 'a provider refuses the key or token of this service';

interface Provider {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Given {
  readonly log: Logger;
  readonly currentRequestId: () => string | undefined;
}

/** @param provider as log lines name it */
export const openClient = (
  provider: string,
  { url, headers }: Provider,
  { log, currentRequestId }: Given,
): Ask =>
  createProviderClient({
    ...{ url, headers: { ...headers, 'User-Agent': USER_AGENT }, currentRequestId },
    credentialsRefused: (status) => log.warn({ provider, status }, REFUSED),
  });
