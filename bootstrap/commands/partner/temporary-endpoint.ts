import { finished } from 'node:stream/promises';
import { EVENT_TYPES, type EventType } from '../../../application/events/partner-events.ts';
import type { SalesService } from './sales-service.ts';
import { readJson } from './service-answers.ts';

interface Registered {
  readonly data: { readonly id: string; readonly secret: string };
}

interface Listed {
  readonly data: readonly {
    readonly id: string;
    readonly url: string;
    readonly description: string | null;
  }[];
}

const PATH = '/private/integration/webhooks';

/** Tells the endpoints of this command from others. */
const DESCRIPTION = 'npm run partner -- listen';

/**
 * Registers an endpoint for the time that the command runs. One of the same URL that an earlier run
 * has left is removed first.
 *
 * @throws CommandFailure if another endpoint of the channel has the URL
 */
export const registerEndpoint = async (
  service: SalesService,
  url: string,
  events: readonly EventType[] = EVENT_TYPES,
): Promise<Registered['data']> => {
  const listed = await service.ask({ method: 'GET', path: PATH }, readJson<Listed>);
  for (const each of listed.data)
    if (each.url === url && each.description === DESCRIPTION)
      await removeEndpoint(service, each.id);

  const request = {
    method: 'POST',
    path: PATH,
    headers: { 'Content-Type': 'application/json' },
    body: () => Buffer.from(JSON.stringify({ url, events, description: DESCRIPTION })),
  } as const;
  const { data } = await service.ask(request, readJson<Registered>);
  return data;
};

export const removeEndpoint = (service: SalesService, id: string): Promise<void> =>
  service.ask({ method: 'DELETE', path: `${PATH}/${id}` }, (answer) => finished(answer.resume()));
