import { ADDRESS_NOT_ALLOWED } from './resolve-host.ts';

const INVALID_ANSWER = 'invalid_answer';

/** The endpoint answers with something that is no answer to a webhook. */
export const invalidAnswer = (): Error =>
  Object.assign(new Error(INVALID_ANSWER), { code: INVALID_ANSWER });

/** Why an endpoint did not answer, by the codes of Node.js, OpenSSL and llhttp. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^${ADDRESS_NOT_ALLOWED}$`), ADDRESS_NOT_ALLOWED],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'connection_closed'],
  [/^(ETIMEDOUT|ABORT_ERR)$/, 'timeout'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'unreachable'],
  [
    /^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EAI_\w+|EBAD(NAME|RESP|FAMILY)|EFORMERR)$/,
    'dns',
  ],
  [/^HPE_HEADER_OVERFLOW$/, 'headers_too_large'],
  [new RegExp(`^(HPE_|${INVALID_ANSWER}$)`), INVALID_ANSWER],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|\w*SELF_SIGNED|EPROTO$|HOSTNAME_MISMATCH)/, 'tls'],
];

/** The refusals of `request-filtering-agent` have no code. */
const REFUSED = /is not allowed\. Because/;

/** The reason as a code, which holds nothing of the error's message. */
export const failureCode = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  const [, name] = CODES.find(([known]) => known.test(code ?? '')) ?? [];
  return name ?? (REFUSED.test(message) ? ADDRESS_NOT_ALLOWED : 'failed');
};
