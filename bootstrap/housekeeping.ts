import type { Container } from 'inversify';
import { instantOf } from '#domain';
import { describeFault } from '../application/describe-fault.ts';
import { get } from './token.ts';
import * as t from './tokens.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Forgets, now and every hour, the logins whose time was up a day ago. Returns what stops it. */
export const keepHouse = (container: Container): (() => void) => {
  const forget = (): void => {
    const dayAgo = instantOf(new Date(Date.parse(get(container, t.CLOCK).now()) - DAY));
    const failed = (error: unknown) =>
      get(container, t.LOG).warn({ fault: describeFault(error) }, 'old logins were not forgotten');
    get(container, t.REFRESH_TOKENS).forget(dayAgo).catch(failed);
  };
  const timer = setInterval(forget, HOUR).unref();
  forget();
  return () => clearInterval(timer);
};
