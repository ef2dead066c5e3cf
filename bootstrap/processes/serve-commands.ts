import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { describeFault } from '../../application/describe-fault.ts';
import {
  type CommandRequest,
  readFrames,
  sendFrame,
  socketPath,
} from '../commands/command-socket.ts';
import type { Composed } from '../composition/compose.ts';
import { openGroups } from '../composition/views.ts';

/** Max time in which commands end when the service stops, ms. */
const LAST_MS = 5_000;

/** Runs the command that comes through a socket. Nothing of it is logged: it may hold secrets. */
const answerCommand = async (
  socket: Socket,
  { argv, user }: CommandRequest,
  service: Composed,
): Promise<void> => {
  const { runCommand } = await import('../commands/run-command.ts');
  const complain = (error: string): unknown => sendFrame(socket, { error });
  const code = await runCommand(argv, {
    user,
    print: (answer) => sendFrame(socket, { answer }),
    explain: complain,
    complain,
    withStores: (act) => act(service),
    inGroup: ({ number }, act) => act(service.get(openGroups).get(number).service),
  });
  sendFrame(socket, { code });
  socket.end();
};

/**
 * Takes operators' commands through a Unix socket in the data folder, because the embedded database
 * serves one process. Only the owner of the folder can connect.
 *
 * @returns the function that stops it
 */
export const serveCommands = async (
  service: Composed,
  dataFolder: string,
  log: Logger,
): Promise<() => Promise<void>> => {
  const idle = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const take = async (socket: Socket): Promise<void> => {
    idle.add(socket);
    const { value: request } = await readFrames<CommandRequest>(socket).next();
    idle.delete(socket);
    if (request !== undefined) await answerCommand(socket, request, service);
  };

  const server = createServer((socket) => {
    // The command was killed. What it has begun goes on.
    socket.on('error', () => {});
    const taken = take(socket)
      .catch(() => void socket.destroy())
      .finally(() => {
        idle.delete(socket);
        running.delete(taken);
      });
    running.add(taken);
  });
  try {
    const path = socketPath(dataFolder);
    // A killed process leaves its socket. This process alone has the folder, by its lock.
    rmSync(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    chmodSync(path, 0o600);
  } catch (error) {
    log.info({ fault: describeFault(error) }, 'operators must stop the service for their commands');
  }

  return async function stopCommands() {
    server.close();
    for (const socket of idle) socket.destroy();
    await Promise.race([Promise.all(running), wait(LAST_MS, undefined, { ref: false })]);
  };
};
