import { tolerateClosedPipe } from './processes/closed-pipe.ts';
import { keepCompiled, keepPrivate } from './processes/compiled.ts';

// Result files can hold personal data.
keepPrivate();
keepCompiled();
tolerateClosedPipe();
const { runPartnerCommand } = await import('./commands/partner/program.ts');
process.exitCode = await runPartnerCommand(process.argv, process.env);
