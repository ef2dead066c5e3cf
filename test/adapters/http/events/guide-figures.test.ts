import { expect } from 'chai';
import { EVENT_DAYS } from '../../../../application/events/partner-events.ts';
import { KEPT_ATTEMPTS } from '../../../../application/webhooks/deliveries.ts';
import { MAX_ENDPOINTS } from '../../../../application/webhooks/endpoints.ts';
import { SCHEDULE_MS } from '../../../../application/webhooks/schedule.ts';
import { SENT_AT_ONCE } from '../../../../application/webhooks/send-deliveries.ts';
import { chapterOf, readReadme } from '../../../support/readme.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 };

const msOf = (pause: string): number => {
  const [amount, unit = ''] = pause.split(' ');
  return pause === 'none' ? 0 : Number(amount) * (UNITS[unit] ?? Number.NaN);
};

describe('the figures in the guide to events', () => {
  const guide = readReadme('adapters/http/events/README.md');

  it('are those of the schedule', () => {
    const [, row = ''] =
      /^\| pause before it \|(.*)\|$/m.exec(chapterOf(guide, '## Retries')) ?? [];
    const pauses = row.split('|').map((cell) => msOf(cell.trim()));
    expect(pauses).to.deep.equal([...SCHEDULE_MS]);
  });

  it('are those of the limits', () => {
    const limits = chapterOf(guide, '## Limits');
    for (const row of [
      `| events and deliveries are kept | ${EVENT_DAYS} days |`,
      `| endpoints of a channel | ${MAX_ENDPOINTS} |`,
      `| webhooks sent at the same time to one endpoint | ${SENT_AT_ONCE}; one while it fails |`,
      `| tries of a delivery | ${SCHEDULE_MS.length} in about three days |`,
    ])
      expect(limits).to.include(row);
    expect(chapterOf(guide, '## Managing endpoints')).to.include(`latest ${KEPT_ATTEMPTS} tries`);
  });
});
