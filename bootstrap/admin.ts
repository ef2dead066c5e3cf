import { prepareProcess } from './processes/prepare-process.ts';

prepareProcess();
const { operate } = await import('./commands/operate.ts');
process.exitCode = await operate(process.argv, process.env, process);
// An embedded database that was not closed properly leaves a timer behind. End anyway.
process.exit();
