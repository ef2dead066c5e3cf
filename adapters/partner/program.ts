import { Argument, Command, CommanderError } from 'commander';
import { day, formatOf, month, statementFormat } from './call-values.ts';
import { explainCall, TITLES } from './commander-words.ts';
import {
  addConnection,
  type ConnectionOptions,
  connect,
  type Environment,
  note,
  print,
} from './connection-options.ts';
import { explainFailure } from './failures.ts';
import { importFile } from './import-file.ts';
import { findListFile } from './list-file.ts';
import { addListen } from './listen.ts';
import { showProgress } from './progress.ts';
import { differencesPath, reconcileFile } from './reconcile-file.ts';
import { type StatementRequest, saveStatement } from './save-statement.ts';
import { explainImport, explainReconciliation } from './summaries.ts';

/** All is well; there are differences or refused lines; the command could not do its work. */
const ALL_WELL = 0;
const FINDINGS = 1;
const FAILED = 2;

interface ImportOptions extends ConnectionOptions {
  readonly dryRun?: true;
  readonly out?: string;
}

const addImport = (program: Command, environment: Environment): void => {
  addConnection(program.command('import'))
    .description('registra as vendas de um arquivo CSV ou NDJSON, cada uma uma vez')
    .addArgument(new Argument('<arquivo>', 'uma venda por linha'))
    .option('--dry-run', 'só confere cada venda, e não registra nenhuma')
    .option('--out <arquivo>', 'onde gravar o resultado; sem isso, ao lado do arquivo')
    .action(async (path: string, options: ImportOptions) => {
      const service = connect(options, environment);
      const file = await findListFile(path);
      const isDryRun = options.dryRun === true;
      const progress = showProgress('Importação', file.bytes);
      const result = await importFile(service, file, progress, { isDryRun, out: options.out });
      print(explainImport(result, isDryRun));
      process.exitCode = result.refused === 0 ? ALL_WELL : FINDINGS;
    });
};

interface ReconcileOptions extends ConnectionOptions {
  readonly from: string;
  readonly to: string;
  readonly out?: string;
}

const addReconcile = (program: Command, environment: Environment): void => {
  addConnection(program.command('reconcile'))
    .description('compara a lista de vendas de um período com o extrato')
    .addArgument(new Argument('<arquivo>', 'CSV ou NDJSON com externalSaleId, total e status'))
    .requiredOption('--from <dia>', 'o primeiro dia do período, AAAA-MM-DD', day)
    .requiredOption('--to <dia>', 'o último dia do período, inclusive', day)
    .option('--out <arquivo>', 'onde gravar as diferenças; sem isso, ao lado da lista')
    .action(async (path: string, options: ReconcileOptions) => {
      const service = connect(options, environment);
      const file = await findListFile(path);
      const out = options.out ?? differencesPath(path);
      const progress = showProgress('Conciliação', file.bytes);
      const result = await reconcileFile(service, file, options, out, progress);
      print(explainReconciliation(result));
      const found = Object.values(result.summary.differences).some(({ count }) => count > 0);
      if (found) print(`As diferenças estão em ${out}.`);
      process.exitCode = found ? FINDINGS : ALL_WELL;
    });
};

interface StatementOptions extends ConnectionOptions {
  readonly format?: StatementRequest['format'];
  readonly locale?: string;
  readonly out?: string;
}

const addStatement = (program: Command, environment: Environment): void => {
  addConnection(program.command('statement'))
    .description('grava o extrato de um mês')
    .addArgument(new Argument('<mês>', 'AAAA-MM').argParser(month))
    .option(
      '--format <formato>',
      'xlsx, csv ou json; sem a opção, o do nome em --out, ou xlsx',
      statementFormat,
    )
    .option('--locale <idioma>', 'pt-BR põe cabeçalhos em português e, no CSV, ; e vírgulas')
    .option('--out <arquivo>', 'onde gravar; sem isso, extrato-AAAA-MM.xlsx na pasta atual')
    .action(async (of: string, options: StatementOptions) => {
      const service = connect(options, environment);
      const { locale, format = formatOf(options.out) } = options;
      const out = options.out ?? `extrato-${of}.${format}`;
      const progress = showProgress('Extrato', undefined);
      const request = { month: of, format, ...(locale !== undefined && { locale }) };
      await saveStatement(service, request, out, progress);
      print(`O extrato está em ${out}.`);
    });
};

const createProgram = (environment: Environment): Command => {
  const program = new Command('npx @insurance-sales/partner')
    .description(
      'Importa vendas, concilia listas, grava extratos e mostra eventos, pela API do serviço.\n' +
        'As credenciais vêm das variáveis CLIENT_ID e CLIENT_SECRET.\n' +
        'Termina com 0 se está tudo certo, 1 se há recusas ou diferenças, 2 se não conseguiu.',
    )
    .usage('[opções] [comando]')
    .configureHelp({
      styleTitle: (title) => TITLES[title] ?? title,
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace(/\[.*?\] ?/, '')}`,
    })
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'mostra esta ajuda');
  addImport(program, environment);
  addReconcile(program, environment);
  addStatement(program, environment);
  addListen(program, environment);
  for (const command of program.commands)
    command
      .copyInheritedSettings(program)
      .usage(command.usage().replace('options', 'opções'))
      .helpOption('-h, --help', 'mostra esta ajuda');
  return program;
};

/**
 * Runs the command that the arguments name.
 *
 * @returns 0 if all is well, 1 if there are differences or refused lines, 2 if it could not finish
 */
export const runPartnerCommand = async (
  argv: readonly string[],
  environment: Environment,
): Promise<number> => {
  process.exitCode = ALL_WELL;
  try {
    await createProgram(environment).parseAsync([...argv]);
    return process.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ALL_WELL;
    if (error instanceof CommanderError && error.code === 'commander.help') return FAILED;
    note(error instanceof CommanderError ? explainCall(error) : explainFailure(error));
    return FAILED;
  }
};
