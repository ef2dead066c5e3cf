import { AsyncLocalStorage } from 'node:async_hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';

/** The code of an export that succeeded, in the SDK. */
const SUCCESS = 0;

/**
 * Spans are sent together, in the background. If the collector is away, up to 2,048 wait and the
 * others are dropped.
 *
 * @param failed called for the first of several failures in a row
 */
export const openExport = (failed: (error: unknown) => void): NodeTracerProvider => {
  const own = resourceFromAttributes({
    'service.name': 'insurance-sales',
    'process.pid': process.pid,
  });
  const exporter = reportFirstFailure(new OTLPTraceExporter(), failed);
  return new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
};

const reportFirstFailure = (
  exporter: SpanExporter,
  failed: (error: unknown) => void,
): SpanExporter => {
  // The span that filled a batch belongs to a request that has no part in the failure.
  const ofNoRequest = AsyncLocalStorage.snapshot();
  let isFailing = false;

  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== SUCCESS;
        if (hasFailed && !isFailing) ofNoRequest(failed, result.error);
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
};
