import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

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

interface Beginning {
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** The caller in another process; without it, the span of the work at hand is the parent. */
  readonly traceparent?: string | undefined;
}

/** Begins and ends spans. The span of the work at hand is the parent of the next one. */
export class Spans {
  readonly #tracer: Tracer;
  readonly #current = new AsyncLocalStorage<Span>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  current(): Span | undefined {
    return this.#current.getStore();
  }

  /** Does work in a span. What `work` throws is shown by its name only. */
  async run<Result>(
    name: string,
    { kind, attributes, traceparent }: Beginning,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    const span = this.#tracer.startSpan(name, { kind, attributes }, this.#parent(traceparent));
    try {
      return await this.#current.run(span, () => work(span));
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  }

  #parent(traceparent: string | undefined) {
    const remote = readTraceparent(traceparent);
    if (remote !== undefined) return trace.setSpanContext(ROOT_CONTEXT, remote);
    const current = this.current();
    return current === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, current);
  }
}
