import type { Instant } from '#domain';

const WALL_CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** What a clock in São Paulo shows, as the time of a cell: it has no zone. */
export const wallClockOf = (at: Instant): Date =>
  new Date(`${WALL_CLOCK.format(Date.parse(at)).replace(' ', 'T')}Z`);
