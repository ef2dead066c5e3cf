import { Argument, InvalidArgumentError, Option } from 'commander';
import { isRefusal } from '#domain';
import { mailing } from '../../adapters/http/admin/mailing-routes.ts';
import { MAILING_STATUSES, type MailingStatus } from '../../application/mail/mailings.ts';
import { type MailingName, parseMailingId } from '../../application/mailing-name.ts';
import type { MailingRefusal } from '../../application/servicing/retry-mailing.ts';
import { mailings } from '../composition/ports.ts';
import { retryMailing } from '../composition/sale-use-cases.ts';
import type { AddCommands } from './add-commands.ts';
import { count, positive } from './command-arguments.ts';

const mailingName = (text: string): MailingName => {
  const name = parseMailingId(text);
  if (name === undefined) throw new InvalidArgumentError('It must be a mailing_id such as 17-0.');
  return name;
};

const REFUSALS: Readonly<Record<MailingRefusal['kind'], string>> = {
  mailing_unknown: 'there is no such mailing',
  mailing_not_undelivered: 'the mailing is not undelivered: it waits, was sent or withdrawn',
};

/** Adds the commands that list and retry mails. */
export const mailCommands: AddCommands = (program, actor, print, withStores) => {
  program
    .command('mailings')
    .description('list mailed certificates, of the newest sale first')
    .addOption(new Option('--status <status>', 'only these').choices(MAILING_STATUSES))
    .option('--transaction <id>', 'only those of a sale', positive)
    .option('--before <mailing_id>', 'only those listed after this one', mailingName)
    .option('--limit <count>', 'so many at most', count, 100)
    .action(
      async ({
        transaction,
        ...query
      }: {
        status?: MailingStatus;
        transaction?: number;
        before?: MailingName;
        limit: number;
      }) => {
        await withStores(async (service) => {
          print(
            (await service.get(mailings).list({ ...query, saleId: transaction })).map(
              mailing.present,
            ),
          );
        });
      },
    );

  program
    .command('retry-mailing')
    .description('have an undelivered mail tried again')
    .addArgument(new Argument('<mailing_id>').argParser(mailingName))
    .action(async (name: MailingName) => {
      await withStores(async (service) => {
        const outcome = await service.get(retryMailing)(name, actor);
        if (isRefusal(outcome)) throw new Error(REFUSALS[outcome.kind]);
        print(mailing.present(outcome));
      });
    });
};
