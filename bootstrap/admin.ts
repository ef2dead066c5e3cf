import { tolerateClosedPipe } from './closed-pipe.ts';
import { keepCompiled, keepPrivate } from './compiled.ts';

keepPrivate();
keepCompiled();
tolerateClosedPipe();
const { operate } = await import('./operate.ts');
process.exitCode = await operate(process.argv, process.env, process);
// An embedded database that was not closed properly leaves a timer behind. End anyway.
process.exit();
