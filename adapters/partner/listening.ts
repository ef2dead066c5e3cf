import { type ConnectionOptions, type Environment, note, print } from './connection-options.ts';
import type { EventPrinter } from './event-printer.ts';

export interface ListenOptions extends ConnectionOptions {
  readonly feed?: boolean;
  readonly after?: string;
  readonly fromStart?: boolean;
  readonly port?: number;
  readonly register?: boolean;
  readonly type?: readonly string[];
  readonly json?: boolean;
  readonly count?: number;
}

/** A run of the command: what it prints, and its end. */
export interface Listening {
  readonly options: ListenOptions;
  readonly environment: Environment;
  readonly printer: EventPrinter;
  readonly stopped: AbortController;
}

/** Prints the last line: on stdout, unless that has JSON. */
export const summarize = ({ json }: ListenOptions, text: string): void =>
  (json ? note : print)(text);
