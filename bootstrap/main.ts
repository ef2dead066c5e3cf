import { prepareProcess } from './processes/prepare-process.ts';

prepareProcess(true);
// The configuration is read before other modules are loaded, so that a fault shows at once.
const { readConfigOrExit } = await import('./settings/config.ts');
const config = readConfigOrExit(process.env);
const { start } = await import('./processes/start.ts');
await start(config);
