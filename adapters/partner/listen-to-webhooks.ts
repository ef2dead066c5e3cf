import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { connect, note } from './connection-options.ts';
import { CommandFailure, explainFailure } from './failures.ts';
import { type Listening, summarize } from './listening.ts';
import { WebhookReceiver } from './receive-webhooks.ts';
import type { SalesService } from './sales-service.ts';
import { readJson } from './service-answers.ts';

/** No delivery was refused; at least one was. */
const ALL_WELL = 0;
const REFUSED = 1;

/** The time to remove the endpoint at the end, s. */
const REMOVAL_SECONDS = 5;

/** @returns `REFUSED` if deliveries were refused */
export const listenToWebhooks = async (listening: Listening): Promise<number> => {
  const { options, environment, printer, stopped } = listening;
  const receiver = new WebhookReceiver({ printer, note, stop: () => stopped.abort() });
  const { WEBHOOK_SECRET: secret } = environment;
  if (!options.register && !secret) throw new CommandFailure('Falta a variável WEBHOOK_SECRET.');
  if (!options.register && secret) receiver.verifyWith(secret);

  try {
    const url = await receiver.open(options.port ?? 0);
    if (options.register) await receiveRegistered(listening, receiver, url);
    else await waitForEnd(stopped.signal, url);
  } catch (error) {
    if (!stopped.signal.aborted || error instanceof CommandFailure) throw error;
  } finally {
    receiver.close();
  }
  summarize(options, `${printer.count} eventos, ${receiver.refused} entregas recusadas.`);
  return receiver.refused === 0 ? ALL_WELL : REFUSED;
};

/** Receives as an endpoint that is registered for this time. */
const receiveRegistered = async (
  { options, environment, stopped: { signal } }: Listening,
  receiver: WebhookReceiver,
  url: string,
): Promise<void> => {
  const service = connect(options, environment, signal);
  const { id, secret } = await registerEndpoint(service, url, options.type);
  receiver.verifyWith(secret);
  await waitForEnd(signal, `${url} como ${id}`);
  try {
    const removing = connect({ ...options, patience: REMOVAL_SECONDS }, environment);
    await removeEndpoint(removing, id);
  } catch (error) {
    throw new CommandFailure(`O endpoint ${id} continua cadastrado. ${explainFailure(error)}`);
  }
};

const waitForEnd = async (signal: AbortSignal, place: string): Promise<void> => {
  note(`Escutando em ${place}.`);
  if (!signal.aborted) await once(signal, 'abort');
};

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
const DESCRIPTION = '@insurance-sales/partner listen';

/**
 * Registers an endpoint for the time that the command runs. One of the same URL that an earlier run
 * has left is removed first.
 *
 * @throws CommandFailure if another endpoint of the channel has the URL
 */
const registerEndpoint = async (
  service: SalesService,
  url: string,
  events: readonly string[] | undefined,
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

const removeEndpoint = (service: SalesService, id: string): Promise<void> =>
  service.ask({ method: 'DELETE', path: `${PATH}/${id}` }, (answer) => finished(answer.resume()));
