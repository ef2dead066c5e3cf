import { tolerateClosedPipe } from './closed-pipe.ts';
import { keepCompiled, keepPrivate } from './compiled.ts';

// Result files can hold personal data.
keepPrivate();
keepCompiled();
tolerateClosedPipe();
const { runPartnerCommand } = await import('./partner/program.ts');
process.exitCode = await runPartnerCommand(process.argv, process.env);
