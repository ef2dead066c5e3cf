import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import proxyAddr from 'proxy-addr';
import { refused } from '../contract/answer-error.ts';
import type { Step } from './context.ts';

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Whether an address is one of a proxy whose word on where a request came from is taken. */
export type TrustProxy = (address: string) => boolean;

export const NO_PROXY: TrustProxy = () => false;

/**
 * Proxies by address, network (`10.0.0.0/8`) or kind (`loopback`, `linklocal`, `uniquelocal`), separated by commas.
 *
 * @throws TypeError where one is none of these.
 */
export const readTrustedProxies = (text: string): TrustProxy => {
  const trusted = proxyAddr.compile(text.split(',').map((each) => each.trim()));
  return (address) => trusted(address, 0);
};

/** Gives the request its id (the caller's, if it sent a sane one) and its origin; logs the answer. */
export const identified =
  (log: Logger, trustProxy: TrustProxy): Step =>
  async (ctx, next) => {
    const started = performance.now();
    const sent = ctx.get('X-Request-Id');
    const requestId = SANE_ID.test(sent) ? sent : randomUUID();
    ctx.state.applicant = { ...originOf(addressOf(ctx.req, trustProxy)), requestId };
    ctx.set('X-Request-Id', requestId);
    await next();
    const took = Math.round((performance.now() - started) * 10) / 10;
    const { route, clientId } = ctx.state;
    log.info(
      {
        requestId,
        method: ctx.method,
        route: route ?? null,
        status: ctx.status,
        ms: took,
        clientId,
      },
      'request',
    );
  };

/** Remembers what `read` made of a text that comes again and again. */
const remembered = <Value>(read: (text: string) => Value): ((text: string) => Value) => {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text) ?? read(text);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, found);
    return found;
  };
};

const MOST_REMEMBERED = 1_000;

/** As some load balancers write it: `192.0.2.1:54321`, `[2001:db8::1]:54321`. */
const WITH_PORT = /^(?:([\d.]+)|\[([\da-f:.]+)\]):\d+$/i;

/** The address that the nearest proxy that is not trusted speaks for; a name or nonsense counts for nothing. */
const addressOf = (request: IncomingMessage, trustProxy: TrustProxy): string => {
  const own = request.socket.remoteAddress ?? '0.0.0.0';
  if (request.headers['x-forwarded-for'] === undefined) return own;
  const told = proxyAddr(request, trustProxy).replace(WITH_PORT, '$1$2');
  return ipaddr.isValid(told) ? told : own;
};

/** An address as it is usually spelt, and what neighbours share: the address or, of IPv6, the 64 bits that a customer gets. */
const originOf = remembered((spelt: string) => {
  const parsed = ipaddr.process(spelt);
  const address = parsed.toString();
  const network =
    parsed instanceof ipaddr.IPv6
      ? `${parsed.parts
          .slice(0, 4)
          .map((each) => each.toString(16))
          .join(':')}::/64`
      : address;
  return { address, network };
});

/** A name or an address, and perhaps a port (RFC 9112, section 3.2). */
const HOST = /^(?:([a-z\d.-]+)|\[([\da-f:.]+)\])(?::\d*)?$/i;

/**
 * Answers to the name of its public address only (and to bare addresses and `localhost`, which no stranger's name server
 * can point here): what is sent to another name was meant for somebody else, or is an attack by DNS rebinding.
 */
export const namedRightly = (publicUrl: string): Step => {
  const { hostname: own } = new URL(publicUrl);
  const isOurs = remembered((sent: string) => {
    const [, name = '', address = ''] = HOST.exec(sent) ?? [];
    return (
      sent === '' ||
      ['localhost', own].includes(name.toLowerCase()) ||
      ipaddr.isValid(name || address)
    );
  });
  return (ctx, next) => {
    if (!isOurs(ctx.get('Host')))
      throw refused(421, 'Este serviço não responde por esse nome (Host).');
    return next();
  };
};
