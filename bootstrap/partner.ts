import { prepareProcess } from './processes/prepare-process.ts';

prepareProcess();
const { runPartnerCommand } = await import('../adapters/partner/program.ts');
process.exitCode = await runPartnerCommand(process.argv, process.env);
