import type { Clock } from '../../application/clock.ts';
import type { Started } from '../../application/people/keep-sessions.ts';
import { IDLE_MS, SESSION_MS } from '../../application/people/sessions.ts';
import type { SecretSeal } from '../../application/webhooks/webhook-sender.ts';
import { type Context, pathParameter } from '../kit/web/pipeline/context.ts';
import { Form, formOf } from '../kit/web/pipeline/form.ts';
import type { Visit } from './visit.ts';

const MAX_BROWSER_LENGTH = 300;

interface BrowserParts {
  readonly clock: Clock;
  readonly secretSeal: SecretSeal;
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
  at(path: string): string;
}

/** A visit, and the session that it has begun. */
type Noted = Visit & { readonly started: Started | undefined };

/** Reads what a browser sends and keeps. */
export const readBrowser = ({ clock, secretSeal, publicUrl, at }: BrowserParts) => {
  const session = makeCookie('console', SESSION_MS, publicUrl);
  const kept = makeCookie('console-kept', IDLE_MS, publicUrl);

  const visitOf = (ctx: Context): Noted => {
    let started: Started | undefined;
    return {
      form: ctx.method === 'POST' ? formOf(ctx) : new Form(''),
      now: clock.now(),
      from: {
        ...ctx.state.applicant,
        browser: ctx.get('User-Agent').slice(0, MAX_BROWSER_LENGTH) || null,
      },
      parameter: (name) => pathParameter(ctx, name),
      query(name) {
        const value = ctx.query[name];
        return typeof value === 'string' ? value : undefined;
      },
      at,
      search: ctx.search,
      keep: (purpose, text) =>
        ctx.append('Set-Cookie', kept.write(secretSeal.seal(text, `console ${purpose}`))),
      take(purpose) {
        ctx.append('Set-Cookie', kept.write(''));
        return secretSeal.open(ctx.cookies.get(kept.name) ?? '', `console ${purpose}`);
      },
      open(begun) {
        started = begun;
        ctx.append('Set-Cookie', session.write(begun.secret));
      },
      close() {
        for (const each of [session, kept]) ctx.append('Set-Cookie', each.write(''));
        // The way back shows nothing of what was seen.
        ctx.set('Clear-Site-Data', '"cache"');
      },
      get started() {
        return started;
      },
    };
  };

  return { visitOf, secretOf: (ctx: Context) => ctx.cookies.get(session.name) };
};

/** With HTTPS a browser sends the cookie to this host alone, and takes it from no other. */
const makeCookie = (plainName: string, ageMs: number, publicUrl: string) => {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? `__Host-${plainName}` : plainName;
  const write = (value: string): string =>
    [
      ...[`${name}=${value}`, 'Path=/', `Max-Age=${value === '' ? 0 : ageMs / 1_000}`],
      ...['HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])],
    ].join('; ');
  return { name, write };
};
