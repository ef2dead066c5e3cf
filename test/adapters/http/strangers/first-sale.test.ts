import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { withApi } from '../../../support/api.ts';
import { bareEnvironment, temporaryFolder } from '../../../support/children.ts';
import { isInstalled, LANGUAGES, printedProgram } from '../../../support/receivers.ts';

const run = promisify(execFile);

describe('the programs of the first sale in the guide', () => {
  withApi((api) => {
    for (const language of LANGUAGES)
      it(`sell once, and print the transaction: ${language.name}`, async function sell() {
        if (!isInstalled(language)) {
          process.stdout.write(`    skipped: ${language.name} is not installed\n`);
          return this.skip();
        }
        const { client_id, client_secret } = await api().client('canal-demo');
        const file = join(temporaryFolder(), `first.${language.name}`);
        writeFileSync(file, printedProgram('first-sale', language));
        const env = {
          ...bareEnvironment(),
          ...{ SALES_URL: `${api().url}/api`, CLIENT_ID: client_id, CLIENT_SECRET: client_secret },
        };
        const command = language.name === 'php' ? 'php' : language.command(file, 0)[0];
        for (const _ of [1, 2]) {
          const { stdout } = await run(command, [file], { env });
          const [sale, ...others] = await api().memory.sales.list({ limit: 2 });
          expect([stdout, others]).to.deep.equal([`${sale?.id}\n`, []]);
        }
      });
  });
});
