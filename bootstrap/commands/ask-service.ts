import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  type CommandFrame,
  type CommandRequest,
  readFrames,
  sendFrame,
  socketPath,
} from './command-socket.ts';
import type { CommandRun } from './run-command.ts';

/** The socket of the service; undefined if no service takes commands there. */
const connectTo = async (dataFolder: string): Promise<Socket | undefined> => {
  try {
    const socket = connect(socketPath(dataFolder));
    await once(socket, 'connect');
    return socket;
  } catch {
    return undefined;
  }
};

/**
 * Has the service that runs on a data folder run a command.
 *
 * @returns the exit code; undefined if no service takes commands there
 * @throws Error if the service ends before the command does
 */
export const askService = async (
  dataFolder: string,
  request: CommandRequest,
  { print, complain }: Pick<CommandRun, 'print' | 'complain'>,
): Promise<number | undefined> => {
  const socket = await connectTo(dataFolder);
  if (socket === undefined) return undefined;
  sendFrame(socket, request);
  let code: number | undefined;
  try {
    for await (const frame of readFrames<CommandFrame>(socket)) {
      if ('answer' in frame) print(frame.answer);
      else if ('error' in frame) complain(frame.error);
      else code = frame.code;
    }
  } catch {
    // The service was killed: see below.
  }
  if (code === undefined)
    throw new Error('the service ended before the command did: start it, and look what was done');
  return code;
};
