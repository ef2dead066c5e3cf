import { Argument, InvalidArgumentError } from 'commander';
import { isRefusal } from '#domain';
import {
  resealAddresses,
  resealCodes,
  resealSecrets,
  withdrawKey,
} from '../composition/operator-use-cases.ts';
import type { AddCommands } from './add-commands.ts';

/** A JWK thumbprint with SHA-256 (RFC 7638), in base64url. */
const keyId = (text: string): string => {
  if (!/^[\w-]{43}$/.test(text))
    throw new InvalidArgumentError('It must be the kid of a key in /.well-known/jwks.json.');
  return text;
};

/** Adds the commands that withdraw a published key, and that seal stored secrets again. */
export const keyCommands: AddCommands = (program, actor, print, withStores) => {
  program
    .command('withdraw-key')
    .description('no longer publish a key that has leaked; evidence that it signed ends')
    .addArgument(new Argument('<kid>').argParser(keyId))
    // A kid can begin with a hyphen, as an option does.
    .allowUnknownOption()
    .action(async (kid: string) => {
      await withStores(async (service) => {
        const outcome = await service.get(withdrawKey)(kid, actor);
        if (isRefusal(outcome))
          throw new Error('no published key that signed evidence has this kid');
        print({ kid, published: false });
      });
    });

  program
    .command('reseal-secrets')
    .description(
      'seal the secrets of webhooks and of one-time codes, and the addresses of groups, with SECRETS_KEY, so that earlier keys can go; once more with --group for each group',
    )
    .action(async () => {
      await withStores(async (service) =>
        print({
          webhooks: await service.get(resealSecrets)(actor),
          people: await service.get(resealCodes)(),
          groups: await service.get(resealAddresses)(actor),
        }),
      );
    });
};
