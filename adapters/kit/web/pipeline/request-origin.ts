import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';
import { holdsCardNumber, parseTaxId } from '#domain';
import type { Applicant } from '../../../../application/identity/token-refusals.ts';
import { standardError } from '../../contract/answer-error.ts';
import type { Context, Step } from './context.ts';
import type { FinishRequest, RunRequest } from './request-log.ts';

/** The form of a request id that the caller sends. */
export const ACCEPTED_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Whether the text is a CPF or CNPJ: a request id goes to logs, traces and providers. */
const isTaxId = (text: string): boolean => {
  const plain = text.replaceAll(/[._:-]/g, '');
  return (plain.length === 11 || plain.length === 14) && parseTaxId(plain) !== undefined;
};

/** Whether the address is a proxy whose `X-Forwarded-For` we believe. */
export type TrustProxy = (address: string) => boolean;

export const NO_PROXY: TrustProxy = () => false;

/**
 * Reads a list of trusted proxies, separated by commas: addresses, networks (`10.0.0.0/8`) and
 * kinds (`loopback`, `linklocal`, `uniquelocal`).
 *
 * @throws TypeError for any other item.
 */
export const readTrustedProxies = (text: string): TrustProxy => {
  const trusted = proxyAddr.compile(text.split(',').map((each) => each.trim()));
  return (address) => trusted(address, 0);
};

export interface IdentifyParts {
  readonly runRequest: RunRequest;
  readonly finishRequest: FinishRequest;
  readonly trustProxy: TrustProxy;
  readonly writeAnswer: (ctx: Context) => void;
}

/**
 * Sets the request's id (the caller's `X-Request-Id` if it is acceptable), address and network, and
 * runs the further steps under the id. Then writes the answer, and finishes the request.
 */
export const identifyRequest = (parts: IdentifyParts): Step => {
  const { runRequest, finishRequest, trustProxy, writeAnswer } = parts;
  return async function identifyRequest(ctx, next) {
    const startedAt = performance.now();
    ctx.state.applicant = readApplicant(ctx.req, trustProxy);
    const requestId = ctx.state.applicant.requestId as string;
    ctx.set('X-Request-Id', requestId);
    ctx.set('Cache-Control', 'no-store');
    const work = async (): Promise<void> => {
      await next();
      writeAnswer(ctx);
      finishRequest(startedAt, ctx);
    };
    await runRequest(requestId, work, ctx);
  };
};

/** The address, network and id of a request. */
const readApplicant = (request: IncomingMessage, trustProxy: TrustProxy): Applicant => {
  const sentId = request.headers['x-request-id'];
  const isAcceptable =
    typeof sentId === 'string' &&
    ACCEPTED_REQUEST_ID.test(sentId) &&
    !isTaxId(sentId) &&
    !holdsCardNumber(sentId);
  const { address, network } = readOrigin(addressOf(request, trustProxy));
  return { address, network, requestId: isAcceptable ? sentId : newRequestId() };
};

let prefix = { millisecond: Number.NaN, text: '' };

/**
 * A UUID of version 7 (RFC 9562, section 5.7): it begins with the time, so that new ones go to one
 * end of the index of noted requests. At random places each costs three times as much.
 */
const newRequestId = (): string => {
  const millisecond = Date.now();
  if (millisecond !== prefix.millisecond) {
    const digits = millisecond.toString(16).padStart(12, '0');
    prefix = { millisecond, text: `${digits.slice(0, 8)}-${digits.slice(8)}-7` };
  }
  return prefix.text + randomUUID().slice(prefix.text.length);
};

const MAX_REMEMBERED_TEXTS = 1_000;

/** Remembers the result of `read` for each text. The last text comes again most often: it is tried first. */
const memoize = <Value extends NonNullable<unknown>>(
  read: (text: string) => Value,
): ((text: string) => Value) => {
  const known = new LRUCache<string, Value>({ max: MAX_REMEMBERED_TEXTS, memoMethod: read });
  let last: { readonly text: string; readonly value: Value } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: known.memo(text) };
    return last.value;
  };
};

/** Some load balancers add a port: `192.0.2.1:54321`, `[2001:db8::1]:54321`. */
const WITH_PORT = /^(?:([\d.]+)|\[([\da-f:.]+)\]):\d+$/i;

/** The address that the trusted proxies report, or the socket's if that is not an address. */
const addressOf = (request: IncomingMessage, trustProxy: TrustProxy): string => {
  const socketAddress = request.socket.remoteAddress ?? '0.0.0.0';
  if (request.headers['x-forwarded-for'] === undefined) return socketAddress;
  const reported = proxyAddr(request, trustProxy).replace(WITH_PORT, '$1$2');
  return ipaddr.isValid(reported) ? reported : socketAddress;
};

/**
 * The address in its usual spelling, and the network that rate limits count by: the address itself
 * or, for IPv6, the /64 that providers assign to one customer.
 */
const readOrigin = memoize((spelt: string) => {
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

/** A name or an address, with or without a port (RFC 9112, section 3.2). */
const HOST = /^(?:([a-z\d.-]+)|\[([\da-f:.]+)\])(?::\d*)?$/i;

/**
 * Answers 421 if `Host` names another service: a misrouted request, or DNS rebinding. Accepts the
 * host of the public URL, `localhost` and bare addresses, which no foreign name server controls.
 */
export const requireOwnHost = (publicUrl: string): Step => {
  const isOwn = ownHostCheck(publicUrl);
  return function requireOwnHost(ctx, next) {
    if (!isOwn(ctx.get('Host')))
      throw standardError(421, 'wrong_host', 'Este serviço não responde por esse nome (Host).');
    return next();
  };
};

/** Returns the check whether a `Host` header may name this service. */
export const ownHostCheck = (publicUrl: string): ((host: string) => boolean) => {
  const { hostname: ownName } = new URL(publicUrl);
  return memoize((sent: string) => {
    const [, name = '', address = ''] = HOST.exec(sent) ?? [];
    return (
      sent === '' ||
      ['localhost', ownName].includes(name.toLowerCase()) ||
      ipaddr.isValid(name || address)
    );
  });
};
