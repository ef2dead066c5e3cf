import { once } from 'node:events';
import { connect, note } from './connection-options.ts';
import { CommandFailure, explainFailure } from './failures.ts';
import { type Listening, summarize } from './listening.ts';
import { WebhookReceiver } from './receive-webhooks.ts';
import { registerEndpoint, removeEndpoint } from './temporary-endpoint.ts';

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
