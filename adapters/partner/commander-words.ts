import type { CommanderError } from 'commander';

/** The titles of a help text, in Portuguese. */
export const TITLES: Readonly<Record<string, string>> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opções:',
  'Commands:': 'Comandos:',
};

/** What is wrong with a call, by Commander's code. */
const CALL_FAULTS: Readonly<Record<string, string>> = {
  'commander.missingArgument': 'falta um argumento',
  'commander.optionMissingArgument': 'a opção precisa de um valor',
  'commander.missingMandatoryOptionValue': 'falta uma opção obrigatória',
  'commander.unknownOption': 'a opção não existe',
  'commander.unknownCommand': 'o comando não existe',
  'commander.excessArguments': 'há argumentos demais',
  'commander.invalidArgument': 'valor inválido',
};

/** What is wrong with a call of the command. */
export const explainCall = ({ code, message }: CommanderError): string => {
  const [, named = ''] = /'([^']*)'/.exec(message) ?? [];
  const [, reason = ''] = /is invalid(?: for argument '[^']*')?\. (.*)$/s.exec(message) ?? [];
  const [, similar = ''] = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message) ?? [];
  const fault = CALL_FAULTS[code] ?? message;
  const question = similar && `. Seria ${similar.replaceAll(', ', ' ou ')}?`;
  return `${fault}${named && `: ${named}`}${reason && `: ${reason}`}${question}\nVeja --help.`;
};
