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
