import { expect } from 'chai';
import type { Instant } from '#domain';
import {
  afterAttempt,
  healthAfter,
  isTaken,
  LONGEST_ASKED_PAUSE_MS,
  LONGEST_FAILING_MS,
  SCHEDULE_MS,
} from '../../application/webhooks/schedule.ts';
import type { SendOutcome } from '../../application/webhooks/webhook-sender.ts';

const NOW = '2026-11-23T12:00:00.000Z' as Instant;

const at = (ms: number): Instant => new Date(Date.parse(NOW) + ms).toISOString() as Instant;

const answered = (status: number, retryMs?: number): SendOutcome => ({
  ...{ kind: 'answered', status, answer: '', ms: 1 },
  ...(retryMs !== undefined && { retryAt: at(retryMs) }),
});

const TIMEOUT: SendOutcome = { kind: 'unanswered', reason: 'timeout', ms: 15_000 };

describe('what follows an attempt to deliver', () => {
  const next = (outcome: SendOutcome, tries: number, chance = 0.5) =>
    afterAttempt(outcome, { tries, now: NOW, chance });

  it('is the next pause of the schedule, and after the tenth try none', () => {
    const [minute, hour] = [60_000, 3_600_000];
    const pauses = [5_000, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((n) => n * hour)];
    for (const [index, pause] of pauses.entries())
      expect(next(TIMEOUT, index + 1)).to.deep.equal({ kind: 'again', at: at(pause) });
    expect(next(TIMEOUT, 10)).to.deep.equal({ kind: 'undelivered' });
    expect(SCHEDULE_MS).to.deep.equal([0, ...pauses]);
  });

  it('is up to a tenth earlier or later', () => {
    expect(next(TIMEOUT, 2, 0)).to.deep.equal({ kind: 'again', at: at(270_000) });
    expect(next(TIMEOUT, 2, 0.999_999_999)).to.deep.equal({ kind: 'again', at: at(330_000) });
  });

  it('is nothing after an answer of 200 to 299, and another try after any other', () => {
    for (const status of [200, 202, 204, 299]) {
      expect(isTaken(answered(status))).to.equal(true);
      expect(next(answered(status, 60_000), 1)).to.deep.equal({ kind: 'delivered' });
    }
    for (const status of [199, 300, 301, 302, 307, 308, 304, 400, 401, 404, 410, 429, 500, 503])
      expect(next(answered(status), 1)).to.deep.equal({ kind: 'again', at: at(5_000) });
    expect(next(answered(200), 10)).to.deep.equal({ kind: 'delivered' });
  });

  it('waits as long as the endpoint asks, up to a day, never shorter than the schedule', () => {
    expect(next(answered(503, 60_000), 1)).to.deep.equal({ kind: 'again', at: at(60_000) });
    expect(next(answered(503, 60_000), 2)).to.deep.equal({ kind: 'again', at: at(300_000) });
    expect(next(answered(503, -60_000), 1)).to.deep.equal({ kind: 'again', at: at(5_000) });
    const longest = { kind: 'again', at: at(LONGEST_ASKED_PAUSE_MS) };
    expect(next(answered(429, 30 * 86_400_000), 1)).to.deep.equal(longest);
    expect(next(answered(503, 60_000), 10)).to.deep.equal({ kind: 'undelivered' });
  });
});

describe('the health of an endpoint after tries', () => {
  const health = (outcomes: readonly SendOutcome[], failingForMs?: number) =>
    healthAfter(
      failingForMs === undefined ? {} : { failingSince: at(-failingForMs) },
      outcomes,
      NOW,
    );

  it('is good after a success, whatever was before', () => {
    expect(health([answered(200)])).to.deep.equal({ failingSince: undefined });
    expect(health([answered(200)], 3_600_000)).to.deep.equal({ failingSince: undefined });
  });

  it('is bad since the first failure, with pauses of 5 seconds to 5 minutes', () => {
    expect(health([TIMEOUT])).to.deep.equal({ failingSince: NOW, pausedUntil: at(5_000) });
    for (const [failingMs, pauseMs] of [
      [8_000, 5_000],
      [60_000, 30_000],
      [600_000, 300_000],
      [86_400_000, 300_000],
    ] as const)
      expect(health([answered(500)], failingMs)).to.deep.equal({
        failingSince: at(-failingMs),
        pausedUntil: at(pauseMs),
      });
  });

  it('is paused for as long as the endpoint asks, up to a day', () => {
    const until = (outcome: SendOutcome) => health([outcome]).pausedUntil;
    expect(until(answered(503, 120_000))).to.equal(at(120_000));
    expect(until(answered(503, 1_000))).to.equal(at(5_000));
    expect(until(answered(503, 30 * 86_400_000))).to.equal(at(LONGEST_ASKED_PAUSE_MS));
  });

  it('is good when one of several events was taken, unless the endpoint asks for a pause', () => {
    const good = { failingSince: undefined };
    expect(health([answered(200), answered(500)], 60_000)).to.deep.equal(good);
    expect(health([answered(200), answered(429)])).to.deep.equal({
      ...{ ...good, pausedUntil: at(5_000) },
    });
    expect(health([answered(503, 60_000), answered(200)])).to.deep.equal({
      ...{ ...good, pausedUntil: at(60_000) },
    });
  });

  it('is the end after 410, or after five days of failures', () => {
    expect(health([answered(410)])).to.deep.equal({
      failingSince: NOW,
      disabled: { reason: 'gone', at: NOW },
    });
    expect(health([answered(500)], LONGEST_FAILING_MS - 1).disabled).to.equal(undefined);
    expect(health([answered(500)], LONGEST_FAILING_MS)).to.deep.equal({
      failingSince: at(-LONGEST_FAILING_MS),
      disabled: { reason: 'failing', at: NOW },
    });
    expect(health([answered(200)], LONGEST_FAILING_MS)).to.deep.equal({ failingSince: undefined });
  });
});
