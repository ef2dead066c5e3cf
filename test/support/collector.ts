import { type Asked, Double, type Told } from '../doubles/http.ts';

/** A span as OTLP writes it in JSON. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

/** What is said once, for several spans of a process. */
interface ResourceSpans {
  readonly resource: Pick<ExportedSpan, 'attributes'>;
  readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
}

/** The numbers of kinds of spans in OTLP. */
export const KIND = { server: 2, client: 3, consumer: 5 } as const;

/** The collector of traces: takes spans by OTLP over HTTP, in JSON. */
export class Collector {
  readonly received: Pick<Asked, 'path' | 'headers' | 'body'>[] = [];
  /** What it answers. */
  answer: Told = { status: 200, body: {} };
  readonly #double = new Double(({ path, headers, body }) => {
    if (this.answer !== 'hang') this.received.push({ path, headers, body });
    return this.answer;
  });

  start(): Promise<string> {
    return this.#double.start();
  }

  stop(): void {
    this.#double.stop();
  }

  get spans(): readonly ExportedSpan[] {
    return this.#resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    );
  }

  get resources(): readonly Readonly<Record<string, unknown>>[] {
    return this.#resourceSpans.map(({ resource }) => attributesOf(resource));
  }

  get #resourceSpans(): readonly ResourceSpans[] {
    return this.received.flatMap(({ body }) => body.resourceSpans as ResourceSpans[]);
  }
}

/** The attributes by name: `{ stringValue: 'x' }` is `x`. */
export const attributesOf = ({
  attributes,
}: Pick<ExportedSpan, 'attributes'>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
