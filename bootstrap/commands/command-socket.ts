import { openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';

/** What an operator's command asks of the service that has the data folder. */
export interface CommandRequest {
  /** The arguments of the process: the command begins with the third. */
  readonly argv: readonly string[];
  /** The user of the command, for the audit log. */
  readonly user: string;
}

/** What the service tells the command: answers, errors and, at the end, the exit code. */
export type CommandFrame =
  | { readonly answer: object }
  | { readonly error: string }
  | { readonly code: number };

const SOCKET_NAME = 'commands.sock';

/** Longest path of a Unix socket on Linux and macOS, bytes. */
const MAX_PATH_BYTES = 103;

/**
 * The path of the socket by which the service that has a data folder takes operators' commands. A
 * path that is too long goes through the open folder, which Linux has in `/proc`.
 */
export const socketPath = (dataFolder: string): string => {
  const path = resolve(dataFolder, SOCKET_NAME);
  return Buffer.byteLength(path) <= MAX_PATH_BYTES
    ? path
    : `/proc/self/fd/${openSync(dataFolder, 'r')}/${SOCKET_NAME}`;
};

export const sendFrame = (socket: Socket, frame: CommandRequest | CommandFrame): unknown =>
  socket.write(`${JSON.stringify(frame)}\n`);

/** The frames that come through a socket. Each is a line of JSON. */
export async function* readFrames<Frame>(socket: Socket): AsyncGenerator<Frame, void> {
  let rest = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Frame;
  }
}
