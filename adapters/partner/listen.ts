import type { Command } from 'commander';
import { count, port, words } from './call-values.ts';
import { addConnection, connect, type Environment, print } from './connection-options.ts';
import { EventPrinter } from './event-printer.ts';
import { CommandFailure } from './failures.ts';
import { FeedReader } from './follow-feed.ts';
import { listenToWebhooks } from './listen-to-webhooks.ts';
import { type Listening, type ListenOptions, summarize } from './listening.ts';

export const addListen = (program: Command, environment: Environment): void => {
  addConnection(program.command('listen'))
    .description('mostra os eventos que chegam, até Ctrl-C')
    .option('--feed', 'lê os eventos do canal, a partir de agora')
    .option('--after <cursor>', 'com --feed: continua depois deste next_cursor')
    .option('--from-start', 'com --feed: a partir do evento mais antigo')
    .option('--port <porta>', 'recebe webhooks em 127.0.0.1, com o segredo em WEBHOOK_SECRET', port)
    .option('--register', 'com --port: cadastra o endpoint no serviço e o remove no fim')
    .option('--type <tipos>', 'só eventos destes tipos, separados por vírgulas', words)
    .option('--json', 'escreve o corpo de cada evento numa linha')
    .option('--count <n>', 'termina depois de n eventos', count)
    .action(async (options: ListenOptions) => {
      process.exitCode = await listen(options, environment);
    });
};

const listen = async (options: ListenOptions, environment: Environment): Promise<number> => {
  requireOneWay(options);
  const printer = new EventPrinter({
    print,
    asJson: options.json ?? false,
    max: options.count ?? Number.POSITIVE_INFINITY,
  });
  const stopped = new AbortController();
  const listening = { options, environment, printer, stopped };
  const stop = (): void => stopped.abort();
  // npm passes Ctrl-C on, so that it can arrive twice: each must find its listener.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  // The reader of a pipe has ended.
  process.stdout.on('error', stop);
  return await (options.feed ? listenToFeed(listening) : listenToWebhooks(listening));
};

/** @throws CommandFailure if the options do not agree */
const requireOneWay = (options: ListenOptions): void => {
  const { feed, port, after, fromStart, register, type } = options;
  if ((feed === true) === (port !== undefined))
    throw new CommandFailure('Escolha um: --feed ou --port.');
  if (!feed && (after !== undefined || fromStart))
    throw new CommandFailure('--after e --from-start só servem com --feed.');
  if (after !== undefined && fromStart)
    throw new CommandFailure('Escolha um: --after ou --from-start.');
  if (feed && register) throw new CommandFailure('--register só serve com --port.');
  if (!feed && !register && type !== undefined)
    throw new CommandFailure('Com --port, --type só serve com --register.');
};

const listenToFeed = async (listening: Listening): Promise<number> => {
  const { options, environment, printer, stopped } = listening;
  const { after, fromStart, type: types } = options;
  const cursor = after === undefined ? 'now' : { cursor: after };
  const reader = new FeedReader(connect(options, environment, stopped.signal));
  try {
    await reader.follow({ from: fromStart ? 'start' : cursor, types }, printer, stopped.signal);
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    const next = reader.cursor && ` Para continuar: --after ${reader.cursor}`;
    summarize(options, `${printer.count} eventos.${next ?? ''}`);
  }
  return 0;
};
