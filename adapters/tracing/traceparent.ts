import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';

/** Version 00, and later ones, which may add parts (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The span that a `traceparent` names; undefined for one that is malformed. */
export const readTraceparent = (text: string | undefined): SpanContext | undefined => {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    TRACEPARENT.exec(text ?? '') ?? [];
  if (version === '00' && more !== undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
};

export const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
