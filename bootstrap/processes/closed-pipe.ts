/**
 * Lets a command go on with its work, and end with its own exit code, where nobody reads what it
 * writes any more (`| head`).
 */
export const tolerateClosedPipe = (): void => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
};
