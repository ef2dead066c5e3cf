import { isIP } from 'node:net';
import type {
  UrlFault,
  UrlReading,
  WebhookUrl,
  WebhookUrls,
} from '../../application/webhooks/webhook-urls.ts';
import { isAllowedAddress } from './resolve-host.ts';

export interface UrlRules {
  /** Whether http is allowed, and other ports of the own host: in the test environment. */
  readonly isTest: boolean;
  /** Only where partners' programs run on the same machine; absent: in the test environment. */
  readonly allowsLoopback?: boolean;
  /** The address of the service, which sends nothing to itself. */
  readonly publicUrl: string;
}

/** Printable ASCII without a backslash, which some programs read as a slash. */
const URL_CHARACTERS = /^[\x21-\x5b\x5d-\x7e]+$/;

/** A URL with a scheme and a host. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/]/i;

const LABEL = '(?!-)[a-z0-9_-]{1,63}(?<!-)';
const HOST_NAME = new RegExp(`^(?=.{1,253}$)${LABEL}(\\.${LABEL})*$`);

/** Names that the public DNS does not have (RFC 6761, 6762, 7686, 8375, ICANN's `internal`). */
const NOT_IN_DNS = /(^|\.)(localhost|local|internal|home\.arpa|onion|invalid)$/;

const LOOPBACK_NAME = /(^|\.)localhost$/;

/** Names that lead to this machine, or nowhere (RFC 6761). */
const LOCAL_NAME = /(^|\.)(localhost|test)$/;

/** The ports below 1024 to which a webhook may be sent, besides that of https. */
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const FIRST_FREE_PORT = 1_024;

/** An IPv6 address without its brackets, a name without the dot at its end. */
const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$|\.$/g, '$1');

/** Whether a URL is one of this machine, or of its tests. */
export const isLocal = (url: string): boolean => {
  const host = URL.canParse(url) ? bareHost(new URL(url).hostname) : '';
  if (LOCAL_NAME.test(host)) return true;
  return isIP(host) !== 0 && isAllowedAddress(host, true) && !isAllowedAddress(host, false);
};

const portOf = ({ port, protocol }: URL): number => {
  if (port !== '') return Number(port);
  return protocol === 'http:' ? HTTP_PORT : HTTPS_PORT;
};

export class WebhookUrlRules implements WebhookUrls {
  readonly #isTest: boolean;
  readonly #allowsLoopback: boolean;
  readonly #own: URL | undefined;

  constructor({ isTest, allowsLoopback = isTest, publicUrl }: UrlRules) {
    this.#isTest = isTest;
    this.#allowsLoopback = allowsLoopback;
    this.#own = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  }

  read(text: string): UrlReading {
    if (!URL_CHARACTERS.test(text) || !ABSOLUTE.test(text) || !URL.canParse(text))
      return { ok: false, faults: ['malformed'] };
    const url = new URL(text);
    const faults = [...this.#faultsOf(url, text)];
    return faults.length === 0 ? { ok: true, url: url.href as WebhookUrl } : { ok: false, faults };
  }

  *#faultsOf(url: URL, text: string): Generator<UrlFault> {
    const host = bareHost(url.hostname);
    const isName = isIP(host) === 0;
    if (isName && (!HOST_NAME.test(host) || url.hostname.endsWith('.'))) yield 'malformed';
    if (!(url.protocol === 'https:' || (this.#isTest && url.protocol === 'http:')))
      yield 'not_https';
    if (url.username !== '' || url.password !== '') yield 'has_credentials';
    if (text.includes('#')) yield 'has_fragment';
    if (!this.#isAllowedPort(url)) yield 'port_not_allowed';
    if (!(isName ? this.#isPublicName(host) : isAllowedAddress(host, this.#allowsLoopback)))
      yield 'not_public';
    if (this.#isOwn(url, host)) yield 'own_host';
  }

  #isAllowedPort(url: URL): boolean {
    const port = portOf(url);
    const isPlain = url.protocol === 'http:' && port === HTTP_PORT;
    return port === HTTPS_PORT || port >= FIRST_FREE_PORT || isPlain;
  }

  #isPublicName(name: string): boolean {
    if (this.#allowsLoopback && LOOPBACK_NAME.test(name)) return true;
    return name.includes('.') && !NOT_IN_DNS.test(name);
  }

  /**
   * Whether a URL leads to this service. In the test environment only its own port does: other
   * programs of the machine have other ports.
   */
  #isOwn(url: URL, host: string): boolean {
    const own = this.#own;
    if (own === undefined) return false;
    if (!this.#isTest) return host === bareHost(own.hostname);
    const areLocal = [host, bareHost(own.hostname)].every(
      (each) => LOOPBACK_NAME.test(each) || (isIP(each) !== 0 && !isAllowedAddress(each, false)),
    );
    const isSameHost = areLocal || host === bareHost(own.hostname);
    return isSameHost && portOf(url) === portOf(own);
  }
}
