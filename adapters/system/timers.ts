import { setTimeout as wait } from 'node:timers/promises';
import type { Timers } from '../../application/timers.ts';

export const systemTimers: Timers = {
  every: (ms, work) => {
    const timer = setInterval(work, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  pause: (ms) => wait(ms, undefined, { ref: false }),
};
