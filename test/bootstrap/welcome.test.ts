import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { CalendarDate } from '#domain';
import type { FirstRun } from '../../bootstrap/processes/first-run.ts';
import { welcome } from '../../bootstrap/processes/welcome.ts';

describe('what the first start prints', () => {
  it('has lines for bash that read the address as an address, whatever it holds', () => {
    const client = { clientId: 'demo-1' };
    const firstRun = { partner: { client, clientSecret: 's3cr3t' } } as unknown as FirstRun;
    const publicUrl = 'https://sales.example/$(echo no)/*;&';
    const today = '2026-11-22' as CalendarDate;
    const text = welcome({ publicUrl, today, firstRun, mailFolder: undefined });
    const [, lines = ''] = text.split('to paste into bash:\n');
    // In place of requests, their addresses.
    const curl = 'curl() { for each; do case $each in https:*) echo "$each" >&2;; esac; done; }';
    const shown = execFileSync('bash', ['-c', `{ ${curl}\n${lines}\n} 2>&1`], { encoding: 'utf8' });
    expect(shown.split('\n').filter((line) => line !== '')).to.deep.equal([
      `${publicUrl}/api/seguros/auth/token`,
      `${publicUrl}/api/private/integration/sale`,
      `${publicUrl}/api/private/integration/sale/first-sale`,
    ]);
  });
});
