import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, realpathSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Keeps a second process out of a folder for as long as this one lives: an embedded database that two
 * processes write is lost. A listening socket is the lock, because the system takes it back even from a
 * process that is killed.
 *
 * @throws Error when another process of this machine has the folder.
 */
export const lockFolder = async (folder: string): Promise<() => void> => {
  mkdirSync(folder, { recursive: true });
  const name = `insurance-sales-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 16)}`;
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
  const server = (await listening(address)) ?? (await listeningAfter(address, folder));
  server.unref();
  return () => server.close();
};

const listening = async (address: string): Promise<Server | undefined> => {
  const server = createServer((socket) => socket.destroy()).listen(address);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
};

/** Takes over the socket of a process that is gone. */
const listeningAfter = async (address: string, folder: string): Promise<Server> => {
  if (await answers(address)) throw new Error(`${folder} is in use by another process`);
  unlinkSync(address);
  const server = await listening(address);
  if (server === undefined) throw new Error(`${folder} is in use by another process`);
  return server;
};

const answers = async (address: string): Promise<boolean> => {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};
