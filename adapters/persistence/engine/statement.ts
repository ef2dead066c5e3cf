import type { Task } from '../../../application/tasks.ts';

/**
 * A prepared statement: PostgreSQL parses it once per connection and keeps it under its name. Without
 * a name it is parsed each time.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** Whether the statement gets the time limit of reports and clean-ups, not that of requests. */
  readonly isSlow?: true;
}

/** A statement whose values are given by name, and that returns rows of one kind. */
export interface StatementOf<Values extends object, Row = object> extends Statement {
  /** The values in the order of the text's numbers. @throws Error where a value is not given */
  values(given: Values): unknown[];
  /** Not there at run time. */
  readonly rowType?: Row;
}

const PARAMETER = /\$([a-z]\w*)/gi;

/**
 * Makes a statement from a text that names its parameters (`$saleId`). PostgreSQL numbers them, so
 * the names become numbers here, once, when the module is loaded.
 */
export const statement = <Values extends object, Row = object>(
  name: string,
  text: string,
  limits: Pick<Statement, 'isSlow'> = {},
): StatementOf<Values, Row> => {
  const names = [...new Set(Array.from(text.matchAll(PARAMETER), ([, parameter]) => parameter))];
  const numbered = text.replace(PARAMETER, (_, parameter) => `$${names.indexOf(parameter) + 1}`);

  const valueIn = (given: Values, parameter: string | undefined): unknown => {
    const value = given[parameter as keyof Values];
    if (value === undefined) throw new Error(`${name} lacks the value of ${parameter}`);
    return value;
  };

  return {
    name,
    text: numbered,
    ...limits,
    values: (given) => names.map((parameter) => valueIn(given, parameter)),
  };
};

/**
 * Runs a statement on the native client, in one round trip, outside any transaction.
 *
 * @throws Unavailable
 */
export type Run = <Row>(statement: Statement, values: unknown[]) => Promise<readonly Row[]>;

/** Runs a statement with values that are given by name. @throws Unavailable */
export type Query = <Values extends object, Row>(
  statement: StatementOf<Values, Row>,
  values: Values,
) => Promise<readonly Row[]>;

/** What a statement returned. */
export interface Rows {
  readonly rows: unknown[];
  /** How many rows it returned or changed. */
  readonly rowCount?: number | null | undefined;
}

/** Runs a text of one or several statements, on the pool or inside a transaction. */
export interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<Rows>;
}

/** Runs a statement inside a transaction. */
export const queryInside = async <Values extends object, Row>(
  inside: Executor,
  { text, values }: StatementOf<Values, Row>,
  given: Values,
): Promise<readonly Row[]> => (await inside.executeSql(text, values(given))).rows as Row[];

/** Stores tasks in the transaction of the change that causes them: both are stored, or neither. */
export type Enqueue = (tasks: readonly Task[], inside: Executor) => Promise<void>;
