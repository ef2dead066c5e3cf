import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import proxyAddr from 'proxy-addr';
import { refused } from './answers.ts';
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

/** Gives the request its id (the caller's, if it sent a sane one), its origin, and a log that knows it; logs the answer. */
export const identified =
  (log: Logger, trustProxy: TrustProxy): Step =>
  async (ctx, next) => {
    const started = performance.now();
    const sent = ctx.get('X-Request-Id');
    const requestId = SANE_ID.test(sent) ? sent : randomUUID();
    const address = addressOf(ctx.req, trustProxy);
    ctx.state.requestId = requestId;
    ctx.state.log = log.child({ requestId });
    ctx.state.applicant = { address, network: networkOf(address), requestId };
    ctx.set('X-Request-Id', requestId);
    await next();
    const took = Math.round((performance.now() - started) * 10) / 10;
    const { route, clientId } = ctx.state;
    ctx.state.log.info({ method: ctx.method, route: route ?? null, status: ctx.status, ms: took, clientId }, 'request');
  };

/** The address that the nearest proxy that is not trusted speaks for; a name or nonsense counts for nothing. */
const addressOf = (request: IncomingMessage, trustProxy: TrustProxy): string => {
  const address = proxyAddr(request, trustProxy);
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : (request.socket.remoteAddress ?? '0.0.0.0');
};

/** What neighbours share: an IPv4 address, or the 64 bits of IPv6 that a provider gives to one customer. */
const networkOf = (address: string): string => {
  const parsed = ipaddr.isValid(address) ? ipaddr.parse(address) : undefined;
  return parsed instanceof ipaddr.IPv6 ? `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64` : address;
};

/** A name that a browser on this machine, or anybody inside the network, may use for a service without one. */
const isNameless = (host: string): boolean => host === 'localhost' || ipaddr.isValid(host.replace(/^\[(.*)\]$/, '$1'));

/**
 * Answers to the name of its public address only (and to bare addresses and `localhost`, which no stranger's name server
 * can point here): what is sent to another name was meant for somebody else, or is an attack by DNS rebinding.
 */
export const namedRightly = (publicUrl: string): Step => {
  const { hostname: own } = new URL(publicUrl);
  return async (ctx, next) => {
    const sent = ctx.get('Host');
    const host = URL.canParse(`http://${sent}`) ? new URL(`http://${sent}`).hostname : '';
    if (sent !== '' && host !== own && !isNameless(host)) throw refused(421, 'Este serviço não responde por esse nome (Host).');
    await next();
  };
};
