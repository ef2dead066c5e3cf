import { setTimeout as wait } from 'node:timers/promises';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ObserveCall } from '../../application/providers/observe-providers.ts';
import { openExport } from './span-export.ts';
import { Spans, writeTraceparent } from './spans.ts';

/** A request and, once its work is done, its answer. */
interface TracedRequest {
  readonly method: string;
  readonly status: number;
  readonly state: {
    /** The pattern of the route, never the path. */
    readonly route?: string;
    readonly applicant: { readonly requestId: string | null };
  };
}

interface TracedJob {
  readonly id: string;
  readonly queue: string;
  /** The id under which the job is done. */
  readonly requestId: string;
  /** The trace of the request or job that stored it. */
  readonly traceparent?: string | undefined;
}

type JobEnd = string | { readonly kind: string };

/**
 * Spans of requests, jobs, questions to providers and the store's operations. Their attributes
 * hold no body, path, client id or personal data.
 */
export interface Tracing {
  /** @param traceparent the caller's; undefined: the request begins a trace */
  traceRequest(
    request: TracedRequest,
    traceparent: string | undefined,
    work: () => Promise<void>,
  ): Promise<void>;
  traceJob<End extends JobEnd>(job: TracedJob, work: () => Promise<End>): Promise<End>;
  readonly observeCall: ObserveCall;
  /** The store, with spans of these operations where they are part of a request or job. */
  traceStore<Store extends object>(
    name: string,
    store: Store,
    operations: readonly (keyof Store & string)[],
  ): Store;
  /** The span of the work at hand, as W3C Trace Context writes it; undefined outside of any. */
  currentTraceparent(): string | undefined;
  /** Sends the last spans, for some seconds at most. */
  stop(): Promise<void>;
}

/** Max time in which the last spans are sent, ms. */
const STOP_MS = 3_000;

/**
 * Traces to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`. The SDK reads the other `OTEL_…`
 * variables.
 *
 * @param failed called for the first of several failures in a row to send spans
 */
export const startTracing = (failed: (error: unknown) => void): Tracing => {
  const provider = openExport(failed);
  const spans = new Spans(provider.getTracer('insurance-sales'));

  return {
    traceRequest: (...given) => traceRequest(spans, ...given),
    traceJob: (job, work) => traceJob(spans, job, work),
    observeCall: observeIn(spans),
    traceStore: (name, store, operations) => traceStore(spans, { name, store, operations }),
    currentTraceparent: () => {
      const current = spans.current();
      return current && writeTraceparent(current.spanContext());
    },
    stop: async () => {
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, wait(STOP_MS, undefined, { ref: false })]);
    },
  };
};

const traceRequest = (
  spans: Spans,
  request: TracedRequest,
  traceparent: string | undefined,
  work: () => Promise<void>,
): Promise<void> => {
  const { method, state } = request;
  const { requestId } = state.applicant;
  const attributes = { 'http.request.method': method, 'request.id': requestId ?? '' };
  const beginning = { kind: SpanKind.SERVER, attributes, traceparent };

  return spans.run(method, beginning, async (span) => {
    await work();
    const { status } = request;
    const { route } = state;
    if (route !== undefined)
      span.updateName(`${method} ${route}`).setAttribute('http.route', route);
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  });
};

const traceJob = <End extends JobEnd>(
  spans: Spans,
  { id, queue, requestId, traceparent }: TracedJob,
  work: () => Promise<End>,
): Promise<End> => {
  const attributes = {
    'messaging.system': 'pg-boss',
    'messaging.operation.type': 'process',
    'messaging.destination.name': queue,
    'messaging.message.id': id,
    'request.id': requestId,
  };

  return spans.run(
    `process ${queue}`,
    { kind: SpanKind.CONSUMER, attributes, traceparent },
    async (span) => {
      const end = await work();
      span.setAttribute('job.outcome', typeof end === 'string' ? end : end.kind);
      return end;
    },
  );
};

/** Spans of questions to gateway and insurer. A provider does not get the trace's id. */
const observeIn =
  (spans: Spans): ObserveCall =>
  ({ provider, question, saleId }, ask, outcomeOf) => {
    const attributes = {
      'provider.name': provider,
      'provider.question': question,
      ...(saleId !== undefined && { 'sale.id': saleId }),
    };

    return spans.run(
      `${provider} ${question}`,
      { kind: SpanKind.CLIENT, attributes },
      async (span) => {
        const answer = await ask();
        const { kind, words } = outcomeOf(answer);
        span.setAttributes({ 'provider.outcome': kind, 'provider.answer': words });
        if (kind !== 'answered') span.setStatus({ code: SpanStatusCode.ERROR });
        return answer;
      },
    );
  };

interface TracedStore<Store> {
  readonly name: string;
  readonly store: Store;
  readonly operations: readonly (keyof Store & string)[];
}

/** A span shows the wait for the statement, which may be one for the sales of many requests. */
const traceStore = <Store extends object>(
  spans: Spans,
  { name, store, operations }: TracedStore<Store>,
): Store => {
  type Operation = (...given: unknown[]) => Promise<unknown>;
  const beginning = { kind: SpanKind.CLIENT, attributes: { 'store.name': name } };

  const traced = new Map<PropertyKey, Operation>();
  for (const operation of operations) {
    const perform = (store[operation] as Operation).bind(store);
    traced.set(operation, (...given) =>
      spans.current() === undefined
        ? perform(...given)
        : spans.run(`${name}.${operation}`, beginning, () => perform(...given)),
    );
  }

  const bind = (value: unknown): unknown =>
    typeof value === 'function' ? value.bind(store) : value;
  return new Proxy(store, {
    get: (_, property) => traced.get(property) ?? bind(Reflect.get(store, property, store)),
  });
};
