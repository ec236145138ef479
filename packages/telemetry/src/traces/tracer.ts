import { setTimeout as delay } from 'node:timers/promises';
import {
  type Context,
  defaultTextMapGetter,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** Makes the spans of this process, and reads the trace that a request belongs to. */
export interface Tracing {
  readonly tracer: Tracer;
  /** The trace that the sender of a request named in its headers; a new one without. */
  readonly contextOf: (headers: Headers) => Context;
  /** Sends what is left, for a few seconds at most. */
  readonly close: () => Promise<void>;
}

export interface TracingOptions {
  readonly version: string;
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`; undefined = unset. */
  readonly endpoint: string | undefined;
  /** Called when spans could not be sent. */
  readonly onFault: (error: unknown) => void;
}

const NAME = 'trawl';
/** How long the last spans may delay the end of the process. */
const CLOSE_MS = 3_000;

/**
 * Spans go to an SDK that the operator loaded with `--import`, if there is one, otherwise to the
 * endpoint.
 * @returns undefined = there is neither: nothing is traced, and no SDK is loaded
 */
export async function openTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const { version, endpoint } = options;
  const provider = trace.getTracerProvider();
  const loaded =
    provider instanceof ProxyTracerProvider
      ? provider.getDelegateTracer(NAME, version)
      : provider.getTracer(NAME, version);
  if (loaded) {
    return { tracer: loaded, contextOf: readBy(propagation), close: async () => {} };
  }
  return endpoint === undefined ? undefined : openExporter({ ...options, endpoint });
}

async function openExporter({
  version,
  endpoint,
  onFault,
}: TracingOptions & { readonly endpoint: string }): Promise<Tracing> {
  const [base, { OTLPTraceExporter }, resources, { W3CTraceContextPropagator }] = await load();
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const reporting: InstanceType<typeof OTLPTraceExporter> = Object.create(exporter, {
    export: {
      value: (...[spans, done]: Parameters<typeof exporter.export>) =>
        exporter.export(spans, (result) => {
          if (result.error) onFault(result.error);
          done(result);
        }),
    },
  });
  const provider = new base.BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': NAME, 'service.version': version }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new base.BatchSpanProcessor(reporting)],
  });
  return {
    tracer: provider.getTracer(NAME, version),
    contextOf: readBy(new W3CTraceContextPropagator()),
    close: async () => {
      const isOver = new AbortController();
      const late = delay(CLOSE_MS, undefined, { ref: false, signal: isOver.signal });
      await Promise.race([provider.shutdown().catch(onFault), late.catch(() => undefined)]);
      isOver.abort();
    },
  };
}

/** @throws Error that says what to install */
async function load() {
  try {
    return await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ]);
  } catch (cause) {
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that send traces are not installed: install without --omit=optional',
      { cause },
    );
  }
}

const CONTEXT_HEADERS = ['traceparent', 'tracestate'];

const readBy =
  (propagator: Pick<TextMapPropagator<Record<string, string>>, 'extract'>) =>
  (headers: Headers): Context => {
    if (!headers.has('traceparent')) return ROOT_CONTEXT;
    const carrier: Record<string, string> = {};
    for (const name of CONTEXT_HEADERS) {
      const value = headers.get(name);
      if (value !== null) carrier[name] = value;
    }
    return propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
  };
