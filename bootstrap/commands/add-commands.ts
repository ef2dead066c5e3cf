import type { Command } from 'commander';
import type { Actor } from '../../application/audit/audit-log.ts';
import type { Composed } from '../composition/compose.ts';

/**
 * Opens the stores, passes them to `act` and closes them. `gateway`: with the payment gateway, whose
 * variables the command then needs.
 */
export type WithStores = (
  act: (service: Composed) => Promise<void>,
  more?: 'gateway',
) => Promise<void>;

/**
 * Adds an operator's commands to the program. They write `actor` to the audit log.
 *
 * @param tell shows how far a long command is, beside its answer
 */
export type AddCommands = (
  program: Command,
  actor: Actor,
  print: (answer: object) => void,
  withStores: WithStores,
  tell: (text: string) => void,
) => void;
