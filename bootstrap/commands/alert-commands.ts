import { Argument, InvalidArgumentError, Option } from 'commander';
import { isRefusal } from '#domain';
import { alert } from '../../adapters/http/admin/alert-routes.ts';
import { isText } from '../../adapters/kit/contract/formats.ts';
import {
  ALERT_STATUSES,
  type AlertStatus,
  MAX_ALERT_NOTE,
} from '../../application/alerts/alert-records.ts';
import { ALERT_KINDS, type AlertKind } from '../../application/alerts/alerts.ts';
import { resolveAlert } from '../composition/channel-use-cases.ts';
import { alertRecords, publicUrl } from '../composition/ports.ts';
import type { AddCommands } from './add-commands.ts';
import { count, positive } from './command-arguments.ts';

const note = (text: string): string => {
  if (!isText(text) || text.length > MAX_ALERT_NOTE)
    throw new InvalidArgumentError(`It must be a line of 1 to ${MAX_ALERT_NOTE} characters.`);
  return text;
};

interface AlertListOptions {
  readonly status?: AlertStatus;
  readonly kind?: AlertKind;
  readonly transaction?: number;
  readonly before?: number;
  readonly limit: number;
}

/** Adds the commands that list and resolve alerts. */
export const alertCommands: AddCommands = (program, actor, print, withStores) => {
  program
    .command('alerts')
    .description('list alerts, the newest first')
    .addOption(new Option('--status <status>', 'only these').choices(ALERT_STATUSES))
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(ALERT_KINDS))
    .option('--transaction <id>', 'only those of a sale', positive)
    .option('--before <alert_id>', 'only those listed after this one', positive)
    .option('--limit <count>', 'so many at most', count, 100)
    .action(async ({ transaction, ...query }: AlertListOptions) => {
      await withStores(async (service) => {
        const found = await service.get(alertRecords).list({ ...query, saleId: transaction });
        const url = service.get(publicUrl);
        print(found.map((record) => alert.present({ record, publicUrl: url })));
      });
    });

  program
    .command('resolve-alert')
    .description('end an alert that was dealt with')
    .addArgument(new Argument('<alert_id>').argParser(positive))
    .requiredOption('--note <text>', 'what was done, without personal data', note)
    .action(async (id: number, options: { readonly note: string }) => {
      await withStores(async (service) => {
        const outcome = await service.get(resolveAlert)(id, options.note, actor);
        if (isRefusal(outcome)) throw new Error('there is no such alert');
        print(alert.present({ record: outcome, publicUrl: service.get(publicUrl) }));
      });
    });
};
