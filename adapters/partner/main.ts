#!/usr/bin/env node
import { runPartnerCommand } from './program.ts';

// What the command writes has customers' data: only this user may read it.
process.umask(0o077);
// The reader of a pipe may leave (`| head`): the work goes on.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
process.exitCode = await runPartnerCommand(process.argv, process.env);
