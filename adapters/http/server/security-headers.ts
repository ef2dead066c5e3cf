import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Headers that keep an answer of an API, which is no page, from being taken for one: the same on every answer, and made once. */
export const securityHeaders = (secure: boolean): Map<string, string> => {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => {},
  };
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    xFrameOptions: { action: 'deny' },
    // Only pages have a use for these.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    strictTransportSecurity: secure && { maxAge: 63_072_000, includeSubDomains: true },
  });
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
};
