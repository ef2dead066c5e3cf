import { tolerateClosedPipe } from './closed-pipe.ts';
import { keepCompiled, keepPrivate } from './compiled.ts';

keepPrivate();
keepCompiled();
tolerateClosedPipe();
// The configuration is read before other modules are loaded, so that a fault shows at once.
const { readConfigOrExit } = await import('./config.ts');
const config = readConfigOrExit(process.env);
const { start } = await import('./start.ts');
await start(config);
