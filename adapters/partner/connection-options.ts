import type { Command } from 'commander';
import { seconds } from './call-values.ts';
import { CommandFailure } from './failures.ts';
import { SalesService } from './sales-service.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConnectionOptions {
  readonly url?: string;
  readonly patience?: number;
}

const USUAL_PATIENCE_SECONDS = 300;

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const note = (text: string): void => void process.stderr.write(`${text}\n`);

export const addConnection = (command: Command): Command =>
  command
    .option('--url <endereço>', 'o endereço do serviço, terminado em /api; ou SALES_URL')
    .option(
      '--patience <segundos>',
      `por quanto tempo tentar de novo; sem a opção, ${USUAL_PATIENCE_SECONDS}`,
      seconds,
    );

/**
 * The service that the options and the environment name.
 *
 * @param signal Ends requests and pauses.
 * @throws CommandFailure that names every missing setting
 */
export const connect = (
  { url, patience = USUAL_PATIENCE_SECONDS }: ConnectionOptions,
  environment: Environment,
  signal?: AbortSignal,
): SalesService => {
  const address = url ?? environment['SALES_URL'];
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = environment;
  const missing = [
    ...(address ? [] : ['--url ou a variável SALES_URL']),
    ...(clientId ? [] : ['a variável CLIENT_ID']),
    ...(clientSecret ? [] : ['a variável CLIENT_SECRET']),
  ];
  if (!address || !clientId || !clientSecret)
    throw new CommandFailure(`Falta ${missing.join(', ')}.`);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new CommandFailure('O endereço do serviço deve começar com https:// ou http://.');
  return new SalesService({
    url: new URL(address),
    clientId,
    clientSecret,
    patienceMs: patience * 1_000,
    note,
    signal,
  });
};
