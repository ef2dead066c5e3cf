import { expect } from 'chai';
import { instantOf } from '#domain';
import { EVENT_DAYS } from '../../../../application/events/partner-events.ts';
import { HASTENED, KEPT_ATTEMPTS } from '../../../../application/webhooks/deliveries.ts';
import { MAX_ENDPOINTS } from '../../../../application/webhooks/endpoints.ts';
import {
  healthAfter,
  LONGEST_ASKED_PAUSE_MS,
  LONGEST_FAILING_MS,
  SCHEDULE_MS,
} from '../../../../application/webhooks/schedule.ts';
import { MOST_AT_ONCE, SENT_AT_ONCE } from '../../../../application/webhooks/send-deliveries.ts';
import { chapterOf, readReadme } from '../../../support/readme.ts';

const UNITS = { s: 1_000, min: 60_000, h: 3_600_000 };

const isUnit = (text: string): text is keyof typeof UNITS => text in UNITS;

/** @returns the pause of an endpoint that has failed for this long; both in seconds */
const pauseAfter = (failing: number): number => {
  const now = Date.UTC(2026, 10, 22);
  const failingSince = instantOf(new Date(now - failing * UNITS.s));
  const outcome = { kind: 'unanswered', reason: 'timeout', ms: 15_000 } as const;
  const { pausedUntil = '' } = healthAfter({ failingSince }, [outcome], instantOf(new Date(now)));
  return (Date.parse(pausedUntil) - now) / UNITS.s;
};

const msOf = (pause: string): number => {
  const [amount, unit = ''] = pause.split(' ');
  return pause === 'none' ? 0 : Number(amount) * (isUnit(unit) ? UNITS[unit] : Number.NaN);
};

describe('the figures in the guide to events', () => {
  const guide = readReadme('adapters/http/events/README.md');

  it('are those of the schedule', () => {
    const [, row = ''] =
      /^\| pause before it \|(.*)\|$/m.exec(chapterOf(guide, '## Retries')) ?? [];
    const pauses = row.split('|').map((cell) => msOf(cell.trim()));
    expect(pauses).to.deep.equal([...SCHEDULE_MS]);
  });

  it('are those of the pauses of an endpoint that fails', () => {
    const retries = chapterOf(guide, '## Retries').replaceAll(/\s+/g, ' ');
    expect(retries).to.include(
      'half the time since it began to fail, at least 5 s and at most 5 m',
    );
    const seconds = [0, 9, 60, 599, 86_400].map(pauseAfter);
    expect(seconds).to.deep.equal([5, 5, 30, 299.5, 300]);
    expect(retries).to.include(`that long, ${LONGEST_ASKED_PAUSE_MS / UNITS.h} hours at most`);
    expect(LONGEST_FAILING_MS / UNITS.h).to.equal(5 * 24);
    expect(retries).to.include(`up to ${HASTENED.toLocaleString('en')} of the deliveries`);
    expect(retries).to.include('five days in which every try failed');
  });

  it('are those of the limits', () => {
    const limits = chapterOf(guide, '## Limits');
    for (const row of [
      `| events and deliveries are kept | ${EVENT_DAYS} days |`,
      `| endpoints of a channel | ${MAX_ENDPOINTS} |`,
      `to one endpoint | ${SENT_AT_ONCE}, then 8, then ${MOST_AT_ONCE} while it takes all; one while`,
      `| tries of a delivery | ${SCHEDULE_MS.length} in about three days |`,
    ])
      expect(limits).to.include(row);
    expect(chapterOf(guide, '## Managing endpoints')).to.include(`latest ${KEPT_ATTEMPTS} tries`);
  });
});
