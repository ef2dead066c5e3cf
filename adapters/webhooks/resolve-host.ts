import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Azure's agent, which every machine there reaches under this public address. */
const WITHIN_CLOUDS: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The addresses that are given out to networks of the Internet (IANA). */
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether the service may connect to an IP address that a partner has chosen. Not allowed are
 * private, link-local, multicast, mapped, translated and reserved addresses (IANA's registries of
 * special-purpose addresses), and those within clouds.
 */
export const isAllowedAddress = (address: string, allowsLoopback: boolean): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return allowsLoopback;
  if (range !== 'unicast' || WITHIN_CLOUDS.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST_IPV6);
};

/** Finds the addresses of a name. @throws Error with a code of DNS */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** What the connection fails with when it would go to an address that is not allowed. */
export const ADDRESS_NOT_ALLOWED = 'address_not_allowed';

const LOOPBACK_NAME = /(^|\.)localhost$/;

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** A question to a name server is given up after this time, and asked twice. */
const DNS_TIMEOUT_MS = 2_500;

/**
 * Asks the name servers directly. `dns.lookup` would occupy one of the four threads of libuv for
 * as long as a partner's name server is silent, and files and cryptography of all sales wait there.
 */
export const makeResolve = (): Resolve => {
  const resolver = new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });

  return async function resolve(name) {
    // RFC 6761, section 6.3: never a question for name servers.
    if (LOOPBACK_NAME.test(name)) return LOOPBACK;
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(name),
      resolver.resolve6(name),
    ]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
    ];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
};

/**
 * Makes the function that finds the address for a connection. It passes on the addresses that it
 * has examined, so that no second answer of a name server can differ from the examined one.
 */
export const guardedLookup = (resolve: Resolve, allowsLoopback: boolean): LookupFunction => {
  const find = async (name: string): Promise<readonly [LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = await resolve(name);
    if (first === undefined) throw failure('ENOTFOUND');
    for (const { address } of [first, ...others])
      if (!isAllowedAddress(address, allowsLoopback)) throw failure(ADDRESS_NOT_ALLOWED);
    return [first, ...others];
  };

  return function lookup(name, { all, family }, done) {
    find(name).then(
      (found) => {
        const fitting = found.filter((each) => !isFamily(family) || each.family === family);
        const [first] = fitting;
        if (first === undefined) return done(failure('ENOTFOUND'), '');
        return all ? done(null, fitting) : done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };
};

const isFamily = (family: unknown): boolean => family === 4 || family === 6;

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });
