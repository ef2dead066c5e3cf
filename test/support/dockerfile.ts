/** An instruction of a Dockerfile, with its continuation lines joined. */
export interface Instruction {
  readonly keyword: string;
  /** `--name=value` in front of the arguments. */
  readonly flags: Readonly<Record<string, string>>;
  /** The arguments as they are written. */
  readonly text: string;
}

export interface Stage {
  /** An image, or the name of an earlier stage. */
  readonly from: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

const readInstruction = (line: string): Instruction => {
  const [, keyword = '', flags = '', text = ''] =
    /^(\w+)\s+((?:--[\w-]+=\S+\s+)*)(.*)$/.exec(line) ?? [];
  return {
    keyword,
    flags: Object.fromEntries(
      [...flags.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    ),
    text,
  };
};

/** Reads a Dockerfile without heredocs. Its mistakes are found by the linter. */
export const readDockerfile = (text: string): readonly Stage[] => {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { from: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const instruction of lines.map(readInstruction)) {
    if (instruction.keyword === 'FROM') {
      const [from = '', , name] = instruction.text.split(/\s+/);
      stages.push({ from, name, instructions: [] });
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
};

/** The argument in exec form (a JSON list). @throws SyntaxError in shell form */
export const readExecForm = (text: string): readonly string[] => JSON.parse(text);

/** `NAME=value NAME="value"` of ENV and LABEL. */
export const readPairs = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, name, quoted, plain]) => [
      name,
      quoted ?? plain,
    ]),
  );

/** A pattern of a .dockerignore file; it also holds for everything below what it names. */
const toExpression = (pattern: string): RegExp => {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}(?:/.*)?$`);
};

/**
 * Reads a .dockerignore file.
 *
 * @returns whether a file, relative to the root of the context, belongs to the context
 */
export const readIgnoreFile = (text: string): ((path: string) => boolean) => {
  const rules = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({
      includes: line.startsWith('!'),
      expression: toExpression(line.replace('!', '')),
    }));
  return (path) =>
    rules.reduce((isIn, rule) => (rule.expression.test(path) ? rule.includes : isIn), true);
};
