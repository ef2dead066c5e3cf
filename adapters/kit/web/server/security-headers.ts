import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * The headers that every answer has, made once.
 *
 * @param secure whether the public URL is HTTPS: then answers have `Strict-Transport-Security`
 */
export const createSecurityHeaders = (secure: boolean): Map<string, string> => {
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
    // These concern pages only.
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
