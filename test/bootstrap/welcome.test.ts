import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { CalendarDate } from '#domain';
import type { FirstRun } from '../../bootstrap/processes/first-run.ts';
import { readyLines, welcome } from '../../bootstrap/processes/welcome.ts';

describe('what the first start prints', () => {
  it('has lines for bash that read the address as an address, whatever it holds', () => {
    const client = { clientId: 'demo-1' };
    const firstRun = { partner: { client, clientSecret: 's3cr3t' } } as unknown as FirstRun;
    const publicUrl = 'https://sales.example/$(echo no)/*;&';
    const today = '2026-11-22' as CalendarDate;
    const consoleLink = 'https://sales.example/console/enter/code';
    const shown = { publicUrl, today, firstRun, consoleLink, mailFolder: undefined, settings: '' };
    const text = welcome(shown);
    expect(text).to.include(`\nConsole: ${consoleLink}\n`);
    const [, lines = ''] = text.split('to paste into bash:\n');
    // In place of requests, their addresses.
    const curl = 'curl() { for each; do case $each in https:*) echo "$each" >&2;; esac; done; }';
    const printed = execFileSync('bash', ['-c', `{ ${curl}\n${lines}\n} 2>&1`], {
      encoding: 'utf8',
    });
    expect(printed.split('\n').filter((line) => line !== '')).to.deep.equal([
      `${publicUrl}/api/seguros/auth/token`,
      `${publicUrl}/api/private/integration/sale`,
      `${publicUrl}/api/private/integration/sale/first-sale`,
    ]);
  });

  it('tells later how to replace a lost secret', () => {
    const today = '2026-11-22' as CalendarDate;
    const text = welcome({
      publicUrl: 'http://s',
      today,
      firstRun: {},
      consoleLink: 'http://s/console/enter/code',
      mailFolder: undefined,
      settings: "DATA_DIR='/tmp/a b' ",
    });
    expect(text).to.include(
      "A lost secret: DATA_DIR='/tmp/a b' npm run -s admin -- rotate CLIENT_ID",
    );
    expect(text).not.to.include('paste');
  });

  it('ends with where it is ready, and how to stop it', () => {
    expect(readyLines('http://127.0.0.1:3000', 17)).to.equal(
      '\nReady: http://127.0.0.1:3000/\nStop:  Ctrl-C, or kill 17\n',
    );
  });
});
