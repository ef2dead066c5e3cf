import { tolerateClosedPipe } from './processes/closed-pipe.ts';
import { keepCompiled, keepPrivate } from './processes/compiled.ts';

keepPrivate();
keepCompiled();
tolerateClosedPipe();
// The configuration is read before other modules are loaded, so that a fault shows at once.
const { readConfigOrExit } = await import('./settings/config.ts');
const config = readConfigOrExit(process.env);
const { start } = await import('./processes/start.ts');
await start(config);
