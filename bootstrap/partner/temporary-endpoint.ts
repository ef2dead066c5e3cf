import { finished } from 'node:stream/promises';
import { EVENT_TYPES, type EventType } from '../../application/events/partner-events.ts';
import type { SalesService } from './sales-service.ts';
import { readJson } from './service-answers.ts';

interface Registered {
  readonly response: { readonly data: { readonly id: string; readonly secret: string } };
}

const PATH = '/private/integration/webhooks';

/** Registers an endpoint for the time that the command runs. */
export const registerEndpoint = async (
  service: SalesService,
  url: string,
  events: readonly EventType[] = EVENT_TYPES,
): Promise<Registered['response']['data']> => {
  const request = {
    method: 'POST',
    path: PATH,
    headers: { 'Content-Type': 'application/json' },
    body: () => Buffer.from(JSON.stringify({ url, events, description: 'partner listen' })),
  } as const;
  const { response } = await service.ask(request, readJson<Registered>);
  return response.data;
};

export const removeEndpoint = (service: SalesService, id: string): Promise<void> =>
  service.ask({ method: 'DELETE', path: `${PATH}/${id}` }, (answer) => finished(answer.resume()));
